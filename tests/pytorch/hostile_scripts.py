"""Draws hostile programs, exports them as scripts, and looks into what CPython's own compiler makes of each script: no
name may mean a function of Python that does more than compute, no attribute may lead to Python itself, no package may be
a value, and nothing else is imported than what the rule names (engine/program/script_rules.h).

    /usr/bin/python3 hostile_scripts.py BINARY [--seed N] [--count N]
"""

import __future__
import argparse
import dis
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import types
import warnings

from reachable import Settings

ATTACKS = """open('x')|eval('1')|exec('1')|compile('1', '', 'eval')|__import__('os')|__builtins__|globals()|locals()|vars()|memoryview(x)
().__class__.__base__.__subclasses__()|f.__globals__|f.__code__|x.__reduce_ex__(2)|len.__self__.open|super().__init__.__globals__
torch|nn|math|torch.load('x')|torch.hub.load('x')|torch.ops.load_library('x')|torch.jit.script(f)|nn.functional.torch.load
nn.modules.module.torch|torch.nn|torch._C|math.__loader__|torch.save(x, 'x')|getattr(torch, 'load')|getattr(nn, x)|getattr(f, '__globals__')
setattr(x, '__class__', x)|(i for i in [1]).gi_frame|x.numpy().tofile('x')|'{0.__class__}'.format(x)|'{0}'.format_map(x)|str.format
type('A', (), {})|_builtins|_torch|_torch.load|_sys|_checked|_members|_hidden|_attributes_of(x)|x.__dict__|x.__class__.__name__|x.__class__
f.__getattribute__('x')|torch.set_default_tensor_type('os.system')|torch.storage|x.storage()|hasattr(torch, 'load')|lambda: open|lambda open: open
[open for open in [1]]|[open for i in [1]]|(open := 1)|__name__|__file__|print.__self__|breakpoint()|help|torch.utils.cpp_extension.load
type(x)|type|getattr|torch.relu(x)|nn.Linear|nn.Linear.__init__|nn.Linear.forward.__globals__|random.os|typing.sys|dataclasses.sys|x.mro()|b'x'
torch.multiprocessing|torch.serialization.pickle|torch.package|functools.wraps(f)|enum.sys|copy.copyreg|collections.abc.sys|F.torch"""
PACKAGES = """torch|torch.nn|torch.nn.functional|math|os|sys|subprocess|torch.hub|random|typing|dataclasses|io|builtins|torch.utils.cpp_extension
collections.abc|functools|importlib|..x|torch.jit|numpy|pickle|ctypes|enum|copy|__future__"""
MEMBERS = "nn|load|hub|functional|open|system|relu|Linear|sys|os|wraps|jit|Tensor|sqrt|Enum|field|_C|ops|modules|annotations"
NAMES = "open|eval|torch|nn|x|y|F|getattr|type|_builtins|_torch|f|g|A|math|print|setattr|__builtins__|__name__|_checked"
STATEMENTS = """$n = $e|$n = $n = $e|$n, *$n = $e|$n += $e|$n.x = $e|$n.__class__ = $e|$n[0] = $e|$n: $e = $e|$n: $e|$e|$e|$e|return $e|del $n|assert $e
raise $e from $e|global $n|nonlocal $n|import $p|import $p as $n|from $p import $m|from $p import $m as $n|from $p import *|f'{$e}'|f'{x:{$e}}'
f'{x!r:>{$e}}'|"{" f"{$e}" '}'|f'''{
$e}'''|x = $e; $n = $e|print($e)|$n = lambda y=$e: $e|$n = [$e for $n in $e if $e]|$n = {$e: $e for i in x}|with $e as $n: $s
if $e: $s|if 0: $s|while $e: $s|for $n in $e: $s|try: $s|class $n: $s|class $n($e): $s|def $n(a=$e): $s|def $n($n): $s|async def $n(): await $e|@$e
match $n:
    case [$n, $n]:
        $e|return (yield $e)"""
# A program of some parts.
BEGINNINGS = ["", "import torch\nfrom torch import nn\n", "import torch, math\nimport torch.nn.functional as F\n"]

SAFE_DUNDERS = re.compile(r"__(init|call|len|getitem|setitem|delitem|contains|iter|next|enter|exit|repr|str|name|qualname|doc|\w*(add|mul|eq))__$")
DANGEROUS = {"open", "eval", "exec", "compile", "globals", "locals", "vars", "memoryview", "breakpoint", "help", "input", "exit", "quit", "dir"}
LOADS = {"LOAD_NAME", "LOAD_GLOBAL", "LOAD_CLASSDEREF"}
ATTRIBUTES = {"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR", "DELETE_ATTR"}
ANY_LOADS = LOADS | {"LOAD_FAST", "LOAD_DEREF"}


