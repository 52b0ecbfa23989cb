"""What PyTorch refuses, the lab refuses: runs each program of refused.txt under both and prints a line for each.

    /usr/bin/python3 refused_by_both.py BINARY [TITLE]
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import types
import warnings

import torch

SECONDS = 60
LACKS = re.compile(r"has no \w+( here)?[.:]|nothing here has the name|has no method|there is no package")


def programs():
    """[(title, text)]"""
    parts = (pathlib.Path(__file__).parent / "refused.txt").read_text().split("\n=== ")[1:]
    return [(part.split("\n")[0], part.split("\n", 1)[1].strip() + "\n") for part in parts]


def last_of(names):
    """What the lab would call: the last function, or the last model."""
    found = [value for value in names.values()
             if isinstance(value, torch.nn.Module)
             or (isinstance(value, types.FunctionType) and value.__module__ == names["__name__"])]
    return found[-1]


def first_tensor(value):
    return first_tensor(value[0]) if isinstance(value, (list, tuple)) else value


def error_of_pytorch(text):
    """The error of forward or backward, or None."""
    torch.manual_seed(1)
    names = {"__name__": "refused"}
    try:
        exec(compile(text, "program", "exec"), names)
        called = last_of(names)
        forward = called.forward if isinstance(called, torch.nn.Module) else called
        defaults = [value.requires_grad_() if isinstance(value, torch.Tensor) and value.is_floating_point() else value
                    for value in forward.__defaults__ or ()]
        first_tensor(called(*defaults)).sum().backward()
    except Exception as error:
        return error
    return None


def sentence_of_lab(binary, text):
    """How the lab refuses the program; None if it runs it."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.py"
        file.write_text(text)
        made = subprocess.run([binary, str(file)], capture_output=True, text=True, timeout=SECONDS)
        if made.returncode == 0:
            return None
        if made.returncode != 1:
            raise SystemExit(f"the lab crashes:\n{text}{made.stderr}")
        return re.sub(r"^.*program\.py: ", "", made.stderr.strip())


def main(binary, title=""):
    wrong = 0
    for name, text in programs():
        if title not in name:
            continue
        there, here = error_of_pytorch(text), sentence_of_lab(binary, text)
        said = str(there).split("\n")[0][:70]
        is_lack = here and LACKS.search(here) and not isinstance(there, AttributeError)
        verdict = ("the lab lacks it" if is_lack else "ok" if there and here else "PyTorch runs it" if here
                   else "THE LAB RUNS IT" if there else "both run it")
        wrong += verdict != "ok"
        print(f"{verdict}: {name}\n    here:  {here}\n    there: {type(there).__name__}: {said}")
    print(f"{len(programs())} programs, {wrong} of which are not refused by both")
    return wrong > 0


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main(*sys.argv[1:]))
