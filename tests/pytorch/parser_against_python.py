"""Compares the engine's parser with Python's own, on programs and on damaged variants of them.

    python3 tests/pytorch/parser_against_python.py build/native/tests/unroll_trees [--damaged N] [--seed N] FILE.py…

Both must accept a program or both refuse it; of an accepted one, both must make the same tree, with the same locals of
each scope. It ends with 1 at a difference. Python must be 3.11, whose syntax the engine reads.
"""
import argparse
import ast
import collections
import random
import re
import subprocess
import symtable
import sys
import warnings

from python_tree import Tree

# What the engine refuses on purpose: its limits, characters that the language has not, and ends of lines.
LIMITS = re.compile(r"nested more than|operations in a row|operations within one another|has no meaning here|bytes: at most"
                    r"|tabs and spaces|carriage return|an exponent without digits")
# What Python knows only from tables that the engine has not, or from more than the syntax (a use of a name above
# `global name` changes nothing here); and lines of which only the indentation goes on.
BEYOND = re.compile(r"\\N\{|bytes can only contain ASCII|__debug__|\x00|\\u[dD][89a-fA-F]|null bytes|from __future__|utf-?8"
                    r"|used prior to (global|nonlocal)|can't be (global|nonlocal)|assigned to before (global|nonlocal)"
                    r"|too many nested|recursion|too complex|coding[:=]|(?m:^[ \t]*\\$)")


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def tree(self, text):
        data = text.encode("utf-8", "surrogatepass")
        self.process.stdin.write(b"%d\n" % len(data) + data)
        self.process.stdin.flush()
        size = self.process.stdout.readline()
        if not size: sys.exit(f"the engine's parser crashed at this text:\n{text}")
        return self.process.stdout.read(int(size)).decode("utf-8", "surrogatepass")


def refused_by_python(text):
    """The sentence of Python, or None."""
    try:
        compile(text, "program", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"refused: {error}"
    return None


def normal(tree):
    """Locals sorted, and numbers that are no values alike."""
    tree = re.sub(r"<[.0-9][^<> ]*>", "<number>", tree)
    return re.sub(r"\{([\w ]*?)((?: global [\w ]+)?)\}", lambda found: "{" + " ".join(sorted(found[1].split())) + " ".join(
        ["", *sorted(found[2].split())]) + "}", tree)


def scopes_of_python(text):
    def below(table):
        for child in table.get_children():
            names = {each.get_name() for each in child.get_symbols() if each.is_local() and each.get_name()[0] != "."}
            yield child.get_name(), child.get_lineno(), names
            yield from below(child)
    return below(symtable.symtable(text, "program", "exec"))


def check_printer(text):
    """The locals that python_tree.py finds are those of Python's own table. (It has more: scopes within types.)"""
    if any(isinstance(each, (ast.Match, ast.TryStar)) for each in ast.walk(ast.parse(text))): return
    ours = Tree(text)
    ours.program()
    count = lambda scopes: collections.Counter((name, line, *sorted(names)) for name, line, names in scopes)
    wrong = count(ours.scopes) - count(scopes_of_python(text))
    if wrong: raise AssertionError(f"python_tree.py finds other locals than Python: {list(wrong)[:3]}")


def difference(engine, text, is_whole):
    """What both make of a text, if that differs."""
    found, refusal = engine.tree(text), refused_by_python(text)
    is_refused = found.startswith("refused: ")
    if is_refused and LIMITS.search(found) or BEYOND.search(text) or refusal and BEYOND.search(refusal): return None
    if refusal and "<match>" in found: return None  # its patterns are not looked at
    if is_refused or refusal:
        return None if is_refused == bool(refusal) else (found[:200], refusal or "accepted")
    expected = Tree(text).program()
    if is_whole: check_printer(text)
    found, expected = normal(found), normal(expected)
    if found == expected: return None
    at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
    return found[max(0, at - 60):at + 60], expected[max(0, at - 60):at + 60]


def damaged(text, draw):
    """The text with a few tokens left out, doubled, exchanged or put in."""
    tokens = re.findall(r"\w+|\s+|[^\w\s]", text)
    pieces = [*tokens[:400], *"()[]{}:,=*.@;'\"\\\n", "**", ":=", "->", "lambda ", "yield ", " in ", " not ", " for ", " if ",
              " else ", "    ", " as ", " async ", "await ", "f'{", "}'", "!r", "1", "global ", "nonlocal ", "del ", "with ",
              "from ", "import ", "except ", "...", "None", "match ", "case ", "\\\n", "r'", "b'"]
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        at = draw.randrange(len(tokens))
        kind = draw.randrange(5)
        if kind == 0: del tokens[at]
        elif kind == 1: tokens.insert(at, draw.choice(pieces))
        elif kind == 2: tokens[at] = draw.choice(pieces)
        elif kind == 3: tokens[at], tokens[at - 1] = tokens[at - 1], tokens[at]
        else: tokens.insert(at, tokens[at])
        if not tokens: return ""
    return "".join(tokens)


def excerpt(text, draw):
    """Some lines, from one at the left margin on, so that most damage is seen."""
    lines = text.split("\n")
    starts = [i for i, line in enumerate(lines) if line[:1].strip()] or [0]
    start = draw.choice(starts)
    return "\n".join(lines[start:start + draw.randrange(1, 25)]) + "\n"


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("engine")
    asked.add_argument("files", nargs="+")
    asked.add_argument("--damaged", type=int, default=20, help="variants of each file")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--show", type=int, default=20)
    asked = asked.parse_args()
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    engine = Engine(asked.engine)
    texts = differences = 0
    for path in asked.files:
        try:
            with open(path, encoding="utf-8") as file: text = file.read()
        except UnicodeDecodeError:
            continue
        draw = random.Random(f"{asked.seed} {len(text)} {text[:100]}")
        variants = [damaged(excerpt(text, draw), draw) for _ in range(asked.damaged)]
        for number, each in enumerate([text, *variants]):
            texts += 1
            found = difference(engine, each, number == 0)
            if not found: continue
            differences += 1
            if differences > asked.show: continue
            print(f"{path}, variant {number}\n  engine: {found[0]}\n  Python: {found[1]}")
            if number: print("  " + each.replace("\n", "\n  | "))
    print(f"{texts} texts, {differences} differences")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
