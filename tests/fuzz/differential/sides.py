"""What the engine and PyTorch make of one program."""

import contextlib
import functools
import io
import json
import math
import re
import subprocess

import torch

from limits import time_limit

MOST_SECONDS = 1


class Engine:
    """The engine in a process of its own, which takes one program after another."""

    def __init__(self, path):
        self.path = path
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, text):
        """Its result, loss and gradients, or why it refuses the program; and the script for PyTorch."""
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.start()
        return {"crash": "the engine crashes"}


@functools.lru_cache(16)
def compiled(text):
    return compile(text, "script", "exec")


def prelude(script):
    """The script up to the values of the parameters, which is the same in all scripts."""
    return script[: script.index("\n_parameters = {") + 1]


def names_in(script):
    """The language's names under PyTorch."""
    names = {}
    exec(compiled(prelude(script)), names)
    return names


def typed(value):
    """As the engine's side writes it."""
    if isinstance(value, torch.Tensor):
        kind = {torch.float32: "float", torch.bool: "bool"}.get(value.dtype, "int" if not value.is_floating_point() else str(value.dtype))
        return ["tensor", kind, list(value.shape), value.detach().flatten().tolist()]
    if isinstance(value, (list, tuple, range)):
        return [{list: "list", range: "range"}.get(type(value), "tuple"), [typed(each) for each in value]]
    if isinstance(value, dict):
        return ["dict", [typed(each) for entry in value.items() for each in entry]]
    if value is None:
        return ["None"]
    return [type(value).__name__, value] if isinstance(value, (bool, int, float, str)) else ["other"]


def in_pytorch(script, noise=None):
    """Result, loss and gradients under PyTorch, or the error."""
    start = prelude(script)
    names = {}
    try:
        with time_limit(MOST_SECONDS), contextlib.redirect_stdout(io.StringIO()), noise or contextlib.nullcontext():
            exec(compiled(start), names)
            exec(compile(script[len(start):], "script", "exec"), names)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    leaves = names["_leaf_tensors"]
    gradients = {name: typed(x.grad) if x.grad is not None else None
                 for name, x in leaves.items() if isinstance(x, torch.Tensor) and x.requires_grad}
    return {"result": typed(names["_result"]), "loss": float(names["_loss"]), "gradients": gradients}


# What gives the same bits on both sides, and what only moves values.
EXACT = {"add", "sub", "mul", "neg", "abs", "floor", "relu", "maximum", "minimum", "clamp", "where", "masked_fill", "amax", "amin",
         "max", "min", "argmax", "reshape", "view", "flatten", "transpose", "permute", "unsqueeze", "squeeze", "expand", "flip",
         "cat", "stack", "chunk", "tril", "triu", "topk", "detach", "contiguous", "eye", "arange", "zeros_like", "ones_like",
         "tensor", "square", "one_hot", "embedding", "requires_grad_", "long", "int", "bool", "float", "clone", "iter", "fill_",
         "__getitem__", "__get__", "full", "zeros", "ones", "unbind", "item", "tolist", "size", "dim", "numel", "__set__",
         "__setitem__", "__len__", "backward", "__iter__", "iadd", "isub", "imul"}


# What computes zeros, and gives no view.
MAKES_ZEROS = {"add", "sub", "mul", "rsub", "neg", "abs", "floor", "relu", "maximum", "minimum", "clamp", "where", "masked_fill",
               "amax", "amin", "max", "min", "tril", "triu", "sum", "cumsum", "remainder", "floor_divide", "div", "truediv"}


class TurnedZeros(torch.autograd.Function):
    """0.0 as -0.0 and the other way where `signs` are -1."""

    @staticmethod
    def forward(_, x, signs):
        return torch.where(x == 0, x * signs, x)

    @staticmethod
    def backward(_, gradient):
        return gradient, None


class Chance(torch.overrides.TorchFunctionMode):
    def __init__(self, seed):
        super().__init__()
        self.random = torch.Generator().manual_seed(seed)


class ZeroNoise(Chance):
    """Gives each 0 that is computed a sign by chance."""

    runs = 40

    def __torch_function__(self, function, types, args=(), kwargs=None):
        value = function(*args, **(kwargs or {}))
        makes_zeros = getattr(function, "__name__", "").strip("_") in MAKES_ZEROS
        if not makes_zeros or not isinstance(value, torch.Tensor) or value.dtype != torch.float32:
            return value
        return TurnedZeros.apply(value, torch.randint(0, 2, value.shape, generator=self.random) * 2 - 1)


class TieNoise(Chance):
    """Lets topk find equal values in any order."""

    runs = 12

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if getattr(function, "__name__", "") != "topk" or not args[0].dim():
            return function(*args, **(kwargs or {}))
        order = torch.randperm(args[0].shape[-1], generator=self.random)
        values, places = function(args[0][..., order], *args[1:], **(kwargs or {}))
        return values, order[places]


