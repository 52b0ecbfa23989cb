"""Compares what expressions and programs give in the engine with what Python gives.

    python3 tests/pytorch/values_against_python.py build/native/tests/unroll_values [--random N] [--seed N]

The cases are in value_cases.py; besides, so many random numbers are written in random formats, and go through the
functions of math. An exception of Python must be a refusal here. It ends with 1 at a difference.
"""
import argparse
import math
import random
import struct
import subprocess
import sys
import textwrap
import warnings

from value_cases import EXPRESSIONS, PROGRAMS, REFUSED


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def result(self, text):
        data = text.encode()
        self.process.stdin.write(b"%d\n" % len(data) + data)
        self.process.stdin.flush()
        size = self.process.stdout.readline()
        if not size: sys.exit(f"the engine crashed at this program:\n{text}")
        return self.process.stdout.read(int(size)).decode()


def program_of(expression):
    names = ["math", "random", "copy", "itertools", "functools", "collections", "dataclasses", "operator", "string"]
    imports = "".join(f"import {name}\n" for name in names if name + "." in expression)
    return f"{imports}def f():\n    return {expression}\n"


def result_of_python(text):
    """repr of what the last function returns, or the exception."""
    variables = {"__name__": "program"}
    try:
        exec(compile(text, "program", "exec"), variables)
        functions = [each for each in variables.values() if type(each).__name__ == "function"
                     and each.__module__ == "program" and each.__name__ != "<lambda>"]
        return repr(functions[-1]())
    except Exception as error:
        return f"refused: {type(error).__name__}: {error}"


def differs(engine, text, show):
    wanted, found = result_of_python(text), engine.result(text)
    same = wanted == found or (wanted.startswith("refused") and found.startswith("refused"))
    if not same: print(f"{show}\n    Python: {wanted}\n    engine: {found}")
    return not same


def random_number():
    kind = random.random()
    if kind < 0.2: return float(random.randint(-1000, 1000)) / random.choice([1, 2, 4, 8, 10, 100, 1000])
    if kind < 0.5: return struct.unpack("<d", random.randbytes(8))[0]
    return random.choice([-1, 1]) * random.random() * 10 ** random.randint(-12, 20)


def random_spec():
    align = random.choice(["", "", "<", ">", "^", "=", "*<", "0>", "é^"])
    sign = random.choice(["", "", "+", "-", " "])
    width = random.choice(["", "", "8", "012", "20", "1"])
    group = random.choice(["", "", "", ",", "_"])
    precision = random.choice(["", ".0", ".1", ".2", ".3", ".6", ".10", ".17"])
    return align + sign + random.choice(["", "", "", "#"]) + width + group + precision + random.choice(
        ["", "e", "E", "f", "F", "g", "G", "%"])


def random_texts(count):
    for _ in range(count):
        x = random_number()
        kind = random.random()
        if kind < 0.5:
            yield f"format(float({x!r:}), {random_spec()!r})".replace("float(nan)", "math.nan").replace(
                "float(inf)", "math.inf").replace("float(-inf)", "-math.inf")
        elif math.isfinite(x):
            whole = random.randint(-10**random.randint(1, 17), 10**random.randint(1, 17))
            yield random.choice([
                f"round({x!r}, {random.randint(-3, 12)})", f"'%{random.choice(['', '08', '-9', '+', ' ', '#'])}"
                f"{random.choice(['', '.0', '.3', '.9'])}{random.choice('eEfgGdsr')}|' % {x!r}", f"repr({x!r})",
                f"format({whole}, {random.choice(['', ',', '08', 'x', '#b', '_d', '>20', '+,', 'e', '.3f', '010,'])!r})",
                f"'%{random.choice(['d', '5d', '-12d', '08d', 'x', '#X', 'o', 'i'])}|' % {whole}",
            ])


MATH = {
    "exp": (-745, 709), "expm1": (-40, 700), "log": (0, 1e6), "log2": (0, 1e6), "log10": (0, 1e6), "log1p": (-1, 1e3),
    "sin": (-1e4, 1e4), "cos": (-1e4, 1e4), "tan": (-1e3, 1e3), "asin": (-1, 1), "acos": (-1, 1), "atan": (-1e3, 1e3),
    "sinh": (-700, 700), "cosh": (-700, 700), "tanh": (-20, 20), "erf": (-6, 6), "erfc": (-5, 26), "sqrt": (0, 1e9)}


def math_differences(engine, count):
    """Of each function how many results are another double than the C library's, which may be off by one itself."""
    for name, (low, high) in MATH.items():
        numbers = [random.uniform(low, high) * random.choice([1, 1, 1e-2, 1e-5]) for _ in range(count)]
        answer = engine.result(f"import math\ndef f():\n    return [math.{name}(x) for x in {numbers!r}]\n")
        if answer.startswith("refused"): sys.exit(f"math.{name}: {answer}")
        found, wanted = eval(answer), [getattr(math, name)(x) for x in numbers]
        off = [(x, a, b) for x, a, b in zip(numbers, found, wanted) if a != b]
        far = [each for each in off if abs(each[1] - each[2]) > 2 * math.ulp(each[2])]
        if far: print(f"math.{name}({far[0][0]!r}) is {far[0][1]!r}, and {far[0][2]!r} in Python")
        yield name, len(off), len(far)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--random", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    random.seed(options.seed)
    engine = Engine(options.engine)
    wrong = sum(differs(engine, program_of(each), each) for each in EXPRESSIONS)
    wrong += sum(differs(engine, textwrap.dedent(each), each) for each in PROGRAMS)
    wrong += sum(differs(engine, program_of(each), each) for each in random_texts(options.random))
    for each in REFUSED:
        answer = engine.result(program_of(each))
        if not answer.startswith("refused"): print(f"{each} is accepted: {answer}"); wrong += 1
    rounded = {}
    for name, off, far in math_differences(engine, max(options.random // 20, 1)):
        wrong += far
        rounded[name] = off
    print(f"{len(EXPRESSIONS) + len(PROGRAMS)} cases and {options.random} random texts: {wrong} differ. "
          f"Other last bits than the C library's, of {max(options.random // 20, 1)} each: {rounded}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
