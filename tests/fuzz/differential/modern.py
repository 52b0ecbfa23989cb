"""Draws programs as people write them for PyTorch: with imports, modules, classes, closures, dictionaries and formatted
texts. What stands in the methods is drawn as in draw.py, with PyTorch's names for the operations."""

import copy
import math
import re

import torch
import torch.nn.functional as F
from torch import nn

from draw import EXPRESSIONS, KINDS, LITERALS, NAMES, TENSORS, Drawer, Expression, Fails, kind_of

OF_F = "gelu silu softplus linear layer_norm mse_loss cross_entropy embedding one_hot".split()
OF_TORCH = ("exp log tanh sigmoid relu erf sin cos floor square pow maximum minimum clamp where softmax log_softmax matmul amax amin std "
            "var logsumexp cumsum topk zeros ones full eye tensor arange zeros_like ones_like argmax tril triu unsqueeze flatten cat "
            "stack flip chunk permute reshape transpose").split()

# Besides those of draw.py. {d} is a dictionary.
MORE = {
    "int": "len({d})|{d}.get('a', {i})|(lambda u: u + {i})({i})|{i} & {i}|{i} \x01 {i}|{i} ^ {i}|{i} << {k}|{i} >> {k}|~{i}"
    "|int('{k}')|sum(u for u in range({k}))|len({s}.split('b'))|self.n|self.doubled|self.n * {i}|{x}.size(-1)|len(self.names)"
    "|max([{i}, {i}], key=lambda u: -u)|round({f})|divmod({i}, 3)[1]|sum(1 for u in {l} if u)|len({*range({k})})",
    "float": "self.scale|{f} ** {f}|float('{k}.5')|round({f}, 1)|math.exp({k})|math.log({f} + 3)|math.floor({f})|{d}.get('c', {f})"
    "|(lambda u, w={f}: u * w)({f})",
    "bool": "isinstance({e}, int)|isinstance({e}, (float, str))|isinstance({t}, torch.Tensor)|'a' in {d}|{i} in {d}|hasattr(self, 'n')"
    "|hasattr(self, 'nothing')|all(u == u for u in {l})|any(u is None for u in {l})|{s}.startswith({s})|{s} < {s}|torch.is_tensor({e})"
    "|callable({e})|{d} == {d}|{e} in {l}|self.training|{i} in {{i}, {i}}",
    "text": "{s}.upper()|{s}.replace({s}, {s})|f'{{i}:>4}'|f'{{f}:.2f}'|f'{{f}:8.3g}'|f'{{s}!r}'|'%d %s' % ({i}, {s})|'%.2f' % {f}"
    "|'{} {}'.format({i}, {s})|'{0}{1}{0}'.format({s}, {i})|str({i})|str({f})|str({l})|repr({s})|{s} * {k}|', '.join([{s}, {s}])"
    "|{s}[{S}]|type({e}).__name__|self.__class__.__name__|f'{{i}=}'|{s}.strip()|{s}.title()",
    "list": "sorted([{f}, {q}, {i}])|sorted([{i}, {i}, {i}], reverse=True)|list({d}.items())|list({d})|[*{l}, {e}]|(*{l}, {e})"
    "|list(map(lambda u: u * {i}, [{i}, {i}]))|[u for u in {l} if u is not None]|list(reversed({l}))|{t}.tolist()"
    "|[(u, w) for u in range({k}) for w in range(u)]|[self.n] * {k}|list({d}.values())|sorted({{i}, {i}, {i}})|{s}.split('b')"
    "|[u for u in self.names]|list(zip(*[{l}, {l}]))",
    "dict": "{'a': {i}, 'b': {e}}|dict(a={i}, c={f})|{**{d}, 'x': {e}}|{u: u * {i} for u in range({k})}|dict(zip('abc', {l}))"
    "|{{i}: {e}, {i}: {e}}|dict({d})|copy.deepcopy({d})",
    "float tensor": "self.layer({x})|self.w * {x}|{x} + self.b|self.norm({x})|self({x})|self.helper({x})|self.mask * {x}"
    "|{x}.clone()|{x}.view(-1)|{x}.contiguous().view(-1)|{x}.split({k}, {A})[0]|{x}.unbind({A})[-1]|{x}.max({A})[0]|{x}.max({A}).values"
    "|{x}.min({A}{K})[0]|{x}[{x} > {q}]|{x}[{m}]|torch.outer({x}, {x})|torch.bmm({x}, {x})|{x}.masked_fill({m}, {q})|{x}.t()"
    "|nn.Softmax(dim={A})({x})|nn.functional.softmax({x}, dim={A})|nn.ReLU()({x})|nn.GELU()({x})|torch.sum({x}, dim={A}{K})"
    "|torch.mean({x}, {D})|{x}.norm()|{x}.norm(dim={A}{K})|{x}.prod({A})|{x}.roll(1, {A})|{x}.sort({A})[0]|torch.cat([{x}, {y}], dim={A})"
    "|{x}.type(torch.float32)|{n}.to(torch.float)|{x}.abs()|{x}.exp()|{x}.tanh()|{x}.repeat(2, 1, 1)|{x}.repeat_interleave(2, {A})"
    "|torch.einsum('ij->ji', {x})|torch.einsum('ij,ij->i', {x}, {x})|torch.einsum('...i,...i->...', {x}, {x})|{x}.new_zeros(2, {k})"
    "|{x}.add({y})|{x}.mul({f})|{x}.sub({y}, alpha=2)|{x}.div({y})|{x}.pow({k})|{x}.neg()|{x}.rsqrt()|torch.where({m}, {x}, {y})"
    "|{x}.index_select(0, {n})|F.relu({x})|F.dropout({x}, 0.5, self.training)|nn.Dropout(0.5)({x})|{x}.flatten(1)|{x}.squeeze(0)"
    "|F.pad({x}, (1, 0))|{x}.data|{x}.detach().clone()|sum([u.sum() for u in {x}])|F.normalize({x}, dim={A})|{x}.T|{x}.mean().sqrt()"
    "|F.scaled_dot_product_attention({x}, {x}, {x})|torch.stack([u * 2 for u in {x}])|F.nll_loss(F.log_softmax({x}, -1), {n})"
    "|F.cross_entropy({x}, {n}, ignore_index={k})|F.mse_loss({x}, {x}, reduction='none')|{x}[..., None] * self.scale|{x}[:, [0, -1]]"
    "|{x}[{n}, {n}]|{x}.gather({A}, {n})|torch.full_like({x}, {f})|torch.linspace(0, 1, {k})|torch.maximum({x}, {y}).sum()|{x}.cumsum({A})",
    "int tensor": "{x}.max({A})[1]|{x}.argsort({A})|{n}.clone()|{n} & {n}|{n} \x01 {n}|~{n}|{m}.nonzero()|{n}.repeat_interleave(2)"
    "|{n}.to(torch.long)|torch.arange({k}, dtype=torch.long)|torch.zeros({k}, {k}, dtype=torch.long)|{n}.view(-1)|{n}.max({A})[0]"
    "|torch.tensor([{i}, {i}], dtype=torch.long)|{n}.unsqueeze({A})|{m}.long().sum({A})|{x}.to(torch.int64)|{n}.masked_fill({m}, {i})",
    "bool tensor": "{m} & {m}|{m} \x01 {m}|~{m}|{m} ^ {m}|{x}.eq({y})|{n}.ne({i})|{x}.gt({q})|{x}.lt({y})|{m}.any({A})|{m}.all({A})"
    "|torch.isinf({x})|torch.zeros({k}, {k}).bool()|torch.ones({k}, {k}, dtype=torch.bool)|{m}.clone()|torch.isnan({x})",
}

