"""Draws small programs of the learner's language. Each expression is evaluated under PyTorch while it is drawn, so that
most programs run, and the shapes and types of variables are those of their values."""

import functools
import math
import random
import re
from typing import NamedTuple

import torch

from limits import time_limit

# {i} int, {f} float, {b} bool, {s} text, {l} list or tuple, {t} tensor, {x} float tensor, {n} int tensor, {m} bool
# tensor, {y} tensor that broadcasts with the first one, {q} number, {o} tensor or number, {e} anything.
# Of the first tensor: {A} an axis, {D} axes, {I} an index, {Z} a shape of its values, {P} an order of its axes.
# {k} 0 to 3, {S} a slice, {K} options of a reduction, {r} a rank-2 tensor that @ takes.
EXPRESSIONS = {
    "int": "{i} + {i}|{i} - {i}|{i} * {i}|{i} // {i}|{i} % {i}|{i} ** {k}|-{i}|abs({i})|len({l})|len({s})|len({t})"
    "|int({f})|int({b})|max({i}, {i})|min({i}, {i}, {i})|sum([{i}, {i}])|sum([{i}, {i}], {i})|{t}.shape[{A}]|{t}.dim()"
    "|{t}.numel()|{t}.size({A})|{n}.sum().item()|{i} if {b} else {i}|{b} + {i}|max([{i}, {i}])|{i} // {b}|int({q})"
    "|len(range({k}, {i}, {i}))|sum([{i} for u in range({k})])",
    "float": "{q} + {f}|{f} - {q}|{q} * {f}|{q} / {q}|{f} // {q}|{f} % {q}|{i} / {i}|{f} ** {k}|{i} ** -{k}|-{f}|abs({f})"
    "|float({i})|sqrt(abs({q}))|{x}.sum().item()|{f} if {b} else {f}|max({f}, {q})|min({q}, {f})|sum([{q}, {f}])|pi"
    "|float({b})|inf|-inf|float('inf')|float('-inf')|{x}.mean().item()|2 ** {f}",
    "bool": "{q} < {q}|{q} <= {q}|{q} > {q}|{q} >= {q}|{q} == {q}|{q} != {q}|{i} < {i} <= {i}|{s} == {s}|{s} != {s}"
    "|{s} in {s}|{i} in {l}|{q} not in {l}|not {b}|{b} and {b}|{b} or {b}|{e} is None|{e} is not None|bool({q})|{l} == {l}"
    "|bool({l})|bool({s})|{t}.shape == {t}.shape|{x}.sum() > {q}|{l} != {l}|not {l}|{m}.sum() == {i}|not {s}"
    "|bool({t}.sum())|{i} in range({k}, {i})|{m}.item()|{e} == {e}",
    "text": "{s} + {s}|f'{{i}}{s}'|{s} if {b} else {s}|f'{{s}}.{{i}}'|f'{{f}}'|f'{{b}}{{e}}'|f'{{i}}: {{f}}'",
    "list": "[{i}, {i}, {i}]|[{e}, {e}]|[{f}, {q}]|({e}, {e})|{l} + {l}|{l} * {k}|{k} * [{i}]|list(range({k}, {i}))|list({l})"
    "|tuple({l})|{l}[{S}]|[u for u in {l}]|[u * {i} for u in range({k})]|[u for u in range({i}) if u % 2 == {b}]|[]|()"
    "|list(zip({l}, {l}))|list(enumerate({l}))|[u + w for u, w in zip([{i}, {i}], [{i}, {i}])]|[u for u in {t}]"
    "|range({k}, {i}, {i})|range({i})[{S}]|{t}.shape|list({t}.shape)|[{s}, {s}]|{l} if {b} else {l}|[{x}, {x}]"
    "|[u.sum() for u in {t}]|[{l}, {l}]|list(enumerate({l}, {i}))|({e},)|[[u] * {k} for u in {l}]|[w for w, u in enumerate({l})]",
    "float tensor": "{x} + {o}|{o} - {x}|{x} * {o}|{x} / {o}|{o} / {x}|{x} // {o}|{x} % {o}|{o} % {x}|{x} ** {k}|{x} ** {f}"
    "|abs({x}) ** {f}|{x} + {y}|{x} - {y}|{x} * {y}|{x} / {y}|{x} // {y}|{x} % {y}|{y} / {x}|abs({x}) ** {y}|{x} ** {y}"
    "|{f} ** {x}|{k} ** {x}|-{x}|exp({x})|log({x})|log(abs({x}) + {f})|sqrt({x})|sqrt(abs({x}))|tanh({x})|sigmoid({t})"
    "|relu({x})|erf({x})|sin({t})|cos({x})|floor({x})|abs({x})|gelu({x})|gelu({x}, approximate='tanh')|silu({x})"
    "|softplus({x})|square({x})|pow({x}, {k})|pow({x}, {f})|maximum({x}, {y})|minimum({x}, {y})|maximum({x}, {q})"
    "|{x}.clamp({q}, {q})|{x}.clamp(min={q})|{x}.clamp(max={q})|clamp({x}, {q}, {q})|where({m}, {x}, {q})"
    "|where({x} > {q}, {x}, {y})|where({x} == {y}, {q}, {y})|{x}.masked_fill({x} > {q}, {q})|{x}.masked_fill({y} > {q}, -inf)"
    "|softmax({x}, {A})|{x}.softmax(dim={A})|log_softmax({x}, {A})|{x} @ {r}|matmul({x}, {r})|{x} @ {x}.mT|{x}.mT @ {x}"
    "|linear({x}, {r}.mT)|{x}.sum()|{x}.sum({A})|{x}.sum({A}{K})|{x}.mean()|{x}.mean({A}{K})|{x}.mean({D})|{x}.sum({D}{K})"
    "|amax({x}, {A})|amin({x}, {A}{K})|amax({x})|amin({x})|max({x})|min({x})|{x}.var({A})|{x}.std({A}{K})|{x}.var()|std({x})"
    "|{x}.var({A}, unbiased=False)|{x}.var({D})|{x}.std({D}{K})|logsumexp({x}, {D}{K})|{x}.std({A}, unbiased=False{K})|cumsum({x}, {A})|{x}.cumsum({A})|logsumexp({x}, {A}{K})"
    "|topk({x}, {k})[0]|{n}.float()|{m}.float()|{n} / {o}|{n} * {f}|{n} + {x}|{m} * {x}|{x} * {m}|{n}.sum() * {f}"
    "|zeros({k}, {k})|ones({k})|full(({k}, {k}), {f})|eye({k})|tensor([{f}, {f}])|tensor([[{f}], [{q}]])|tensor({f})"
    "|arange({f}, {f})|arange({k}) * {f}|zeros_like({x})|ones_like({x})|arange(0, {i}, {f})"
    "|layer_norm({x}, [{k}])|layer_norm({x}, [{k}], {x}, {x})|rms_norm({x}, [{k}])|mse_loss({x}, {y})|mse_loss({x}, {x})"
    "|cross_entropy({x}, {n})|cross_entropy({x}, {n}, reduction='sum')|cross_entropy({x}, {n}, label_smoothing=0.1)"
    "|cross_entropy({x}, {n}, ignore_index={k})|embedding({n}, {x})|{x}[{n}]|exp({x} * 0.5)|tanh({x}) + {y}|{x}.detach()"
    "|{g}|parameter('{p}', ({k}, {k}))|sum([u for u in {x}])|{x} @ {y}|{x}.float()|{x}.contiguous()|sqrt({n})|exp({b})|one_hot({n}, {k}).float()"
    "|softmax({x}.masked_fill(tril(ones_like({x})) == 0, -inf), {A})",
    "int tensor": "{n} + {n}|{n} - {i}|{i} * {n}|{n} // {i}|{n} % {i}|{n} // {n}|{n} % {n}|{n} ** {k}|-{n}|abs({n})|square({n})"
    "|{n} * {m}|{m} + {i}|{n} + {b}|arange({k})|arange({i}, {i})|arange({k}, {i}, {i})|tensor([{i}, {i}])|tensor([[{i}], [{i}]])"
    "|tensor({i})|{x}.long()|{m}.long()|{x}.int()|{n}.sum()|{n}.sum({A}{K})|{m}.sum()|{m}.sum({A})|argmax({x})|argmax({x}, -1)"
    "|{x}.argmax(dim=-1)|topk({x}, {k})[1]|{n}.cumsum({A})|amax({n}, {A})|max({n})|min({n})|amin({n})|one_hot({n}, {k})"
    "|full(({k},), {i})|zeros_like({n})|maximum({n}, {n})|minimum({n}, {i})|relu({n})|floor({n})|{n}.clamp({i}, {i})"
    "|where({m}, {n}, {i})|where({n} > {i}, {n}, {n})|{n}.masked_fill({n} > {i}, {i})|{n}[{n}]|{n} @ {n}|cumsum({m}, {A})"
    "|topk({n}, {k})[0]|{n}.clamp(min={i})|pow({n}, {k})|{i} // {n}|{i} % {n}|{k} ** {n}|{n} ** {k}|tensor({l})",
    "bool tensor": "{t} > {o}|{x} < {y}|{x} <= {y}|{x} >= {q}|{n} == {i}|{t} != {y}|{x} == {y}|{n} != {n}|{t}.bool()|{m} == {b}"
    "|{m} + {m}|{m} * {m}|tensor([{b}, {b}])|{m} > {b}|{q} < {t}|{i} == {n}|tril(ones({k}, {k})) == 0|{m} == {m}|zeros_like({m})"
    "|arange({k}) < {i}|full(({k},), {b})|amax({m}, {A})|{m} != {x}|where({m}, {m}, {b})|{n} >= {f}|maximum({m}, {m})",
    "same tensor": "{t}[{I}]|{t}[{I}]|{t}[{I}]|{t}.reshape({Z})|{t}.view({Z})|{t}.T|{t}.mT|{t}.transpose({A}, {A})|{t}.permute({P})"
    "|{t}.unsqueeze({A})|unsqueeze({t}, 0)|{t}.squeeze()|{t}.squeeze({A})|{t}.flatten()|flatten({t}, {A}, {A})|{t}.expand({k}, {k})"
    "|{t}.expand(-1, {k})|{t}[None].expand({k}, *)|cat([{t}, {t}], {A})|cat([{t}, {y}])|stack([{t}, {t}], {A})|stack([{t}, {y}], dim={A})"
    "|flip({t}, [{A}])|{t}.flip({D})|{t}.chunk({k}, {A})[0]|chunk({t}, {k})[-1]|tril({t})|triu({t}, {i})|tril({t}, -{k})"
    "|{t} if {b} else {t}|permute({t}, {P})|reshape({t}, ({Z}))|{t}.detach()|{t} + 0|{t}.flip(0)|transpose({t}, {A}, -1)|{t}.contiguous()",
}
LITERALS = {
    "int": ["0", "1", "2", "3", "-1", "-2", "4", "5", "7", "10", "True"],
    "float": ["0.5", "1.5", "2.0", "-0.5", "0.25", "-1.0", "3.0", "0.1", "-2.5", "1e-3", "0.0"],
    "bool": ["True", "False"],
    "text": ["'a'", "'b'", "''", "'abc'", "'ü'", "\"W\"", "'λx'"],
    "list": ["[1, 2, 3]", "[]", "(0, 1)", "[0.5, 2]", "['a', 'b']", "[True, None]"],
    "none": ["None"],
}
KINDS = {"d": "dict", "i": "int", "f": "float", "b": "bool", "s": "text", "l": "list", "x": "float tensor", "n": "int tensor",
         "m": "bool tensor"}
