"""Whether the lab's torch.nn (engine/program/library/nn) computes what PyTorch's computes.

python3 nn_against_torch.py [--only WORD]                its files, run by Python and PyTorch
python3 nn_against_torch.py --lab BINARY [--only WORD]   its files, run by the lab's interpreter (build/…/unroll_run)

Compares names, shapes and starting values of parameters, then on the same weights results, gradients and buffers.
Prints a line for each module, and what differs. Exits 1 if anything does.
"""

import argparse
import copy
import inspect
import json
import math
import subprocess
import sys
import tempfile
import types
import warnings
from collections import OrderedDict
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
package = types.ModuleType("unroll")
package.__path__ = [str(HERE.parent.parent / "engine/program/library")]
sys.modules["unroll"] = package
warnings.filterwarnings("ignore")
torch.set_default_dtype(torch.float64)

import unroll.nn.functional  # noqa: E402
import unroll.nn.rnn_utils  # noqa: E402
from nn_cases import CASES  # noqa: E402
from nn_features import DISTRIBUTIONS, DRAWN, FEATURES, REFUSED  # noqa: E402

TOLERANCE = {"python": 1e-7, "lab": 1e-5}  # relative to 1 + |value|

# What the engine has itself.
for name in "softmax log_softmax relu gelu silu sigmoid tanh softplus elu leaky_relu one_hot layer_norm".split():
    setattr(unroll.nn.functional, name, getattr(F, name))

unroll.nn.utils.rnn = unroll.nn.rnn_utils

FLAT = """\
def flat(value):
    if isinstance(value, (list, tuple)):
        return torch.cat([flat(each) for each in value])
    return value.flatten()
"""


class Different(Exception):
    pass


class Named(nn.Module):
    """A module of given parameters, for what PyTorch 1.13 has not."""

    def __init__(self, **parameters):
        super().__init__()
        for name, each in parameters.items():
            setattr(self, name, nn.Parameter(each))


def without_biases(model):
    for module in model.modules():
        for name in [name for name, _ in module.named_parameters(recurse=False) if "bias" in name]:
            setattr(module, name, None)
    return model


def program(make, call, names):
    """The text of a program: a model, and a function that calls it."""
    lines = call.strip("\n").split("\n")
    last = next(i for i in reversed(range(len(lines))) if not lines[i].startswith(" "))
    body = lines[:last] + [f"result = {lines[last]}"] + lines[last + 1 :]
    imports = [line for line in body if line.startswith("from ")]
    body = [line for line in body if not line.startswith("from ")]
    text = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
    text += "".join(f"{line}\n" for line in imports)
    text += f"\n{FLAT}\n" + (f"model = {make}\n\n" if make else "\n")
    text += f"def run({', '.join(names)}):\n"
    text += "".join(f"    {line}\n" for line in body)
    return text + f"    return flat(result){' * probe' if 'probe' in names else ''}\n"


def with_our_library(text):
    """The same program with the lab's files in the place of PyTorch's."""
    text = text.replace("torch.nn.utils.rnn", "unroll.nn.rnn_utils").replace("torch.nn.", "unroll.nn.")
    return text.replace("from torch import nn", "from unroll import nn")


def namespace_of(text):
    """Runs the text, as a program that starts with the same random numbers each time."""
    names = {"Named": Named, "without_biases": without_biases, "OrderedDict": OrderedDict}
    torch.manual_seed(1)
    exec(compile(text, "program", "exec"), names)
    return names


def check_equal(what, wanted, found, tolerance):
    if tuple(wanted.shape) != tuple(found.shape):
        raise Different(f"{what} is {tuple(found.shape)}, and not {tuple(wanted.shape)}")
    wanted, found = wanted.detach().double(), found.detach().double()
    same = (
        (wanted == found)
        | (wanted.isnan() & found.isnan())
        | ((wanted - found).abs() <= tolerance * (1 + wanted.abs()))
    )
    if not same.all():
        at = int((~same).flatten().nonzero()[0])
        raise Different(f"{what}[{at}] is {found.flatten()[at]:.9g}, and not {wanted.flatten()[at]:.9g}")


