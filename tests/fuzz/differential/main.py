"""lab fuzz differential: programs of the learner's language, run by the engine and, exported, under PyTorch."""

import argparse
import collections
import math
import multiprocessing
import re
import sys
import time
import warnings
from typing import NamedTuple

import torch

from draw import program
from limits import TimeOut
from named import entry_for
from shrink import smallest
from sides import Engine, ExpandedCopies, Noise, NoZerosBack, PlainExponents, TieNoise, ZeroNoise
from sides import difference, explains, in_pytorch, names_in, numbers_in


def kind_of(difference):
    """What stays the same while a program is made smaller."""
    kind, _, what = difference.partition(": ")
    what = re.sub(r"line \d+, column \d+: ", "", what)
    return kind.split(" of ")[0], re.sub(r"[-\d.]+|“.*?”", "#", what)[:60] if kind.startswith("refused") else ""


PROGRAM = "# ---- program ----"
# As prelude_for does for a program with imports.
MODULES = "_torch.softmax, _torch.log_softmax = _softmax, _log_softmax\n"
ROUNDING, CRASH, SLOW = "rounding", "crash there", "too slow there"
COPIES = """def zip(*lists): return _builtins.zip(*[_builtins.list(each) for each in lists])
def enumerate(items, start=0): return _builtins.enumerate(_builtins.list(items), start)
"""


class Comparison:
    def __init__(self, engine):
        self.engine = engine
        self.nothing = "def f():\n    return 1.0\n"
        self.script = engine.run(self.nothing)["script"]
        self.names = names_in(self.script)

    def of(self, text):
        """(difference, ours, theirs) of a program; no difference if rounding explains it."""
        ours = self.engine.run(text)
        script = ours.get("script") or self.script_of_refused(text)
        theirs = in_pytorch(script)
        if theirs.get("error", "").startswith("TimeOut") and "crash" not in ours:
            return SLOW, ours, theirs
        found = difference(text, ours, theirs)
        if found.partition(":")[0].split(" of ")[0] in ("value", "loss", "gradient"):
            if explains(Noise, ours, script):
                return ROUNDING, ours, theirs
            for noise, what in ((ZeroNoise, "the sign of 0"), (TieNoise, "the order of equal values")):
                if explains(noise, ours, script):
                    return f"{what}: {found}", ours, theirs
            if not difference(text, ours, in_pytorch(script, PlainExponents())):
                return f"exponents as they are here: {found}", ours, theirs
            if not difference(text, ours, in_pytorch(script, ExpandedCopies())):
                return f"expanded tensors as copies: {found}", ours, theirs
            if found.startswith("gradient") and "nan" in found:
                mode = NoZerosBack()
                if not difference(text, ours, in_pytorch(script, mode)) and found.endswith("nan there in a float tensor"):
                    return f"0 times infinity there: {found}", ours, theirs
                last = [each for each in numbers_in(theirs["gradients"]) if isinstance(each, float)]
                if not mode.all_finite or not all(map(math.isfinite, last)):
                    return f"after a gradient that is infinite or NaN: {found}", ours, theirs
        if found and not difference(text, ours, in_pytorch(script.replace(PROGRAM, COPIES + PROGRAM, 1))):
            return f"lists as they were: {found}", ours, theirs
        return found, ours, theirs

    def script_of_refused(self, text):
        """Its own defaults are the inputs, and parameters are all alike."""
        script = self.script.replace(self.nothing, text)
        if re.search(r"^(import|from) ", text, re.MULTILINE):
            script = script.replace(PROGRAM, MODULES + PROGRAM, 1)
        script = script.replace("return _parameters[name]", "return _torch.full(shape, 0.3, requires_grad=True)")
        takes_gradients = "for _x in _function.__defaults__ or (): _is_tensor(_x) and _x.is_floating_point() and _x.requires_grad_()\n"
        return script.replace("_function = f\n", "_function = f\n" + takes_gradients)