LAYERS = {
    "layer": ["nn.Linear({w}, {w})", "nn.Linear({w}, {w}, bias=False)", "nn.Sequential(nn.Linear({w}, 2 * {w}), nn.ReLU(), nn.Linear(2 * {w}, {w}))",
              "nn.ModuleList([nn.Linear({w}, {w}) for _ in range(2)])[0]", "nn.Identity()", "nn.Tanh()"],
    "norm": ["nn.LayerNorm({w})", "nn.LayerNorm({w}, elementwise_affine=False)", "nn.Softmax(dim=-1)", "nn.Dropout(0.1)"],
    "w": ["nn.Parameter(torch.tensor([0.5, -1.0, 2.0][:{w}]))", "nn.Parameter(torch.ones({w}) * 0.5)", "nn.Parameter(torch.tensor(1.5))"],
    "b": ["nn.Parameter(torch.zeros({w}))", "torch.zeros(1)", "0.5", "nn.Parameter(torch.zeros(1, {w}))"],
}


def with_prefixes(forms):
    """The forms with PyTorch's names: torch.exp, not exp."""
    for prefix, names in (("torch.", OF_TORCH), ("F.", OF_F)):
        forms = re.sub(rf"(?<![\w.'])(?={'|'.join(fr'{each}[(]' for each in names)})", prefix, forms)
    forms = re.sub(r"(?<![\w.'-])inf(?![\w'])", "math.inf", forms).replace("-inf", "float('-inf')")
    return re.sub(r"(?<![\w.'])pi(?![\w'])", "math.pi", forms).replace("math.float", "float")