class Noise(Chance):
    """Moves each value of an inexact operation by about the rounding of single precision."""

    runs = 5

    def moved(self, x):
        return x * (1 + 1e-6 * (torch.rand(x.shape, generator=self.random) * 2 - 1))

    def layer_norm(self, x, shape, weight=None, bias=None, eps=1e-5):
        """In steps: the two terms of a gradient, which may cancel each other, are rounded each."""
        axes = tuple(range(-len(shape), 0))
        centred = self.moved(x) - self.moved(x.mean(axes, keepdim=True))
        y = centred / torch.sqrt((centred * centred).mean(axes, keepdim=True) + eps)
        return (y if weight is None else y * weight) + (0 if bias is None else bias)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "").strip("_")
        value = (self.layer_norm if name == "layer_norm" else function)(*args, **(kwargs or {}))
        exact = {name, f"{name}_", f"__{name}__"} & EXACT
        if exact or not isinstance(value, torch.Tensor) or value.dtype != torch.float32:
            return value
        signs = 1e-6 * (torch.rand(value.shape, generator=self.random) * 2 - 1)
        moved = value * (1 + signs)
        return moved + signs * sum_of_sizes(function, args, kwargs or {}) if name in SUMS else moved


# What `x += y` and its like call, with "_" after the name.
ARITHMETIC = {"add", "sub", "mul", "div", "pow", "floor_divide", "remainder"}

# What PyTorch changes in place or makes a view of stays the tensor that it is.
WHOLE = EXACT - {"mul"}


class Passed(torch.autograd.Function):
    """An argument of an operation, or its result, which notes whether it gets a gradient other than 0. If not, the arguments get
    none."""

    @staticmethod
    def forward(context, x, gets, mode, is_result):
        context.gets, context.mode, context.is_result = gets, mode, is_result
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        context.mode.note(gradient)
        if context.is_result:
            context.gets["some"] = bool(gradient.any())
        passes = context.is_result or context.gets["some"]
        return gradient if passes else torch.zeros_like(gradient), None, None, None


class PlainExponents(torch.overrides.TorchFunctionMode):
    """Exponents are numbers of single precision, also a bool and what is next to 0."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if getattr(function, "__name__", "").strip("_") == "pow" and len(args) == 2 and isinstance(args[1], (bool, float)):
            args = args[0], torch.tensor(float(args[1])).item()
        return function(*args, **(kwargs or {}))


class ExpandedCopies(torch.overrides.TorchFunctionMode):
    """An expanded tensor has memory for each of its values."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        value = function(*args, **(kwargs or {}))
        return value.clone() if getattr(function, "__name__", "") == "expand" else value


class NoZerosBack(torch.overrides.TorchFunctionMode):
    """No operation passes on a gradient of only zeros: 0 times infinity is not met there."""

    def __init__(self):
        super().__init__()
        self.all_finite = True

    def note(self, gradient):
        self.all_finite &= bool(gradient.isfinite().all())

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        bare = name.strip("_")
        if name == f"{bare}_" and bare in ARITHMETIC and args[0].is_floating_point():
            return args[0].copy_(self.__torch_function__(getattr(torch.Tensor, bare), types, args, kwargs))
        if name == f"{bare}_" or {bare, f"__{bare}__"} & WHOLE:
            return function(*args, **(kwargs or {}))
        gets = {"some": False}
        takes = lambda x: isinstance(x, torch.Tensor) and x.requires_grad
        value = function(*(Passed.apply(x, gets, self, False) if takes(x) else x for x in args), **(kwargs or {}))
        return Passed.apply(value, gets, self, True) if takes(value) else value


# Their terms may cancel each other: a sum that is 0 in one order is not in another.
SUMS = {"sum", "mean", "matmul", "rmatmul", "linear", "cumsum"}


def sum_of_sizes(function, args, kwargs):
    """The same of the numbers without their signs."""
    with torch.no_grad():
        size = lambda x: x.abs() if isinstance(x, torch.Tensor) and x.is_floating_point() else x
        sizes = function(*map(size, args), **kwargs)
        return torch.where(torch.isfinite(sizes), sizes, 0.0)


def numbers_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [each for one in value for each in numbers_in(one)]
    return [float(value)] if isinstance(value, (bool, int, float)) else [] if value is None else [value]


def close(ours, theirs, tolerance):
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return ours == theirs or abs(ours - theirs) <= tolerance


def number(value):
    return float(value) if isinstance(value, str) else value


