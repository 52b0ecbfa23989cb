"""Whether the lab's operations on tensors compute what PyTorch's compute.

python3 ops_against_torch.py --lab BINARY [--only WORD]   each expression of op_cases.py, run by both (build/…/unroll_run)
python3 ops_against_torch.py --numbers FILE               writes PyTorch's numbers as a test in C++

Compares shapes, types, values and the gradients of x and y. Prints a line for each theme, and what differs. Exits 1 if
anything does.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

sys.dont_write_bytecode = True
from op_cases import CASES, RANDOM, REFUSED, expressions  # noqa: E402

TOLERANCE = 1e-5  # relative to 1 + |value|
X = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
Y = [[0.5, -1.0, 2.0], [1.5, 3.0, -2.0]]
IMPORTS = "import torch\nimport torch.nn.functional as F\n\n"
TYPES = {torch.float32: "float", torch.int64: "int", torch.int32: "int", torch.bool: "bool"}


class Different(Exception):
    pass


def leaves():
    return [torch.tensor(each, requires_grad=True) for each in (X, Y)]


def items_of(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [item for each in value for item in items_of(each)]


def evaluated(expression, x, y):
    names = {}
    exec(f"{IMPORTS}def f(x, y):\n    return {expression}\n", names)
    return items_of(names["f"](x, y))


def loss_of(items):
    """Σ i · (value i) of all float items, i from 1 in each."""
    floats = [each for each in items if each.is_floating_point() and each.requires_grad]
    return sum((each.flatten() * torch.arange(1.0, each.numel() + 1)).sum() for each in floats) if floats else None


def reference(expression):
    """The items of the value, and the gradients of x and y."""
    x, y = leaves()
    items = evaluated(expression, x, y)
    loss = loss_of(items)
    if loss is not None:
        loss.backward()
    return items, [torch.zeros(2, 3) if each.grad is None else each.grad for each in (x, y)]


PROGRAM = """
def items_of(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [item for each in value for item in items_of(each)]

def weighted(each):
    return (each.flatten() * torch.arange(1.0, each.numel() + 1)).sum()

def f(x, y):
    return EXPRESSION

def run(x, y):
    items = items_of(f(x, y))
    types = [str(each.dtype) for each in items]
    total = 0 * x.sum()
    for each in items:
        if each.is_floating_point():
            total = total + weighted(each)
    return total, items, types
"""


def in_lab(binary, text):
    tensor = {"shape": [2, 3], "type": "float"}
    given = {name: {**tensor, "data": [v for row in each for v in row]} for name, each in {"x": X, "y": Y}.items()}
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ["program.py", "inputs.json", "report.json"]]
        files[0].write_text(text)
        files[1].write_text(json.dumps(given))
        command = [binary, files[0], "--inputs", files[1], "--json", files[2]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise Different((done.stderr.strip().splitlines() or ["ended"])[-1].split(": ", 1)[-1])
        return json.loads(files[2].read_text())


def tensor_of(value):
    if isinstance(value, dict):
        return torch.tensor([float(each) for each in value["data"]]).view(value["shape"])
    return torch.tensor(value)


def check_equal(what, wanted, found):
    if tuple(wanted.shape) != tuple(found.shape):
        raise Different(f"{what} is {tuple(found.shape)}, and not {tuple(wanted.shape)}")
    wanted, found = wanted.detach().double(), found.detach().double()
    near = (wanted - found).abs() <= TOLERANCE * (1 + wanted.abs())
    same = (wanted == found) | (wanted.isnan() & found.isnan()) | near
    if not same.all():
        raise Different(f"{what} is {found.flatten().tolist()}, and not {wanted.flatten().tolist()}")


def compare(expression, binary):
    items, gradients = reference(expression)
    report = in_lab(binary, IMPORTS + PROGRAM.replace("EXPRESSION", expression))
    _, found, types = report["result"]
    if len(found) != len(items):
        raise Different(f"has {len(found)} items, and not {len(items)}")
    for i, (wanted, each, type_name) in enumerate(zip(items, found, types)):
        what = f"item {i}" if len(items) > 1 else "the value"
        check_equal(what, wanted, tensor_of(each))
        kind = {"torch.float32": "float", "torch.int64": "int", "torch.bool": "bool"}[type_name]
        if kind != TYPES.get(wanted.dtype, "float"):
            raise Different(f"{what} is of type {kind}, and not {wanted.dtype}")
    for name, wanted in zip("xy", gradients):
        each = report.get("gradients", {}).get(name)
        check_equal(f"the gradient of {name}", wanted, torch.zeros(2, 3) if each is None else tensor_of(each))


def is_accepted(run_it):
    try:
        run_it()
    except Exception:
        return False
    return True


def compare_refusal(expression, binary):
    if is_accepted(lambda: evaluated(expression, *leaves())):
        raise Different("is accepted by PyTorch")
    text = f"{IMPORTS}def f(x, y):\n    z = {expression}\n    return x\n"
    if is_accepted(lambda: in_lab(binary, text)):
        raise Different("is accepted")


def compare_random(expression, binary):
    if not eval(expression, {"torch": torch, "x": torch.tensor(X), "y": torch.tensor(Y)}):
        raise Different("does not hold in PyTorch")
    text = f"{IMPORTS}def f(x, y):\n    return x.sum() * 0 + float({expression})\n"
    if tensor_of(in_lab(binary, text)["result"]).item() != 1:
        raise Different("does not hold")


def checks_of(binary):
    for theme, text in CASES.items():
        for expression in expressions(text):
            yield theme, expression, lambda: compare(expression, binary)
    for expression in expressions(RANDOM):
        yield "random", expression, lambda: compare_random(expression, binary)
    for expression in expressions(REFUSED):
        yield "refusals", expression, lambda: compare_refusal(expression, binary)


def check_all(binary, only):
    passed, failed = {}, {}
    for theme, expression, check in checks_of(binary):
        if only not in f"{theme} {expression}":
            continue
        passed.setdefault(theme, 0)
        failed.setdefault(theme, [])
        try:
            check()
            passed[theme] += 1
        except Exception as error:
            kind = "" if isinstance(error, Different) else type(error).__name__ + " "
            failed[theme].append(f"{expression}: {kind}{error}".replace("\n", " | "))
    for theme, count in passed.items():
        print(f"{theme}: {count} equal" + (f", {len(failed[theme])} different" if failed[theme] else ""))
        for each in failed[theme]:
            print(f"    {each}")
    total, wrong = sum(passed.values()), sum(len(each) for each in failed.values())
    print(f"{total} expressions equal, {wrong} different")
    return 1 if wrong or not total else 0


# ── The numbers as a test ──


def braced(values):
    words = {float("inf"): "infinity", float("-inf"): "-infinity"}
    return "{" + ", ".join(words.get(v, "NAN" if v != v else f"{v:.7g}") for v in map(float, values)) + "}"


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_numbers(path):
    """Each case as a line of a table: the expression, its items, and the gradients of x and y."""
    lines = []
    for theme, text in CASES.items():
        lines.append(f"    // {theme}")
        for expression in expressions(text):
            items, gradients = reference(expression)
            if any(not torch.isfinite(each.double()).all() for each in [*items, *gradients]):
                continue
            shown = ", ".join(f"{{{braced(each.shape)}, {braced(each.flatten().tolist())}}}" for each in items)
            lines.append(
                f"    {{{quoted(expression)}, {{{shown}}}, {braced(gradients[0].flatten())}, {braced(gradients[1].flatten())}}},"
            )
    head = "// What PyTorch 1.13 computes of the expressions of tests/pytorch/op_cases.py: written by ops_against_torch.py\n"
    head += "// --numbers. Each with the items of its value, and the gradients of x and y.\n"
    Path(path).write_text(head + "\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lab", metavar="BINARY")
    parser.add_argument("--only", default="", help="expressions whose text contains this")
    parser.add_argument("--numbers", metavar="FILE")
    options = parser.parse_args()
    if options.numbers:
        return write_numbers(options.numbers)
    return check_all(options.lab, options.only)


if __name__ == "__main__":
    sys.exit(main())