TABLE = {kind: with_prefixes(EXPRESSIONS.get(kind, "[]")) + "|" + MORE.get(kind, MORE["int"]) if kind != "same tensor"
         else with_prefixes(EXPRESSIONS[kind]) for kind in {**EXPRESSIONS, **MORE}}
TABLE["dict"] = MORE["dict"]
TABLE["float tensor"] += "|{g}" * 30  # calls of the modules


class Modern(Drawer):
    expressions = {kind: forms.split("|") for kind, forms in TABLE.items()}
    expressions = {kind: [form.replace("\x01", "|") for form in forms if "parameter(" not in form and "rms_norm" not in form]
                   for kind, forms in expressions.items()}
    literals = {**LITERALS, "dict": ["{}", "{'a': 1}", "{'a': 0.5, 'c': 2.0}", "{1: 'x', 2: [3]}"]}
    prefix = "torch."

    def __init__(self, chance, names):
        own = {name: names[name] for name in ("abs", "max", "min", "sum", "_builtins")}
        super().__init__(chance, {**own, "torch": torch, "nn": nn, "F": F, "math": math, "copy": copy})
        self.lines = ["import copy", "import math", "import torch", "import torch.nn as nn", "import torch.nn.functional as F"]
        self.width = 1 + self.below(3)

    # Classes

    def init_lines(self):
        filled = {name: self.chance.choice(forms).replace("{w}", str(self.width)) for name, forms in LAYERS.items()}
        lines = [f"self.{name} = {text}" for name, text in filled.items()]
        lines += [f"self.n, self.scale = {self.chance.choice(['n', '2', 'n + 1'])}, {self.chance.choice(['0.5', 'n ** -0.5', 'math.sqrt(n)'])}",
                  f"self.register_buffer('mask', torch.tril(torch.ones({self.width}, {self.width})))" if self.likely(60) else
                  f"self.mask = torch.arange({self.width}) % 2 == 0",
                  f"self.names = {self.certain('list').text}" if self.likely(30) else "self.names = ['a', 'b']"]
        return lines

    def module(self, name, base):
        """class Net(nn.Module), whose methods are drawn on an instance of it without them."""
        before = len(self.lines)
        head = [f"class {name}({base}):"]
        if self.likely(40):
            head += [f"    '''{name}'''", "    kinds = {'a': 1, 'b': [2, 3]}"]
        init = ["    def __init__(self, n=2, *rest, **options):"]
        init += ["        " + each for each in (["super().__init__()", *self.init_lines()] if base == "nn.Module" else
                                               ["super().__init__(n + 1)", "self.scale = self.scale * 2"])]
        rest = ["    @property", "    def doubled(self):", f"        return self.n * {self.chance.choice(['2', '2.0', '(1 + 1)'])}",
                "    def helper(self, x, *, s=0.5):", f"        return {self.chance.choice(['x * s', 'x * s + self.n', 'self.layer(x) * s', '-x'])}"]
        plain = ["    def forward(self, x, y=None):", "        return x * 0.5"]
        self.scope["self"] = self.made("\n".join(head + init + rest + plain), name)
        outer = self.scope, self.variables
        self.scope, self.variables, self.depth = dict(self.scope), {}, 2
        self.lines += head + init + rest + ["    def forward(self, x, y=None):"]
        self.keep("x", self.value(f"torch.tensor({[[0.5, -1.0, 2.0][: self.width]] * 2})"))
        for _ in range(1 + self.below(4)):
            self.statement()
        self.ended = False
        self.line(f"return {self.certain('float tensor').text}")
        self.scope, self.variables = outer
        self.depth = 1
        try:
            self.scope["self"] = self.made("\n".join(self.lines[before:]), name)
            self.execute(f"{name.lower()} = {name}({self.chance.choice(['', '3', 'n=1'])})")
        except Exception:
            del self.lines[before:]
            raise Fails from None

    def made(self, text, name):
        try:
            self.execute(text)
            return self.scope[name](2).eval()
        except Exception:
            raise Fails from None

    # Statements that draw.py has not

    def statement(self):
        if self.likely(75):
            return super().statement()
        forms = [self.closure, self.entry, self.starred, self.walrus, self.in_place, self.dictionary]
        if self.depth < 3:
            forms += [self.without_gradient, self.attempt]
        try:
            self.chance.choice(forms)()
        except Fails:
            pass

    def closure(self):
        name = self.chance.choice(["g", "h2", "step"])
        inner = self.filled(self.chance.choice(["lambda u: u * {f}", "lambda u, w={f}: u + w + {i}", "lambda *u: len(u) + {i}"]), 1)
        self.scope[name] = inner.value
        self.line(f"{name} = {inner.text}")
        target, argument = self.fresh(), self.draw(self.chance.choice(["float tensor", "int", "float"]))
        self.run_line(f"{target} = {name}({argument.text})", [target])

    def entry(self):
        target = self.variable(["dict"])
        if not target:
            return self.dictionary()
        self.run_line(f"{target.text}[{self.chance.choice(['1', '0', chr(39) + 'a' + chr(39), chr(39) + 'k' + chr(39)])}] = {self.any_expression().text}")

    def dictionary(self):
        made, name = self.draw("dict"), self.fresh()
        self.line(f"{name} = {made.text}")
        self.keep(name, made.value)

    def starred(self):
        name, rest = self.chance.sample(NAMES, 2)
        self.run_line(f"{name}, *{rest} = {self.draw('list').text}", [name, rest])

    def walrus(self):
        name = self.fresh()
        self.run_line(f"{self.fresh()} = ({name} := {self.any_expression().text})", [name])

    def in_place(self):
        target = self.variable(["float tensor", "int tensor"])
        if not target:
            raise Fails
        method = self.chance.choice(["add_({q})", "mul_({q})", "sub_({y})", "fill_({q})", "zero_()", "clamp_(min={f})", "masked_fill_({m}, {q})",
                                     "copy_({y})", "div_({f})", "add_({y})", "unsqueeze_(0)"])
        made = self.filled(method, 1) if "{" not in method else self.argument(method, target.value)
        self.run_line(f"{target.text}.{made}", [target.text])

    def argument(self, method, first):
        """The call of a method with its placeholder filled in; it has no value without its object."""
        name, _, rest = method.partition("(")
        letters = re.findall(r"\{(\w)\}", rest)
        for letter in letters:
            rest = rest.replace("{" + letter + "}", self.part(letter, first, 1).text, 1)
        return f"{name}({rest}"

    def without_gradient(self):
        self.line("with torch.no_grad():")
        self.body()

    def attempt(self):
        name = self.fresh()
        self.run_line("\n".join(["try:", f"    {name} = {{'a': 1}}['{self.chance.choice('ab')}']", "except KeyError:", f"    {name} = {self.certain('int').text}"])
                      .replace("\n", "\n" + ""), [name])

    def run_line(self, text, names=()):
        lines = text.split("\n")
        super().run_line(text, names)
        self.lines[-1:] = ["    " * self.depth + each for each in lines]


def anew(chance, names):
    drawer = Modern(chance, names)
    for name, base in (("Net", "nn.Module"), ("Block", "Net")):
        if name == "Net" or (chance.random() < 0.3 and "net" in drawer.scope):
            try:
                drawer.module(name, base)
                drawer.lines.append(f"{name.lower()} = {name}()")
                drawer.helpers += [f"{name.lower()}({{x}})", f"{name.lower()}.helper({{x}}, s={{f}})"]
            except Fails:
                pass
    drawer.scope.pop("self", None)
    if chance.random() < 0.5:
        drawer.function("g")
        drawer.ended = False
    drawer.main()
    return "\n".join(drawer.lines) + "\n"