MIXED = {"e": ["int", "float", "bool", "text", "list", "none"], "q": ["int", "float", "float", "bool"],
         "o": ["int", "float", "float tensor"], "t": ["float tensor", "float tensor", "int tensor", "bool tensor"]}
DTYPES = {torch.float32: "float tensor", torch.int64: "int tensor", torch.int32: "int tensor", torch.bool: "bool tensor"}
TENSORS = ("float tensor", "int tensor", "bool tensor")
DEEPEST = 3
MOST_VALUES = 120
NAMES = ["a", "b", "c", "d", "h", "y", "z", "α", "W", "total"]


class Expression(NamedTuple):
    text: str
    value: object

    @property
    def within(self):
        """The text as part of another."""
        return self.text if re.fullmatch(r"[\w.]+|'\w*'|\w+\([^()]*\)|\[[^\[\]]*\]", self.text) else f"({self.text})"


class Fails(Exception):
    """The expression that was drawn has no value."""

    def __init__(self, text=""):
        self.text = text


def kind_of(value):
    if isinstance(value, torch.Tensor):
        return DTYPES.get(value.dtype, "other")
    kinds = {"bool": bool, "int": int, "float": float, "text": str, "list": (list, tuple, range), "dict": dict}
    for kind, types in kinds.items():
        if isinstance(value, types):
            return kind
    return "none" if value is None else "other"


