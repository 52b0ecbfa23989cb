"""Exported scripts print under PyTorch what the lab computes: runs `unroll_run FILE --pytorch SCRIPT --json REPORT`, then
the script, and compares results, loss and gradients.

    /usr/bin/python3 scripts_against_lab.py BINARY FILE.py…

FILE.json beside FILE.py has its inputs and weights, if there is one; else ids, source and target_in are some numbers.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

TOLERANCE = 1e-5  # of numbers up to 1; of larger ones a fraction
SECONDS = 600
IDS = {"shape": [2, 5], "data": [1, 4, 3, 5, 2, 3, 3, 1, 5, 0], "type": "int"}


def run(*words):
    made = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS)
    if made.returncode != 0:
        lines = made.stderr.strip().split("\n")
        raise RuntimeError(lines[-1] if lines else f"ends with {made.returncode}")
    return made.stdout


def reports_of(binary, file, folder):
    """What the lab writes, and what the script prints."""
    script, report, inputs = folder / "script.py", folder / "report.json", file.with_suffix(".json")
    last = re.findall(r"^ *def forward\((?:self, )?(.*?)\)", file.read_text(), re.MULTILINE)[-1:]
    names = re.findall(r"\b(ids|source|target_in)\b(?![:=])", "".join(last))
    if not inputs.exists() and names:
        inputs = folder / "inputs.json"
        inputs.write_text(json.dumps({name: IDS for name in names}))
    given = ["--inputs", str(inputs)] if inputs.exists() else []
    run(binary, str(file), "--pytorch", str(script), "--json", str(report), *given)
    return json.loads(report.read_text()), json.loads(run(sys.executable, str(script)).strip().split("\n")[-1])


def number(value):
    return float(value) if isinstance(value, str) else value


def difference(here, there, path):
    """(how far they are apart, where), of numbers in lists and dictionaries; without a gradient there are zeros."""
    if isinstance(here, dict) and isinstance(there, dict) and "data" in here and "data" in there:
        if here["shape"] != there["shape"]:
            return math.inf, f"{path} is {here['shape']} here and {there['shape']} there"
        return difference(here["data"], there["data"], path)
    if isinstance(here, dict) and isinstance(there, dict):
        found = [difference(here[key], there[key], f"{path} {key}") for key in here if key in there]
        missing = sorted(set(here) ^ set(there))
        return max(found + [(math.inf, f"{path}: only one side has {missing}")] * bool(missing), default=(0, path))
    if here is None or there is None:
        other = here if there is None else there
        zeros = other is None or not any(map(number, other["data"]))
        return (0, path) if zeros else (math.inf, f"{path} is None here or there")
    if isinstance(here, list) and isinstance(there, list):
        if len(here) != len(there):
            return math.inf, f"{path} has {len(here)} items here and {len(there)} there"
        return max((difference(*pair, path) for pair in zip(here, there)), default=(0, path))
    if isinstance(here, (int, float)) or here in ("nan", "inf", "-inf"):
        a, b = number(here), number(there)
        if a == b or (math.isnan(a) and math.isnan(b)):
            return 0, path
        off = abs(a - b) / max(1, abs(b))
        return (off if math.isfinite(off) else math.inf), f"{path}: {a} here and {b} there"
    return (0 if here == there else math.inf), f"{path}: {here!r} here and {there!r} there"


def main(binary, *files):
    wrong = 0
    for file in map(pathlib.Path, files):
        try:
            with tempfile.TemporaryDirectory() as folder:
                here, there = reports_of(binary, file, pathlib.Path(folder))
            off, where = max(difference(here.get(key), there.get(key), key) for key in ("result", "loss", "gradients"))
        except RuntimeError as error:
            off, where = math.inf, str(error)
        is_wrong = not off <= TOLERANCE
        wrong += is_wrong
        print(f"{file.name}: {'DIFFERS, ' + where if is_wrong else f'equal to {off:.1e}'}")
    print(f"{len(files)} scripts, of which {wrong} print something else or nothing")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