def differs(ours, theirs, exact_floats):
    """Where two typed values differ; '' if nowhere."""
    if ours[0] != theirs[0]:
        return f"a {ours[0]} here and a {theirs[0]} there"
    if ours[0] == "tensor":
        if ours[1] != theirs[1]:
            return f"a tensor of type {ours[1]} here and {theirs[1]} there"
        if ours[2] != theirs[2]:
            return f"a tensor of {ours[2]} here and {theirs[2]} there"
        here, there = [number(each) for each in ours[3]], theirs[3]
        finite = [abs(each) for each in there if math.isfinite(each)]
        tolerance = 1e-5 * max([1, *finite]) if ours[1] == "float" else 0
        off = next((i for i, pair in enumerate(zip(here, there)) if not close(*pair, tolerance)), None)
        return "" if off is None else f"{here[off]} here and {there[off]} there in a {ours[1]} tensor"
    if ours[0] == "float":
        here, there = number(ours[1]), theirs[1]
        tolerance = (1e-12 if exact_floats else 1e-5) * max(1 if not exact_floats else 0, abs(there) if math.isfinite(there) else 0)
        return "" if close(here, there, tolerance) else f"{here} here and {there} there"
    if ours[0] in ("list", "tuple", "range", "dict"):
        if len(ours[1]) != len(theirs[1]):
            return f"{len(ours[1])} items here and {len(theirs[1])} there"
        return next((found for pair in zip(ours[1], theirs[1]) if (found := differs(*pair, exact_floats))), "")
    if ours[0] == "str" and rounded(ours[1]) == rounded(theirs[1]):
        return ""
    return "" if ours[1:] == theirs[1:] else f"{ours[1]!r} here and {theirs[1]!r} there"


def rounded(text):
    """The text with its floats as exact as floats are compared: 2 ** -4.5 is not rounded alike."""
    return re.sub(r"\d+\.\d+(e[-+]\d+)?", lambda number: f"{float(number.group()):.12g}", text)


def difference(text, ours, theirs):
    """How the two sides differ; '' if they do not."""
    if "crash" in ours:
        return "crash"
    if "refused" in ours or "error" in theirs:
        if "refused" in ours and "error" in theirs:
            return ""
        return f"refused here: {ours['refused']}" if "refused" in ours else f"refused there: {theirs['error']}"
    # A float of Python is as exact as there, unless it comes from a tensor.
    exact_floats = not any(word in text for word in (".item(", "float(", "max(", "min(", "sum("))
    if found := differs(ours["result"], theirs["result"], exact_floats):
        return "value: " + found
    if found := differs(["tensor", "float", [], [ours["loss"]]], ["tensor", "float", [], [theirs["loss"]]], False):
        return "loss: " + found
    for name, there in theirs["gradients"].items():
        here = ours["gradients"].get(name)
        zeros = lambda other: ["tensor", "float", other[2], [0.0] * len(other[3])]
        if here is None and there is None:
            continue
        if found := differs(here or zeros(there), there or zeros(here), False):
            return f"gradient of {name}: {found}"
    return ""


def explains(noise, ours, script):
    """Whether PyTorch itself, with this noise in its operations, comes as far apart."""
    spread = [in_pytorch(script, noise(seed)) for seed in range(noise.runs)]
    plain = in_pytorch(script)
    if any("error" in each for each in spread):
        return False
    here = numbers_in(strings_as_numbers([ours["result"], ours["loss"], gradients_like(plain, ours)]))
    all_there = [numbers_in([each["result"], each["loss"], gradients_like(plain, each)]) for each in [plain, *spread]]
    if any(len(each) != len(all_there[0]) for each in all_there):
        return True  # a shape or branch depends on rounding
    if len(here) != len(all_there[0]):
        return False
    for values in zip(here, *all_there):
        if isinstance(values[0], str):
            if values[0] != values[1] and len(set(values[1:])) == 1:
                return False
            continue
        first, *others = values
        finite = [each for each in others if math.isfinite(each)]
        if len(finite) < len(others):
            if any(each == first or (math.isnan(each) and math.isnan(first)) for each in others):
                continue
            return False
        if not math.isfinite(first):
            return False
        wide = max(finite) - min(finite)
        middle = others[0]
        if abs(first - middle) > 1e-5 * max(1, abs(middle)) + 6 * wide:
            return False
    return True


def gradients_like(plain, made):
    """In one order; zeros where there is none, as it is where a value is not reached."""
    all = []
    for name, there in plain["gradients"].items():
        here = made["gradients"].get(name)
        known = here or there
        all.append(here or (["tensor", "float", known[2], [0.0] * len(known[3])] if known else []))
    return all


def strings_as_numbers(value):
    if isinstance(value, dict):
        return {name: strings_as_numbers(each) for name, each in value.items()}
    if isinstance(value, list):
        if value and value[0] in ("tensor", "float"):
            return [value[0], *value[1:-1], [number(each) for each in value[-1]] if value[0] == "tensor" else number(value[-1])]
        return [strings_as_numbers(each) for each in value]
    return float(value) if value in ("inf", "-inf", "nan") else value
