"""What an exported script can reach: from all members that the rule allows (engine/program/script_rules.h), and from
values of all kinds, over attributes that the rule allows, there is no module, no frame and no function that does more
than compute.

    /usr/bin/python3 reachable.py BINARY
"""

import builtins
import collections
import dataclasses
import enum
import functools
import importlib
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import warnings

import numpy
import torch

RULES = pathlib.Path(__file__).parents[2] / "engine/program/script_rules.cpp"
MOST_OF_TYPE = 300  # values that are neither functions nor types: each tensor has others as attributes
# Functions of these modules do more than compute.
MODULES = re.compile(r"(os|posix|shutil|subprocess|pickle|_pickle|importlib|ctypes|_ctypes|inspect|sys|io|_io|tempfile|socket|marshal"
                     r"|code|runpy|webbrowser|torch\.(serialization|hub|jit|package|utils\.cpp_extension|multiprocessing).*)$")
FUNCTIONS = {getattr(builtins, name) for name in ("open", "eval", "exec", "compile", "__import__", "input", "globals", "locals",
                                                  "vars", "getattr", "setattr", "delattr", "breakpoint")}
# What is made to be loaded by others, and takes nothing but their data.
HARMLESS = {"io.UnsupportedOperation"}


class Settings:
    """What a script says of itself, by a program that looks members of all packages up."""

    def __init__(self, binary):
        packages = re.findall(r'^    \{"([a-z_.]+)",', RULES.read_text(), re.M)
        lines = "".join(f"import {each} as p{i}\n" for i, each in enumerate(packages))
        looked_up = "".join(f"        getattr(p{i}, 'x')\n" for i in range(len(packages)))
        text = f"{lines}def f(x=1):\n    if x > 1:\n{looked_up}    return x\n"
        with tempfile.TemporaryDirectory() as folder:
            program, script = pathlib.Path(folder) / "program.py", pathlib.Path(folder) / "script.py"
            program.write_text(text)
            subprocess.run([binary, str(program), "--pytorch", str(script)], check=True, stdout=subprocess.DEVNULL)
            names = {}
            exec(script.read_text().split("# ---- program ----")[0], names)
        self.members, self.hidden = names["_members"], names["_hidden"]


class Point:
    def __init__(self):
        self.x = 1

    def method(self):
        return self.x


class Colour(enum.IntEnum):
    RED = 1


def values():
    """One of each kind that a program can have."""
    field = dataclasses.field(default=1)
    data = dataclasses.make_dataclass("Data", [("x", int)])
    try:
        raise ValueError("x")
    except ValueError as error:
        raised = error
    tensor = torch.randn(2, 3, requires_grad=True)
    modules = [torch.nn.Linear(2, 2), torch.nn.GRU(2, 2), torch.nn.Embedding(2, 2), torch.nn.TransformerEncoderLayer(4, 2),
               torch.nn.ModuleDict(), torch.nn.ModuleList(), torch.nn.ParameterDict(), torch.nn.ParameterList(),
               torch.nn.Sequential(), torch.nn.LazyLinear(2), torch.nn.Transformer(4, 2, 1, 1, 4), torch.nn.LayerNorm(2)]
    return [1, 1.5, 1j, True, None, "x", b"x", (1,), [1], {1: 2}, {1}, range(2), slice(1), ..., NotImplemented, (i for i in [1]),
            Point(), Point, Point().method, lambda: 1, len, [].append, print, field, data, data(1), raised, tensor, tensor.sum(),
            tensor.sum().grad_fn, tensor.detach().numpy(), tensor.dtype, tensor.device, tensor.shape, torch.no_grad(),
            torch.Generator(), Colour, Colour.RED, functools.partial(len), functools.lru_cache(len), property(len), zip(), map(len, []),
            enumerate([]), iter([]), super(Point, Point()), classmethod(len), numpy.float32(1), numpy.dtype("float32"),
            torch.nn.utils.rnn.pack_sequence([torch.ones(2)]), tensor.max(0), *modules]


def roots(settings):
    for package, names in settings.members.items():
        try:
            module = importlib.import_module(package)
        except ImportError:
            print(f"{package} is not installed here, and not looked into")
            continue
        for name in names:
            if hasattr(module, name):
                yield f"{package}.{name}", getattr(module, name)
    for i, value in enumerate(values()):
        yield f"value {i} ({type(value).__name__})", value
    for name in ("object", "type", "Exception", "str", "int", "list", "dict", "set", "tuple", "super", "property", "map", "zip"):
        yield name, getattr(builtins, name)


def is_wrong(value):
    """Why no script may reach this value; '' if it may."""
    if isinstance(value, types.ModuleType):
        return "a module"
    if isinstance(value, (types.FrameType, types.CodeType, types.TracebackType)):
        return "internals of Python"
    if isinstance(value, types.BuiltinFunctionType) and value in FUNCTIONS:
        return "a function of Python"
    module = getattr(value, "__module__", None)
    if callable(value) and isinstance(module, str) and MODULES.match(module):
        name = f"{module}.{getattr(value, '__qualname__', '')}"
        return "" if name in HARMLESS else f"a function of {module}"
    return ""


def neighbours(value, settings):
    for name in sorted({*object.__dir__(value), *dir(type(value)), *(dir(value) if isinstance(value, type) else ())}):
        if name.startswith("__") or name in settings.hidden:
            continue
        try:
            yield f".{name}", getattr(value, name)
        except Exception:  # of a property without a value
            continue
    if isinstance(value, (dict, types.MappingProxyType)):
        yield from ((f"[{key!r:.40}]", each) for key, each in list(value.items()))
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from ((f"[{i}]", each) for i, each in enumerate(list(value)))


def main(binary):
    settings = Settings(binary)
    kept, found = {}, []  # kept, so that no other gets its id
    of_type = collections.Counter()
    left = collections.deque(roots(settings))
    while left:
        path, value = left.popleft()
        if id(value) in kept or of_type[type(value)] > MOST_OF_TYPE:
            continue
        kept[id(value)] = value
        of_type[type(value)] += not isinstance(value, (type, types.FunctionType))
        why = is_wrong(value)
        if why:
            found.append(f"{path}: {why}")
            continue
        left += [(path + step, each) for step, each in neighbours(value, settings)]
    print("\n".join(found))
    members = sum(map(len, settings.members.values()))
    print(f"{members} members, {len(kept)} values that a script can reach, of which {len(found)} lead elsewhere")
    return bool(found) or len(kept) < 5_000


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main(*sys.argv[1:]))