@functools.lru_cache(100_000)
def compiled(text):
    return compile(text, "drawn", "eval")


def is_sound(value, depth=0):
    """Neither too large to be compared in single precision nor, most of the time, without a value."""
    if isinstance(value, torch.Tensor):
        if value.numel() > MOST_VALUES or value.dim() > 4:
            return False
        largest = value.detach().abs().max().item() if value.numel() and value.dtype != torch.bool else 0
        return largest < 1e4 or largest == math.inf
    if isinstance(value, (int, float)):
        return abs(value) < 1e6 or value == math.inf
    if isinstance(value, range) and abs(value.stop - value.start) > 1e6:
        return False  # it may have more items than len() can say
    if isinstance(value, dict):
        return len(value) <= 12 and depth < 4 and all(is_sound(each, depth + 1) for each in value.values())
    if isinstance(value, (list, tuple, range, str)):
        return len(value) <= 12 and depth < 4 and (isinstance(value, str) or all(is_sound(each, depth + 1) for each in value))
    return True


class Drawer:
    expressions = {kind: forms.split("|") for kind, forms in EXPRESSIONS.items()}
    literals = LITERALS
    prefix = ""  # of the names of operations

    def __init__(self, chance: random.Random, names: dict):
        self.chance = chance
        self.scope = dict(names)  # the language's own names, and the variables in view
        self.variables = {}  # their names, newest last
        self.helpers = []  # texts of calls, with placeholders
        self.lines = []
        self.depth = 1
        self.ended = False  # by a line that fails

    # Expressions

    def below(self, n):
        return self.chance.randrange(max(n, 1))  # PyTorch expands one value even to a size of -1

    def likely(self, percent):
        return self.chance.random() * 100 < percent

    def named(self, kinds):
        return [name for name in self.variables if kind_of(self.scope[name]) in kinds]

    def variable(self, kinds):
        names = self.named(kinds)
        name = self.chance.choice(names) if names else None
        return name and Expression(name, self.scope[name])

    def draw(self, kind, depth=0):
        """An expression of this kind."""
        found = self.variable([kind]) if self.likely(75 if depth else 25) else None
        if found:
            return found
        if depth < DEEPEST and (kind in TENSORS or self.likely(60)):
            forms = self.expressions.get(kind, [""])
            for _ in range(4):
                form = self.chance.choice(forms)
                if kind in TENSORS and self.likely(30):
                    letter = {each: letter for letter, each in KINDS.items()}[kind]
                    form = self.chance.choice(self.expressions["same tensor"]).replace("{t}", f"{{{letter}}}")
                try:
                    return self.filled(form, depth + 1)
                except Fails as failure:
                    if failure.text and self.likely(1):
                        raise
            found = self.variable([kind])
        return found or self.literal(kind)

    def literal(self, kind):
        if kind in TENSORS:
            text = self.tensor_text(kind)
            return Expression(text, self.value(text))
        text = self.chance.choice(self.literals[kind])
        return Expression(text, self.value(text))

    def tensor_text(self, kind, rank=None):
        """tensor([…]) of round numbers, in which values repeat."""
        sizes = [1 + self.below(3) for _ in range(1 + self.below(3) if rank is None else rank)]
        most = 1 + self.below(6)
        one = {
            "float tensor": lambda: str((self.below(2 * most + 1) - most) * self.chance.choice([0.5, 0.25, 1.0])),
            "int tensor": lambda: str(self.below(most)),
            "bool tensor": lambda: str(self.likely(50)),
        }[kind]

        def nested(left):
            return "[" + ", ".join(nested(left[1:]) for _ in range(left[0])) + "]" if left else one()

        return f"{self.prefix}tensor({nested(sizes)})"

    def value(self, text, parts={}):
        with time_limit(0.2):
            return eval(compiled(text), {**self.scope, **parts})

    def filled(self, form, depth):
        """The form with all its placeholders filled in, and its value."""
        pieces = re.split(r"\{([^\W\d])\}", form)
        text = code = pieces[0]
        parts, first = {}, None
        for letter, after in zip(pieces[1::2], pieces[2::2]):
            if letter.islower() and letter not in "kp":
                part = self.part(letter, first, depth)
                name = f"_{len(parts)}"
                parts[name] = part.value
                if first is None and isinstance(part.value, torch.Tensor):
                    first = part.value
                text, code = text + part.within, code + name
            else:
                filling = self.filling(letter, first)
                text, code = text + filling, code + filling
            text, code = text + after, code + after
        if text.startswith("f'") and ("\"" in text[2:] or "'" in text[2:-1] or "\\" in text):
            raise Fails
        try:
            value = self.value(code, parts)
        except Exception:
            raise Fails(text) from None
        if not is_sound(value) and not self.likely(2):
            raise Fails
        return Expression(text, value)

    def part(self, letter, first, depth):
        if letter == "g":
            return self.call(depth)
        if letter == "y":
            return self.partner(first, depth)
        if letter == "r":
            return self.factor(first, depth)
        return self.draw(self.chance.choice(MIXED[letter]) if letter in MIXED else KINDS[letter], depth)

    def partner(self, first, depth):
        """A tensor that broadcasts with the first one."""
        fitting = [name for name in self.named(TENSORS) if self.broadcasts(self.scope[name], first)]
        if fitting and self.likely(80):
            name = self.chance.choice(fitting)
            return Expression(name, self.scope[name])
        return self.draw(self.chance.choice(["float tensor", "float tensor", "int tensor"]), depth)

    @staticmethod
    def broadcasts(x, y):
        return y is not None and all(a == b or 1 in (a, b) for a, b in zip(reversed(x.shape), reversed(y.shape)))

    def factor(self, first, depth):
        fitting = [name for name in self.named(["float tensor"])
                   if first is not None and first.dim() and self.scope[name].dim() > 1 and self.scope[name].shape[-2] == first.shape[-1]]
        if fitting:
            name = self.chance.choice(fitting)
            return Expression(name, self.scope[name])
        return self.draw("float tensor", depth)

    def call(self, depth):
        if not self.helpers:
            raise Fails
        return self.filled(self.chance.choice(self.helpers), depth)

    def filling(self, letter, first):
        """The text in place of such a letter."""
        rank = first.dim() if first is not None else 2
        axis = lambda: str(self.below(2 * rank) - rank if rank else 0)
        fillings = {
            "k": lambda: str(self.below(4)),
            "p": lambda: self.chance.choice("PQ"),
            "A": axis,
            "D": lambda: f"[{', '.join(axis() for _ in range(1 + self.below(2)))}]",
            "K": lambda: self.chance.choice(["", ", keepdim=True", ", keepdim=False"]),
            "S": self.slice,
            "I": lambda: self.index(first),
            "Z": lambda: self.new_shape(first),
            "P": lambda: self.order(rank),
        }
        return fillings[letter]()

    def order(self, rank):
        order = list(range(rank))
        self.chance.shuffle(order)
        return ", ".join(str(each - rank * self.likely(20)) for each in order) or "0"

    def slice(self):
        end = lambda: self.chance.choice(["", "", "0", "1", "2", "-1", "-2", "5"])
        step = self.chance.choice(["", "", "", ":2", ":3", ":-1", ":"])
        return f"{end()}:{end()}{step}"

    def index(self, first):
        rank = first.dim() if first is not None else 2
        parts = []
        for axis in range(self.below(rank + 1) + (rank > 0)):
            size = first.shape[axis] if first is not None and axis < rank else 1
            one = str(self.below(2 * size) - size) if size else "0"
            parts.append(self.chance.choice([one, one, self.slice(), ":", "None"]) if self.likely(95) else "...")
        return ", ".join(parts) or "None"

    def new_shape(self, first):
        size = first.numel() if first is not None else 4
        shapes = [f"{a}, {size // a}" for a in range(1, size + 1) if size % a == 0] + ["-1", f"{size}", "2, -1", "1, -1, 1"]
        return self.chance.choice(shapes)

    # Statements

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def execute(self, text):
        with time_limit(0.2):
            exec(compile(text, "drawn", "exec"), self.scope)

    def keep(self, name, value):
        self.scope[name] = value
        self.variables.pop(name, None)
        self.variables[name] = None

    def fresh(self):
        return self.chance.choice(NAMES)

    def certain(self, kind):
        """One that has a value."""
        while True:
            try:
                return self.draw(kind)
            except Fails:
                pass

    def any_expression(self):
        kinds = ["float tensor"] * 8 + ["int tensor"] * 2 + ["bool tensor", "int", "int", "float", "float", "bool", "text", "list", "list"]
        return self.draw(self.chance.choice(kinds))

    def statement(self):
        forms = [self.assign] * 12 + [self.update] * 3 + [self.set_item] * 2 + [self.append, self.unpack]
        if self.depth < 3:
            forms += [self.for_loop, self.for_loop, self.branch, self.while_loop]
        try:
            self.chance.choice(forms)()
        except Fails as failure:
            if failure.text and self.likely(1):  # a line that fails ends the program
                self.line(f"{self.fresh()} = {failure.text}")
                self.ended = True

    def assign(self):
        made = self.any_expression()
        name = self.fresh()
        more = self.fresh() + " = " if self.likely(4) else ""
        self.line(f"{name} = {more}{made.text}")
        for each in (name, more[:-3]):
            if each:
                self.keep(each, made.value)

    def unpack(self):
        form = self.chance.choice(["{v}, {w} = {e}, {e}", f"{{v}}, {{w}} = {self.prefix}topk({{x}}, {{k}})", f"{{v}}, {{w}} = {self.prefix}chunk({{t}}, 2)", "{v}, {w} = {w}, {v}",
                                   "{v}, {w} = {l}", "{v}, {w} = {t}", "{v} = {w} = {l}", "{v}, ({w}, {u}) = {e}, {l}"])
        targets, _, value = form.partition(" = ")
        for letter, name in zip("vwu", self.chance.sample(NAMES, 3)):
            targets, value = (each.replace("{" + letter + "}", name) for each in (targets, value))
        made = self.filled("(" + value + ")" if "," in value and "(" not in value else value, 1) if "{" in value else Expression(value, None)
        self.run_line(f"{targets} = {made.text}", re.findall(r"\w+", targets))

    def run_line(self, text, names=()):
        try:
            self.execute(text)
        except Exception:
            raise Fails from None
        self.line(text)
        for name in names:
            if name in self.scope:
                self.keep(name, self.scope[name])

    def update(self):
        target = self.variable(TENSORS + ("int", "float", "list", "text"))
        if not target:
            raise Fails
        kind = kind_of(target.value)
        sign = "+=" if kind in ("list", "text") else self.chance.choice(["+=", "+=", "-=", "*=", "/=", "//=", "%=", "**="])
        if kind == "list" and self.likely(20):
            sign = "*="
        by = {"list": "list", "text": "text", "int": "int", "float": "float"}.get(kind) or self.chance.choice([kind, "float", "int"])
        change = self.draw("int" if kind == "list" and sign == "*=" else by, 1)
        before = self.copied(target.value)
        self.run_line(f"{target.text} {sign} {change.text}")
        if not is_sound(self.scope[target.text]):
            self.lines.pop()
            self.keep(target.text, before)

    @staticmethod
    def copied(value):
        try:
            return list(value) if isinstance(value, list) else value.detach().clone() if isinstance(value, torch.Tensor) else value
        except RuntimeError:  # a size is -1
            raise Fails from None

    def set_item(self):
        target = self.variable(TENSORS + ("list",))
        if not target:
            raise Fails
        if kind_of(target.value) == "list":
            if not isinstance(target.value, list) or not target.value:
                raise Fails
            place = str(self.below(2 * len(target.value)) - len(target.value))
            value = self.any_expression()
            if value.value is target.value:
                raise Fails
            return self.run_line(f"{target.text}[{place}] = {value.text}")
        value = self.filled(self.chance.choice(["{o}", "{q}", "{y}"]), 2) if self.likely(70) else self.draw(kind_of(target.value), 1)
        sign = self.chance.choice(["=", "=", "+=", "*=", "-="])
        index = self.index(target.value)
        if self.likely(10) and target.value.dim():
            index = f"{self.prefix}tensor([0])"
        return self.run_line(f"{target.text}[{index}] {sign} {value.text}")

    def append(self):
        target = self.variable(["list"])
        if not target or not isinstance(target.value, list) or len(target.value) > 6:
            raise Fails
        value = self.any_expression()
        if value.value is target.value or isinstance(value.value, list):
            raise Fails
        return self.run_line(f"{target.text}.append({value.text})")

    def body(self, count=None):
        """An indented block; False if nothing could be drawn."""
        self.depth += 1
        before = len(self.lines)
        for _ in range(count or 1 + self.below(3)):
            if not self.ended:
                self.statement()
        if self.likely(8) and self.depth < 4:
            word = self.chance.choice(["break", "continue"])
            if any(line.lstrip().startswith(("for", "while")) for line in self.lines):
                if self.in_loop:
                    self.line(f"if {self.certain('bool').text}: {word}")
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    in_loop = 0

    def loop(self, head, first, start_of_body=None):
        """A loop whose body is drawn with the values of its first round, and then run as a whole."""
        start, before = len(self.lines), dict(self.variables)
        self.line(head)
        for name, value in first.items():
            self.keep(name, value)
        if start_of_body:
            self.line("    " + start_of_body)
        self.in_loop += 1
        self.body()
        self.in_loop -= 1
        if self.ended:
            return
        text = "\n".join(line[4 * self.depth:] for line in self.lines[start:])
        try:
            self.execute(text)
            sound = all(is_sound(self.scope[name]) for name in self.variables)
        except Exception:
            sound = False
        if not sound:
            del self.lines[start:]
            for name in [each for each in self.variables if each not in before]:
                del self.variables[name]

    def for_loop(self):
        form = self.chance.choice(["{v} in range({k}, 4)", "{v} in {l}", "{v} in {t}", "{v}, {w} in enumerate({l})", "{v}, {w} in zip({l}, {l})",
                                   "{v}, {w} in zip({t}, {l})", "{v}, {w} in enumerate({t})", "{v} in range({i}, {i}, -1)"])
        names = ["i", "j"]
        form = form.replace("{v}", "i").replace("{w}", "j")
        targets, _, iterable = form.partition(" in ")
        made = self.filled(iterable, 1)
        try:
            round_ = list(made.value)[:5]
        except Exception:
            raise Fails from None
        if not round_:
            raise Fails
        values = round_[0] if "," in targets else [round_[0]]
        self.loop(f"for {targets} in {made.text}:", dict(zip(names, values)))

    def while_loop(self):
        if self.in_loop:
            raise Fails
        self.run_line("n = 0", ["n"])
        self.variables.pop("n")
        self.scope["n"] = 0
        self.loop(f"while n < {1 + self.below(3)}:", {}, "n += 1")

    def branch(self):
        condition = self.draw("bool", 1)
        self.line(f"if {condition.text}:")
        kept = dict(self.scope), dict(self.variables)

        def block(is_taken):
            self.body(1 + self.below(2))
            if not is_taken:
                self.scope, self.variables = dict(kept[0]), dict(kept[1])

        taken = bool(condition.value)
        self.scope, self.variables = dict(kept[0]), dict(kept[1])
        block(taken)
        if self.likely(50) and not self.ended:
            after = self.scope, self.variables
            self.line("else:")
            self.scope, self.variables = dict(kept[0]), dict(kept[1])
            block(not taken)
            if taken:
                self.scope, self.variables = after

    # Functions

    def function(self, name):
        """def g(x, s=0.5): a few statements, with its own variables."""
        outer = self.scope, self.variables
        self.scope, self.variables = dict(self.scope), {}
        kinds = [self.chance.choice(["float tensor", "float", "int", "list", "int tensor"]) for _ in range(1 + self.below(3))]
        parameters, call = [], []
        for letter, kind in zip("xpq", kinds):
            value = self.literal(kind)
            has_default = parameters and (self.likely(50) or "=" in parameters[-1])
            parameters.append(f"{letter}={value.text}" if has_default else letter)
            place = {"float tensor": "{x}", "float": "{f}", "int": "{i}", "list": "{l}", "int tensor": "{n}"}[kind]
            if not has_default or self.likely(50):
                call.append(f"{letter}={place}" if has_default or self.likely(20) and letter == "x" and len(kinds) == 1 else place)
            self.keep(letter, value.value)
        self.lines.append(f"def {name}({', '.join(parameters)}):")
        start = len(self.lines) - 1
        for _ in range(1 + self.below(3)):
            self.statement()
        if self.likely(20):
            self.line(f"if {self.certain('bool').text}: return {self.certain('float tensor').text}")
        self.line(f"return {self.certain(self.chance.choice(['float tensor', 'float tensor', 'int', 'float', 'list'])).text}")
        self.scope, self.variables = outer
        try:
            self.execute("\n".join(self.lines[start:]))
            self.helpers.append(f"{name}({', '.join(call)})")
        except Exception:
            del self.lines[start:]

    def main(self):
        inputs = []
        for i in range(1 + self.below(3)):
            name = "xwu"[i]
            kind = self.chance.choice(["float tensor"] * 5 + ["int tensor", "int", "float"]) if i else "float tensor"
            made = self.literal(kind) if i else Expression(self.tensor_text(kind, 2), None)
            value = self.value(made.text)
            if isinstance(value, torch.Tensor) and value.dtype == torch.float32:
                value.requires_grad_()
            inputs.append(f"{name}={made.text}")
            self.keep(name, value)
        self.lines.append(f"def f({', '.join(inputs)}):")
        for _ in range(2 + self.below(7)):
            if not self.ended:
                self.statement()
        self.line(f"return {self.returned()}")

    def returned(self):
        """A first tensor that depends on several, and all that can be compared."""
        floats = self.named(["float tensor"])[-4:]
        total = " + ".join(f"({each} * {self.chance.choice([1, 0.5, 2])}).sum()" for each in floats) or f"{self.prefix}tensor(0.0)"
        others = [name for name in self.variables if kind_of(self.scope[name]) != "other" and name not in "xwuij"]
        if self.likely(25):
            return (others or ["x"])[-1]
        return ", ".join([total] + others)