def report(comparison, text, found, again):
    kind = kind_of(found)
    small = smallest(text, lambda each: kind_of(comparison.of(each)[0]) == kind)
    now, ours, theirs = comparison.of(small)
    print(f"differs: {now}\n{again}\n{small}", file=sys.stdout)
    for side, made in (("here", ours), ("there", theirs)):
        print(f"{side}: " + str({name: each for name, each in made.items() if name != "script"})[:600])
    print(flush=True)


class Finding(NamedTuple):
    """What a program shows."""

    difference: str
    entry: str | None = None  # of the guide
    is_accepted: bool = False  # here
    is_refused: bool = False

    @property
    def is_unnamed(self):
        return self.difference not in ("", ROUNDING, CRASH, SLOW) and not self.entry


def compare(given, start, end, printed, send):
    """Compares the programs from number `start` on, and sends a Finding of each. Kinds in `printed` are not printed again."""
    torch.set_num_threads(1)
    torch.backends.mkldnn.set_flags(False)  # its gradient of gelu is not set for permuted tensors in 1.13
    warnings.simplefilter("ignore")
    comparison = Comparison(Engine(given["engine"]))
    index = start
    while (given["count"] is None or index < given["from"] + given["count"]) and time.time() < end:
        try:
            text = program(given["seed"], index, comparison.names)
            found, ours, theirs = comparison.of(text)
        except TimeOut:  # the time ran out just after the call that it limits
            found, ours, theirs = SLOW, {}, {}
        finding = Finding(found, entry_for(found), "result" in ours, "refused" in ours)
        if finding.is_unnamed and kind_of(found) not in printed:
            printed.add(kind_of(found))
            report(comparison, text, found, rerun(given, index))
        send.send(finding)
        index += 1


def rerun(given, index):
    return f"rerun: ./lab fuzz differential --seed {given['seed']} --from {index} --count 1"


def findings(given):
    """What `compare` sends. It runs in a process of its own, as PyTorch crashes on some programs; the next one goes on."""
    end = time.time() + (given["seconds"] or (1e9 if given["count"] else 60))
    index, printed = given["from"], set()
    while True:
        receive, send = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=compare, args=(given, index, end, printed, send), daemon=True)
        process.start()
        send.close()
        try:
            while True:
                finding = receive.recv()
                index += 1
                if finding.is_unnamed:
                    printed.add(kind_of(finding.difference))
                yield finding
        except EOFError:
            process.join()
        if process.exitcode == 0:
            return
        if process.exitcode > 0:
            sys.exit(process.exitcode)
        print(f"signal {-process.exitcode} there: {rerun(given, index)}", flush=True)
        index += 1
        yield Finding(CRASH)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("engine")
    for name, otherwise in (("seed", 1), ("from", 0), ("count", None), ("seconds", None), ("differences", 1)):
        options.add_argument(f"--{name}", type=int, default=otherwise)
    given = vars(options.parse_args())
    counts, named, seen = collections.Counter(), collections.Counter(), collections.Counter()
    for finding in findings(given):
        counts["programs"] += 1
        counts["accepted"] += finding.is_accepted
        counts["refused by both"] += finding.is_refused and not finding.difference
        counts[finding.difference] += finding.difference in (ROUNDING, CRASH, SLOW)
        named[finding.entry] += 1
        if finding.is_unnamed:
            seen[kind_of(finding.difference)] += 1
            if len(seen) >= given["differences"]:
                break
    print(f"differential: {counts['programs']} programs, of which {counts['accepted']} were accepted and {counts['refused by both']} refused "
          f"by both; in {counts[ROUNDING]} of them rounding explains what differs")
    print(f"  PyTorch crashes on {counts[CRASH]} of them, and takes too long for {counts[SLOW]}")
    del named[None]
    for entry, times in named.most_common():
        print(f"  {times} × the guide: {entry}")
    for kind, times in seen.most_common():
        print(f"  {times} × {kind}")
    print(f"differential: {sum(seen.values())} differences that the guide does not name")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