class Drawer:
    def __init__(self, chance):
        self.chance = chance
        self.lists = {"e": ATTACKS, "p": PACKAGES, "m": MEMBERS, "n": NAMES}
        self.lists = {letter: re.split(r"\||\n(?! )", text) for letter, text in self.lists.items()}
        self.statements = re.split(r"\|(?!=)|\n(?![ $])", STATEMENTS)

    def filled(self, form):
        return re.sub(r"\$([epmn])", lambda found: self.chance.choice(self.lists[found.group(1)]), form)

    def statement(self, depth):
        form = self.chance.choice(self.statements)
        indent = "    " * depth
        if form.endswith("$s"):
            head = self.filled(form[:-3])
            body = "".join(self.statement(depth + 1) for _ in range(1 + self.chance.randrange(3))) if depth < 4 else f"{indent}    pass\n"
            after = f"{indent}except Exception as {self.chance.choice(['e', 'open', 'torch'])}: pass\n" if head == "try:" else ""
            return f"{indent}{head}\n{body}{after}"
        if form == "@$e":
            return f"{indent}{self.filled(form)}\n{indent}def g(x): return {self.filled('$e')}\n"
        lines = self.filled(form).split("\n")
        return "".join(f"{indent}{line}\n" for line in lines) if "'''" not in form else indent + "\n".join(lines) + "\n"

    def program(self):
        text = self.chance.choice(BEGINNINGS)
        for _ in range(self.chance.randrange(4)):
            text += self.statement(0)
        text += "def f(x=1):\n    if x > 5:\n"
        for _ in range(1 + self.chance.randrange(4)):
            text += self.statement(2)
        return text + "    return x\n"


def codes_of(code):
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes_of(each)


class Judge:
    """Says what is wrong with a script."""

    def __init__(self, settings):
        self.settings = settings

    def findings(self, script):
        prelude, _, rest = script.partition("# ---- program ----\n")
        text = rest.split("\n# ---- end of program ----\n")[0]
        own = set(re.findall(r"(?<![\w.])_[a-z]\w*", prelude + rest.split("# ---- end of program ----")[1])) - {"_attributes_of"}
        code = compile(text, "program", "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
        packages = {each for one in codes_of(code) for each in self.packages_bound(one)}
        for each in codes_of(code):
            yield from self.in_code(each, own, packages)

    def packages_bound(self, code):
        """Variables that an import binds to a package."""
        instructions = list(dis.get_instructions(code))
        package = None
        for at, each in enumerate(instructions):
            if each.opname == "IMPORT_NAME":
                package, member = each.argval, None
            elif each.opname == "IMPORT_FROM":
                member = each.argval
            elif each.opname.startswith("STORE_") and package and instructions[at - 1].opname in ("IMPORT_NAME", "IMPORT_FROM", "POP_TOP", "SWAP"):
                if member is None or f"{package}.{member}" in self.settings.members:
                    yield each.argval

    def in_code(self, code, own, packages):
        instructions = [each for each in dis.get_instructions(code) if each.opname not in ("CACHE", "PRECALL", "EXTENDED_ARG", "PUSH_NULL")]
        parameters = code.co_varnames[:code.co_argcount]
        for at, each in enumerate(instructions):
            after = instructions[at + 1] if at + 1 < len(instructions) else None
            name = each.argval
            if each.opname in LOADS and (name in DANGEROUS or name in own or (name.startswith("__") and not SAFE_DUNDERS.match(name))):
                is_of_class = name == "__name__" and at < 4
                is_of_type = name == "__annotations__" and instructions[at + 2].opname == "STORE_SUBSCR"
                if not is_of_class and not is_of_type:
                    yield f"the name {name}"
            if each.opname in ATTRIBUTES and self.is_wrong_attribute(name, each, instructions, at):
                yield f"the attribute {name}"
            if each.opname == "IMPORT_NAME" and name not in self.settings.members:
                yield f"the package {name}"
            if each.opname == "IMPORT_STAR":
                yield "a star"
            if each.opname in ANY_LOADS and name in packages and not (each.opname == "LOAD_FAST" and name in parameters):
                looked_up = any(one.argval in ("getattr", "hasattr") for one in instructions[max(0, at - 2):at])
                if not after or after.opname not in ("LOAD_ATTR", "LOAD_METHOD") and not looked_up:
                    yield f"the package {name} as a value"

    def is_wrong_attribute(self, name, each, instructions, at):
        if name in ("__name__", "__qualname__") or (name == "__class__" and instructions[at + 1].argval in ("__name__", "__qualname__")):
            return each.opname not in ("LOAD_ATTR", "LOAD_METHOD")
        if name == "format":
            before = instructions[at - 1].argval
            return not isinstance(before, str) or bool(re.search(r"\{[^}:!]*[.\[]", before))
        return name in self.settings.hidden or name.startswith("__") and not SAFE_DUNDERS.match(name) and not (
            name.startswith("__init") and each.opname.startswith("LOAD"))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binary")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=1000)
    given = options.parse_args()
    judge = Judge(Settings(given.binary))
    exported = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        program, script = pathlib.Path(folder) / "program.py", pathlib.Path(folder) / "script.py"
        for index in range(given.count):
            text = Drawer(random.Random(f"{given.seed} {index}")).program()
            program.write_text(text)
            script.unlink(missing_ok=True)
            made = subprocess.run([given.binary, str(program), "--pytorch", str(script), "--json", "/dev/null"], capture_output=True, timeout=60)
            if made.returncode not in (0, 1):
                print(f"{index}: the lab crashes:\n{text}")
                wrong += 1
            if not script.exists():
                continue
            exported += 1
            try:
                found = list(judge.findings(script.read_text()))
            except SyntaxError as error:
                found = [f"Python reads it otherwise: {error}"]
            if found:
                wrong += 1
                print(f"{index}: a script contains {', '.join(found)}:\n{text}\n{script.read_text().split('# ---- program ----')[1].split('# ---- end')[0]}")
    print(f"{given.count} hostile programs, of which {exported} were exported and {wrong} are findings")
    return wrong > 0 or exported < given.count // 20


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