def mutated(text, chance):
    """The text with one operator, number or name exchanged for another of its kind."""
    classes = [r"(?<= )(?:[-+*/%@<>]|\*\*|//|==|!=|<=|>=)(?= )", r"(?<![\w.'])\d+(?:\.\d+)?(?![\w'])", r"(?<![\w.'])[a-zα](?!\w|')", r"\.\w+(?=\()"]
    pattern = chance.choice(classes)
    begins = text.rindex("def f")
    found = [each for each in re.finditer(pattern, text) if each.start() > text.find("\n", begins)]
    if not found:
        return text
    at, other = chance.choice(found), chance.choice(found).group()
    if pattern.startswith(r"(?<![\w.'])\d"):
        other = chance.choice(["0", "1", "2", "3", "0.5", "2.0", "5", "100"])
    changed = text[: at.start()] + other + text[at.end():]
    # Python 3.11.0 to 3.11.3 give `a, a = 1, 2` the first value.
    return text if re.search(r"^ *(\w+), \1 = ", changed, re.MULTILINE) else changed


VARIANTS = 3  # of each program that is drawn: itself, and with a word exchanged


def program(seed, index, names):
    text = drawn(seed, index // VARIANTS, names)
    return mutated(text, random.Random(f"{seed} {index}")) if index % VARIANTS else text


last_drawn = {}


def drawn(seed, index, names):
    if (seed, index) not in last_drawn:
        last_drawn.clear()
        draw = modern_anew() if index % 2 else anew
        last_drawn[seed, index] = draw(random.Random(f"{seed} {index} anew"), names)
    return last_drawn[seed, index]


def modern_anew():
    """It draws as this file does, and more."""
    from modern import anew

    return anew


def anew(chance, names):
    drawer = Drawer(chance, names)
    for i in range(chance.choice([0, 0, 1, 2])):
        drawer.function("gk"[i])
        drawer.ended = False
    drawer.main()
    return "\n".join(drawer.lines) + "\n"