def parameters_of(names):
    return dict(names["model"].named_parameters()) if "model" in names else {}


def state_of(names):
    return names["model"].state_dict() if "model" in names else {}


def make_equal(state, seed):
    """The same numbers for each parameter of a name."""
    generator = torch.Generator().manual_seed(seed)
    for each in state.values():
        each.data.copy_(torch.empty(each.shape).uniform_(-1, 1, generator=generator))


def run(names, inputs):
    """The result, and the gradients of all inputs and parameters by name, of the sum of the result."""
    arguments = {name: each.clone() for name, each in inputs.items()}
    for name, each in arguments.items():
        if each.is_floating_point() and name != "probe":
            each.requires_grad_()
    result = names["run"](**arguments)
    loss = result.sum()
    parameters = parameters_of(names)
    if loss.requires_grad:
        loss.backward()
    gradients = {name: each.grad for name, each in {**arguments, **parameters}.items() if each.requires_grad}
    return result, {name: each for name, each in gradients.items() if each is not None}


def probed(names, inputs):
    """The inputs, with factors for the result: a sum alone would not see where its numbers are."""
    model = copy.deepcopy(names.get("model"))
    length = names["run"](**inputs).numel()
    if model is not None:
        names["model"] = model
    return {**inputs, "probe": torch.empty(length).uniform_(0.5, 1.5, generator=torch.Generator().manual_seed(7))}


def reference(case, trains=True):
    """PyTorch's program, once without factors and once with them, ready to run."""
    make, call = case.torch_make or case.make, case.torch_call or case.call
    make = make if trains or not make else f"{make}.eval()"
    plain = namespace_of(program(make, call, list(case.inputs)))
    inputs = probed(plain, case.inputs)
    return namespace_of(program(make, call, list(inputs))), inputs


def compare_random(case):
    """Dropout and the like: what share of the results is 0, their mean, and that the gradient agrees with them."""
    text = program(case.make, case.call, list(case.inputs))
    wanted, wanted_gradients = run(namespace_of(text), case.inputs)
    found, found_gradients = run(namespace_of(with_our_library(text)), case.inputs)
    for what, a, b in [("result", wanted, found), ("gradient of x", wanted_gradients["x"], found_gradients["x"])]:
        if a.shape != b.shape or abs((a == 0).double().mean() - (b == 0).double().mean()) > 0.03:
            raise Different(
                f"{what} is 0 in {(b == 0).double().mean():.3f} of places, and not in {(a == 0).double().mean():.3f}"
            )
        if abs(a.mean() - b.mean()) > 0.03 or abs(a.std() - b.std()) > 0.1 * a.std():
            raise Different(
                f"{what} has mean {b.mean():.3f}, deviation {b.std():.3f}, and not {a.mean():.3f}, {a.std():.3f}"
            )


def compare_python(case):
    if case.is_random:
        return compare_random(case)
    tolerance = TOLERANCE["python"]
    theirs, inputs = reference(case)
    ours = namespace_of(with_our_library(program(case.make, case.call, list(inputs))))
    is_lazy = "Lazy" in case.make
    if is_lazy:  # a first call, which makes the parameters
        torch.manual_seed(1)
        ours["run"](**inputs)
    wanted, found = state_of(theirs), state_of(ours)
    if list(wanted) != list(found):
        raise Different(f"state_dict has {list(found)}, and not {list(wanted)}")
    if "without_biases" not in case.torch_make:
        for name in wanted:
            check_equal(f"the starting value of {name}", wanted[name], found[name], 1e-12)
    if [n for n, _ in parameters_of(theirs).items()] != [n for n, _ in parameters_of(ours).items()]:
        raise Different(f"parameters are {list(parameters_of(ours))}, and not {list(parameters_of(theirs))}")
    if "from_pretrained" not in case.make:
        make_equal(parameters_of(theirs), 3)
    if ours.get("model") is not None:
        ours["model"].load_state_dict(state_of(theirs))
    wanted, wanted_gradients = run(theirs, inputs)
    found, found_gradients = run(ours, inputs)
    check_equal("result", wanted, found, tolerance)
    compare_gradients(wanted_gradients, found_gradients, tolerance)
    for name, each in state_of(theirs).items():
        check_equal(f"{name} after the call", each, state_of(ours)[name], tolerance)


def compare_gradients(wanted, found, tolerance):
    for name in wanted:
        if name not in found:
            if wanted[name].abs().max() == 0:
                continue
            raise Different(f"{name} has no gradient")
        check_equal(f"the gradient of {name}", wanted[name], found[name], tolerance)
    for name in found:
        if name not in wanted and found[name].abs().max() > 0:
            raise Different(f"{name} has a gradient")


# ── The lab ──


def json_of(tensor):
    if tensor.dtype == torch.bool:
        kind, data = "bool", tensor.flatten().tolist()
    elif tensor.is_floating_point():
        kind, data = "float", [each if math.isfinite(each) else str(each) for each in tensor.flatten().tolist()]
    else:
        kind, data = "int", tensor.flatten().tolist()
    return {"shape": list(tensor.shape), "data": data, "type": kind}


def tensor_of(value):
    if value is None:
        return None
    if isinstance(value, dict):
        return torch.tensor([float(each) for each in value["data"]]).view(value["shape"])
    return torch.tensor(value)


def in_lab(binary, text, given):
    """What the lab's runner writes of a program with these inputs and weights."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ["program.py", "inputs.json", "report.json"]]
        files[0].write_text(text)
        files[1].write_text(json.dumps({name: json_of(each) for name, each in given.items()}))
        command = [binary, files[0], "--inputs", files[1], "--json", files[2]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise Different(
                (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1].replace(str(folder), "")
            )
        return json.loads(files[2].read_text())


def compare_lab(case, binary):
    if case.is_random:
        return in_lab(binary, program(case.make, case.call, list(case.inputs)), case.inputs) and None
    tolerance = TOLERANCE["lab"]
    theirs, inputs = reference(case, trains=False)  # nobody trains a model that is stepped through
    if "from_pretrained" not in case.make:
        make_equal(parameters_of(theirs), 3)
    # The lab computes in float32: so the reference starts from the same numbers.
    inputs = {name: each.float().double() if each.is_floating_point() else each for name, each in inputs.items()}
    for each in parameters_of(theirs).values():
        each.data.copy_(each.float())
    weights = {name: each.detach() for name, each in parameters_of(theirs).items()}
    text = program(case.make, case.call, list(inputs))
    report = in_lab(binary, text, {**inputs, **weights})
    wanted, wanted_gradients = run(theirs, inputs)
    check_equal("result", wanted, tensor_of(report["result"]).view(wanted.shape), tolerance)
    found = {name: tensor_of(each) for name, each in report.get("gradients", {}).items() if name != "probe"}
    compare_gradients(wanted_gradients, {name: each for name, each in found.items() if each is not None}, tolerance)


# ── Features: expressions of Python, about names, lengths, … ──


def value_of(text):
    return namespace_of(text)["value"]


def feature_text(text):
    lines = text.strip().split("\n")
    return (
        "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
        + "\n".join(lines[:-1] + [f"value = {lines[-1]}"])
        + "\n"
    )


def compare_feature(text, binary):
    text = feature_text(text)
    wanted = value_of(text)
    if binary is None:
        found = value_of(with_our_library(text))
        if wanted != found:
            raise Different(f"is {found!r}, and not {wanted!r}")
        return
    text += f"\ndef run(x):\n    return x * float(value == {wanted!r})\n"
    if tensor_of(in_lab(binary, text, {"x": torch.ones(1)})["result"]).sum() != 1:
        raise Different(f"is not {wanted!r}")


def compare_drawn(shape, call):
    """Starting values, number by number."""
    text = feature_text(f"w = torch.empty({shape})\n{call}")
    check_equal("the tensor", value_of(text), value_of(with_our_library(text)), 1e-9)


def compare_distribution(expression, binary):
    """[mean, deviation, largest, smallest]: the last two only where there is a limit, which the numbers come close to."""
    is_normal = any(word in expression for word in ["normal_", "orthogonal_", "Embedding"]) and "a=-1" not in expression
    ends = "" if is_normal else ", float(w.max()), float(w.min())"
    text = feature_text(f"w = {expression}\n[float(w.mean()), float(w.std()){ends}, w.numel()]")
    wanted = torch.tensor(value_of(text))
    if binary:
        report = in_lab(binary, f"{text}\ndef run(x):\n    return torch.tensor(value) * x\n", {"x": torch.ones(1)})
        found = tensor_of(report["result"])
    else:
        torch.manual_seed(2)
        found = torch.tensor(value_of(with_our_library(text)))
    scale = wanted[1] + 1e-9
    check_equal("mean, deviation, …", wanted[:-1] / scale, found[:-1] / scale, 0.01 + 6 / math.sqrt(wanted[-1]))


def compare_refusal(text, binary):
    """Refused by both, whatever they say."""
    text = feature_text(text)
    if is_accepted(lambda: value_of(text)):
        raise Different("is accepted by PyTorch")
    text_here = f"{text}\ndef run(x):\n    return x\n" if binary else with_our_library(text)
    if is_accepted(lambda: in_lab(binary, text_here, {"x": torch.ones(1)}) if binary else value_of(text_here)):
        raise Different("is accepted")


def is_accepted(run_it):
    try:
        run_it()
    except Exception:
        return False
    return True


# ── Signatures ──

ADDED = ["bias", "_freeze", "device", "dtype"]  # in later versions of PyTorch
LEFT_OUT = ["min_value", "max_value"]  # that PyTorch warns of


def default_of(parameter):
    """1 and 1.0 are the same."""
    return float(parameter.default) if type(parameter.default) is int else parameter.default


def compare_signature(name):
    """The parameters that a class is made with: their names, order and defaults."""
    wanted, found = (list(inspect.signature(getattr(each, name)).parameters.values()) for each in (nn, unroll.nn))
    names = [each.name for each in wanted]
    if names == ["args", "kwargs"]:
        return
    wanted = [(each.name, default_of(each)) for each in wanted if each.name not in LEFT_OUT]
    found = [(each.name, default_of(each)) for each in found if each.name in names or each.name not in ADDED]
    wanted, found = ([each for each in all if each[0] != "activation"] for all in (wanted, found))
    if wanted != found:
        raise Different(f"takes {found}, and not {wanted}")


def classes():
    """Those that PyTorch has, too."""
    return [
        name
        for name in dir(unroll.nn)
        if hasattr(nn, name) and name[0].isupper() and name not in ("Parameter", "RNNBase")
    ]


def checks_of(lab):
    """(line of the report, title, what to call): lab is the binary of the lab's runner, or None."""
    for case in CASES:
        title = f"{case.make}  {case.call}".strip()
        yield case.module, title, (lambda: compare_lab(case, lab)) if lab else (lambda: compare_python(case))
    for name, text in FEATURES:
        yield f"features: {name}", text, lambda: compare_feature(text, lab)
    for shape, call in [] if lab else DRAWN:
        yield "starting values", call, lambda: compare_drawn(shape, call)
    for expression in DISTRIBUTIONS:
        yield "distributions", expression, lambda: compare_distribution(expression, lab)
    for text in REFUSED:
        yield "refusals", text, lambda: compare_refusal(text, lab)
    for name in [] if lab else classes():
        yield "signatures", name, lambda: compare_signature(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lab", metavar="BINARY")
    parser.add_argument("--only", default="", help="cases whose text contains this")
    options = parser.parse_args()
    passed, failed = {}, {}
    for module, title, compare in checks_of(options.lab):
        if options.only not in f"{module} {title}":
            continue
        passed.setdefault(module, 0)
        failed.setdefault(module, [])
        try:
            compare()
            passed[module] += 1
        except Exception as error:
            kind = "" if isinstance(error, Different) else type(error).__name__ + " "
            failed[module].append(f"{title}: {kind}{error}".replace("\n", " | "))
    for module, count in passed.items():
        print(f"{module}: {count} equal" + (f", {len(failed[module])} different" if failed[module] else ""))
        for each in failed[module]:
            print(f"    {each}")
    total, wrong = sum(passed.values()), sum(len(each) for each in failed.values())
    print(f"{len(passed)} modules and functions: {total} cases equal, {wrong} different")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
