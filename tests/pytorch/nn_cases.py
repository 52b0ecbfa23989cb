"""What nn_against_torch.py compares: small programs that mean the same with PyTorch's nn and with the lab's.

A case is a module (text), what it is called with (tensors), and the call (text; its last line is the value). A value
may be a tensor, or a tuple with tensors in it. Where PyTorch 1.13 has no such module, torch_make and torch_call say what
it computes instead.
"""

from dataclasses import dataclass, field

import torch


@dataclass
class Case:
    module: str  # whose line of the report this is
    make: str  # the expression that makes the model, or "" if a function is called
    inputs: dict
    call: str = "model(x)"
    torch_make: str = ""
    torch_call: str = ""
    is_random: bool = False  # only the distribution can be compared


def numbers(*shape, scale=1.0, seed=1):
    return scale * torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def ids(below, *shape, seed=2):
    return torch.randint(below, shape, generator=torch.Generator().manual_seed(seed))


def truths(*rows):
    return torch.tensor(rows) != 0


CASES = []


def case(make, call="model(x)", torch_make="", torch_call="", module="", is_random=False, **inputs):
    module = module or make.split("(")[0].removeprefix("nn.")
    CASES.append(Case(module, make, inputs, call, torch_make, torch_call, is_random))


def function(call, torch_call="", is_random=False, module="", **inputs):
    case("", call, "", torch_call, module or call.split("(")[0], is_random, **inputs)


# ── linear.py ──
case("nn.Linear(3, 4)", x=numbers(5, 3))
case("nn.Linear(3, 4, bias=False)", x=numbers(2, 5, 3))
case("nn.Linear(3, 1)", x=numbers(3))
case("nn.Identity(54, unused=True)", x=numbers(2, 3))
case("nn.Bilinear(3, 4, 5)", "model(x, y)", x=numbers(2, 6, 3), y=numbers(2, 6, 4, seed=3))
case("nn.Bilinear(3, 4, 2, bias=False)", "model(x, y)", x=numbers(6, 3), y=numbers(6, 4, seed=3))
case("nn.LazyLinear(4)", x=numbers(5, 3), torch_make="nn.Linear(3, 4)")
case("nn.LazyLinear(4, bias=False)", x=numbers(5, 3), torch_make="nn.Linear(3, 4, bias=False)")

# ── embedding.py ──
case("nn.Embedding(7, 3)", x=ids(7, 2, 5))
case("nn.Embedding(7, 3, padding_idx=2)", x=ids(7, 4, 9))
case("nn.Embedding(7, 3, padding_idx=-1)", x=ids(7, 4, 9))
case("nn.Embedding.from_pretrained(torch.arange(12.0).view(4, 3), freeze=False)", x=ids(4, 6), module="Embedding")
case(
    "nn.Embedding.from_pretrained(torch.arange(12.0).view(4, 3))",
    "model(x) * y",
    x=ids(4, 6),
    y=numbers(6, 3),
    module="Embedding",
)
function("F.embedding(x, w)", x=ids(7, 2, 5), w=numbers(7, 3))
function("F.embedding(x, w, padding_idx=1)", x=ids(7, 2, 5), w=numbers(7, 3))

# ── dropout.py ──
for name, shape in [("Dropout", (50, 100)), ("Dropout1d", (50, 100, 3)), ("Dropout2d", (50, 100, 2, 3))]:
    case(f"nn.{name}(0.25)", x=numbers(*shape), is_random=True)
    case(f"nn.{name}(0.25).eval()", x=numbers(*shape))
    case(f"nn.{name}(0.0)", x=numbers(*shape))
    case(f"nn.{name}(1.0)", x=numbers(*shape))
function("F.dropout(x, 0.3, training=False)", x=numbers(4, 5))
function("F.dropout(x, 0.3)", x=numbers(50, 100), is_random=True)
case("nn.Dropout(1.0, inplace=True)", "y = 2 * x\nz = model(y)\n(y, z)", x=numbers(4, 5))
# Where the layers below have their dropout: all is 0 from there on.
case("nn.RNN(3, 4, 2, dropout=1.0)", x=numbers(5, 2, 3))
case("nn.LSTM(3, 4, 2, dropout=1.0, bidirectional=True)", x=numbers(5, 2, 3))
case("nn.GRU(3, 4, 3, dropout=1.0)", x=numbers(5, 2, 3))
case("nn.MultiheadAttention(8, 2, dropout=1.0)", "model(x, x, x)", x=numbers(5, 2, 8))
case("nn.MultiheadAttention(8, 1, dropout=0.5)", "model(x, x, x)[1]", x=numbers(40, 10, 8), is_random=True)
case("nn.TransformerEncoderLayer(8, 2, 16, 1.0)", x=numbers(5, 2, 8))
case("nn.TransformerDecoderLayer(8, 2, 16, 1.0)", "model(x, y)", x=numbers(5, 2, 8), y=numbers(4, 2, 8))

# ── normalization.py ──
case("nn.LayerNorm(5)", x=numbers(2, 3, 5))
case("nn.LayerNorm([3, 5], eps=1e-3)", x=numbers(2, 3, 5))
case("nn.LayerNorm((5,), elementwise_affine=False)", x=numbers(3, 5))
case(
    "nn.LayerNorm(5, bias=False)",
    x=numbers(3, 5),
    torch_make="Named(weight=torch.ones(5))",
    torch_call="F.layer_norm(x, (5,), model.weight)",
)
RMS = "model.weight * x / ((x**2).mean({axes}, keepdim=True) + {eps}).sqrt()"
case(
    "nn.RMSNorm(5)",
    x=numbers(2, 3, 5),
    torch_make="Named(weight=torch.ones(5))",
    torch_call=RMS.format(axes=-1, eps="2**-23"),
)
case(
    "nn.RMSNorm([3, 5], eps=1e-2)",
    x=numbers(2, 3, 5),
    torch_make="Named(weight=torch.ones(3, 5))",
    torch_call=RMS.format(axes=(1, 2), eps=1e-2),
)
case(
    "nn.RMSNorm(5, 1e-5, elementwise_affine=False)",
    x=numbers(2, 5),
    torch_make="Named()",
    torch_call="x / ((x**2).mean(-1, keepdim=True) + 1e-5).sqrt()",
)
for name, shapes in [("BatchNorm1d", [(6, 4), (3, 4, 5)]), ("BatchNorm2d", [(3, 4, 2, 5)])]:
    for shape in shapes:
        case(f"nn.{name}(4)", x=numbers(*shape))
        case(f"nn.{name}(4)", "for _ in range(3):\n    model(x)\nmodel.eval()\nmodel(x)", x=numbers(*shape))
        case(
            f"nn.{name}(4, momentum=None)",
            "for _ in range(3):\n    model(x)\n    model(x * x)\nmodel.eval()\nmodel(x)",
            x=numbers(*shape),
        )
        case(f"nn.{name}(4, affine=False)", x=numbers(*shape))
        case(f"nn.{name}(4, track_running_stats=False).eval()", x=numbers(*shape))
        case(
            f"nn.{name}(4, 1e-2, 0.3)",
            "model(x)\nmodel.reset_running_stats()\nmodel(2 * x)\nmodel.eval()\nmodel(x)",
            x=numbers(*shape),
        )
case("nn.GroupNorm(2, 6)", x=numbers(3, 6, 4))
case("nn.GroupNorm(3, 6, eps=1e-2, affine=False)", x=numbers(3, 6, 2, 4))
case("nn.GroupNorm(1, 6)", x=numbers(3, 6))
case("nn.InstanceNorm1d(4)", x=numbers(3, 4, 5))
case("nn.InstanceNorm2d(4, affine=True)", x=numbers(3, 4, 2, 5))
function("F.normalize(x)", x=numbers(3, 4, 5))
function("F.normalize(x, p=2, dim=-1)", x=numbers(3, 4, 5))

# ── activations.py ──
for name in [
    "ReLU",
    "ReLU6",
    "Tanh",
    "Sigmoid",
    "GELU",
    "SiLU",
    "Softplus",
    "Mish",
    "LeakyReLU",
    "ELU",
    "SELU",
    "Softsign",
    "Tanhshrink",
    "LogSigmoid",
    "Hardtanh",
    "Hardsigmoid",
    "Hardswish",
    "Softmax",
    "LogSoftmax",
    "Softmin",
]:
    needs_axis = name in ["Softmax", "LogSoftmax", "Softmin"]
    case(f"nn.{name}({'dim=1' if needs_axis else ''})", x=numbers(4, 50, scale=4.0))
case("nn.ReLU(inplace=True)", "y = 2 * x\nz = model(y)\n(y, z)", x=numbers(4, 5))
case("nn.GELU('tanh')", x=numbers(4, 50, scale=3.0))
case("nn.Softplus(2.0, 3.0)", x=numbers(4, 50, scale=3.0))
case("nn.Softplus()", x=torch.tensor([0.0, 100.0, -100.0, 20.0, -20.0], dtype=torch.float64))
case("nn.LeakyReLU(0.3)", x=numbers(4, 50))
case("nn.ELU(0.7)", x=numbers(4, 50, scale=3.0))
case("nn.ELU()", x=torch.tensor([0.0, 1000.0, -1000.0], dtype=torch.float64))
case("nn.Hardtanh(-0.5, 0.2)", x=numbers(4, 50))
case("nn.Threshold(0.1, 20.0)", x=numbers(4, 50))
case("nn.PReLU()", x=numbers(4, 3, 5))
case("nn.PReLU(3, init=0.1)", x=numbers(4, 3, 5))
case("nn.PReLU(3)", x=numbers(4, 3))
case("nn.GLU()", x=numbers(4, 3, 6))
case("nn.GLU(dim=1)", x=numbers(4, 6, 3))
case("nn.Softmax()", x=numbers(4, 5))
case("nn.Softmax()", x=numbers(4, 5, 3))
case("nn.LogSoftmax(dim=-1)", x=numbers(4, 5, 3, scale=30.0))
for call in [
    "relu6(x)",
    "selu(x)",
    "mish(x)",
    "hardtanh(x, -0.3, 0.4)",
    "hardsigmoid(x)",
    "hardswish(x)",
    "threshold(x, 0.2, 3.0)",
    "softsign(x)",
    "tanhshrink(x)",
    "logsigmoid(x)",
    "softmin(x, dim=-1)",
    "glu(x)",
    "glu(x, dim=0)",
    "prelu(x, w)",
]:
    function(f"F.{call}", x=numbers(4, 6, scale=2.0), w=numbers(6, seed=5))

# ── losses.py ──
two = dict(x=numbers(4, 5), y=numbers(4, 5, seed=3))
for name in ["MSELoss", "L1Loss", "HuberLoss", "SmoothL1Loss"]:
    for reduction in ["mean", "sum", "none"]:
        case(f"nn.{name}(reduction='{reduction}')", "model(x, y)", **two)
case("nn.MSELoss(size_average=False)", "model(x, y)", **two)
case("nn.MSELoss(reduce=False)", "model(x, y)", **two)
case("nn.MSELoss(True)", "model(x, y)", **two)
case("nn.HuberLoss(delta=0.4)", "model(x, y)", **two)
case("nn.SmoothL1Loss(beta=0.4)", "model(x, y)", **two)
case("nn.SmoothL1Loss(beta=0)", "model(x, y)", **two)
for settings in [
    "",
    "weight=torch.tensor([1.0, 2.0, 0.5, 0.0, 3.0])",
    "ignore_index=2",
    "weight=torch.tensor([1.0, 2.0, 0.5, 0.1, 3.0]), ignore_index=1",
]:
    for reduction in ["mean", "sum", "none"]:
        both = f"{settings}{', ' if settings else ''}reduction='{reduction}'"
        case(f"nn.NLLLoss({both})", "model(torch.log_softmax(x, 1), y)", x=numbers(6, 5), y=ids(5, 6))
        case(f"nn.CrossEntropyLoss({both})", "model(x, y)", x=numbers(6, 5), y=ids(5, 6))
        case(f"nn.CrossEntropyLoss({both})", "model(x, y)", x=numbers(6, 5, 2, 3), y=ids(5, 6, 2, 3))
        case(f"nn.CrossEntropyLoss({both}, label_smoothing=0.2)", "model(x, y)", x=numbers(6, 5, 3), y=ids(5, 6, 3))
        if "ignore" not in both:
            case(
                f"nn.CrossEntropyLoss({both}, label_smoothing=0.1)",
                "model(x, torch.softmax(y, 1))",
                x=numbers(6, 5, 3),
                y=numbers(6, 5, 3, seed=3),
            )
case("nn.CrossEntropyLoss()", "model(x, y)", x=numbers(5), y=torch.tensor(3))
case("nn.CrossEntropyLoss()", "model(x, torch.softmax(y, 0))", x=numbers(5), y=numbers(5, seed=3))
function("F.cross_entropy(x, y, ignore_index=0)", x=numbers(6, 5), y=ids(5, 6))
function(
    "F.cross_entropy(x, y, w.detach(), reduction='sum', label_smoothing=0.1)",
    x=numbers(6, 5),
    y=ids(5, 6),
    w=numbers(5).abs(),
)
function("F.nll_loss(x, y)", x=numbers(6, 5), y=ids(5, 6))
function("F.mse_loss(x, y)", **two)
function("F.l1_loss(x, y, reduction='sum')", **two)
for reduction in ["mean", "sum", "none"]:
    case(f"nn.BCELoss(reduction='{reduction}')", "model(torch.sigmoid(x), (y > 0) * torch.ones_like(x))", **two)
    case(f"nn.BCEWithLogitsLoss(reduction='{reduction}')", "model(x, torch.sigmoid(y))", **two)
case("nn.BCELoss(torch.tensor([1.0, 2.0, 3.0, 4.0, 0.5]))", "model(torch.sigmoid(x), torch.sigmoid(y))", **two)
case(
    "nn.BCELoss()",
    "model(x.detach(), y)",
    x=torch.tensor([0.0, 1.0, 0.5], dtype=torch.float64),
    y=torch.tensor([0.0, 1.0, 1.0], dtype=torch.float64),
)
case("nn.BCEWithLogitsLoss(torch.tensor([1.0, 2.0, 3.0, 4.0, 0.5]))", "model(x, torch.sigmoid(y))", **two)
case("nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0, 4.0, 0.5]))", "model(x, torch.sigmoid(y))", **two)
case(
    "nn.BCEWithLogitsLoss()",
    "model(x, y)",
    x=torch.tensor([0.0, 200.0, -200.0], dtype=torch.float64),
    y=torch.tensor([0.0, 1.0, 0.25], dtype=torch.float64),
)
for reduction in ["mean", "sum", "none", "batchmean"]:
    case(f"nn.KLDivLoss(reduction='{reduction}')", "model(torch.log_softmax(x, 1), torch.softmax(y, 1))", **two)
    case(
        f"nn.KLDivLoss(reduction='{reduction}', log_target=True)",
        "model(torch.log_softmax(x, 1), torch.log_softmax(y, 1))",
        **two,
    )
case(
    "nn.KLDivLoss(size_average=False)",
    "model(torch.log_softmax(x, 1), y.detach())",
    x=numbers(4, 5),
    y=torch.eye(4, 5, dtype=torch.float64),
)
case("nn.CosineSimilarity()", "model(x, y)", x=numbers(4, 5, 3), y=numbers(4, 5, 3, seed=3))
case("nn.CosineSimilarity(dim=-1)", "model(x, y)", x=numbers(4, 5, 3), y=numbers(5, 3, seed=3))

# ── recurrent.py ──
for name, parts in [("RNN", 1), ("LSTM", 2), ("GRU", 1)]:

    def state(*shape):
        return {"h": numbers(*shape, seed=4)} | ({"c": numbers(*shape, seed=5)} if parts == 2 else {})

    given = "(h, c)" if parts == 2 else "h"
    for settings, directions, layers in [
        ("3, 4", 1, 1),
        ("3, 4, bias=False", 1, 1),
        ("3, 4, num_layers=2", 1, 2),
        ("3, 4, bidirectional=True", 2, 1),
        ("3, 4, 3, bidirectional=True", 2, 3),
    ]:
        case(f"nn.{name}({settings})", x=numbers(5, 2, 3))
        case(f"nn.{name}({settings})", f"model(x, {given})", x=numbers(5, 2, 3), **state(directions * layers, 2, 4))
        case(
            f"nn.{name}({settings}, batch_first=True)",
            f"model(x, {given})",
            x=numbers(2, 5, 3),
            **state(directions * layers, 2, 4),
        )
        case(f"nn.{name}({settings})", x=numbers(5, 3))
        case(f"nn.{name}({settings})", f"model(x, {given})", x=numbers(5, 3), **state(directions * layers, 4))
        for batch_first in [False, True]:
            for lengths in ["[5, 3, 3, 1]", "[3, 5, 1, 3]"]:
                enforced = ", enforce_sorted=False" if lengths[1] == "3" else ""
                case(
                    f"nn.{name}({settings}, batch_first={batch_first})",
                    f"""\
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
packed = pack_padded_sequence(x, {lengths}, batch_first={batch_first}{enforced})
output, state = model(packed, {given})
padded, lengths = pad_packed_sequence(output, batch_first={batch_first})
(padded, state, lengths * y)""",
                    x=numbers(*([4, 5] if batch_first else [5, 4]), 3),
                    y=numbers(4),
                    **state(directions * layers, 4, 4),
                )
    case(f"nn.{name}(3, 4, 2, dropout=0.3).eval()", x=numbers(5, 2, 3))
    case(f"nn.{name}Cell(3, 4)", x=numbers(2, 3))
    case(f"nn.{name}Cell(3, 4, bias=False)", f"model(x, {given})", x=numbers(2, 3), **state(2, 4))
    case(f"nn.{name}Cell(3, 4)", f"model(x, {given})", x=numbers(3), **state(4))
case("nn.RNN(3, 4, nonlinearity='relu', num_layers=2)", x=numbers(5, 2, 3))
case("nn.RNN(3, 4, batch_first=True, bidirectional=True)", x=numbers(5, 2, 3))
case("nn.RNNCell(3, 4, nonlinearity='relu')", x=numbers(2, 3))

# ── rnn_utils.py ──
UTILS = (
    "from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pack_sequence, pad_packed_sequence,"
    " pad_sequence\n"
)
for batch_first in [False, True]:
    function(
        UTILS + f"pad_sequence([x, y, z], batch_first={batch_first}, padding_value=0.5)",
        module="rnn_utils",
        x=numbers(3, 2),
        y=numbers(5, 2),
        z=numbers(1, 2),
    )
    function(
        UTILS
        + "packed = pack_sequence([x, y, z], enforce_sorted=False)\npad_packed_sequence(packed,"
        f" batch_first={batch_first}, padding_value=-1.0, total_length=7)[0]",
        module="rnn_utils",
        x=numbers(3, 2),
        y=numbers(5, 2),
        z=numbers(1, 2),
    )
    function(
        UTILS
        + f"packed = pack_padded_sequence(x, torch.tensor([4, 4, 2]), batch_first={batch_first})\n(packed.data,"
        " packed.batch_sizes * y)",
        module="rnn_utils",
        x=numbers(*([3, 4] if batch_first else [4, 3]), 2),
        y=numbers(4),
    )
function(
    UTILS
    + "packed = pack_padded_sequence(x, torch.tensor([2, 4, 3]), enforce_sorted=False)\n(packed.data,"
    " packed.sorted_indices * y, packed.unsorted_indices * y)",
    module="rnn_utils",
    x=numbers(4, 3, 2),
    y=numbers(3),
)

# ── attention.py ──
qkv = dict(q=numbers(3, 2, 8), k=numbers(5, 2, 8, seed=3), v=numbers(5, 2, 8, seed=4))
padding = truths([0, 0, 0, 1, 1], [0, 1, 0, 0, 0])
causal = torch.ones(3, 5).triu(1) > 0
per_head = torch.arange(8 * 3 * 5).view(8, 3, 5) % 4 == 1
case("nn.MultiheadAttention(8, 2)", "model(q, k, v)", **qkv)
case("nn.MultiheadAttention(8, 1, bias=False)", "model(q, k, v)", **qkv)
case("nn.MultiheadAttention(8, 4)", "model(q, k, v, average_attn_weights=False)", **qkv)
case("nn.MultiheadAttention(8, 4)", "model(q, k, v, need_weights=False)[0]", **qkv)
case("nn.MultiheadAttention(8, 4)", "model(q, k, v, m)", m=padding, **qkv)
case("nn.MultiheadAttention(8, 4)", "model(q, k, v, key_padding_mask=m, attn_mask=n)", m=padding, n=causal, **qkv)
case("nn.MultiheadAttention(8, 4)", "model(q, k, v, key_padding_mask=m, attn_mask=n)", m=padding, n=per_head, **qkv)
case("nn.MultiheadAttention(8, 2)", "model(q, k, v, attn_mask=n)", n=numbers(3, 5, seed=5), **qkv)
case("nn.MultiheadAttention(8, 2)", "model(q, k, v, attn_mask=n)", n=numbers(4, 3, 5, seed=5), **qkv)
case(
    "nn.MultiheadAttention(8, 2)",
    "model(q, k, v, key_padding_mask=n)",
    "",
    "model(q, k, v, attn_mask=n[:, None, None, :].expand(2, 2, 3, 5).reshape(4, 3, 5))",
    n=numbers(2, 5, seed=5),
    **qkv,
)
case(
    "nn.MultiheadAttention(8, 2, kdim=5, vdim=6)",
    "model(q, k, v)",
    q=numbers(3, 2, 8),
    k=numbers(5, 2, 5),
    v=numbers(5, 2, 6),
)
case(
    "nn.MultiheadAttention(8, 2, kdim=5, bias=False)",
    "model(q, k, v)",
    q=numbers(3, 2, 8),
    k=numbers(5, 2, 5),
    v=numbers(5, 2, 8),
)
case(
    "nn.MultiheadAttention(8, 2, batch_first=True)",
    "model(q, k, v, m)",
    q=numbers(2, 3, 8),
    k=numbers(2, 5, 8),
    v=numbers(2, 5, 8),
    m=padding,
)
case("nn.MultiheadAttention(8, 2, add_bias_kv=True)", "model(q, k, v, m, attn_mask=n)", m=padding, n=causal, **qkv)
case("nn.MultiheadAttention(8, 2, add_bias_kv=True, bias=False)", "model(q, k, v)", **qkv)
case("nn.MultiheadAttention(8, 2, add_zero_attn=True)", "model(q, k, v, m, attn_mask=n)", m=padding, n=causal, **qkv)
case(
    "nn.MultiheadAttention(8, 2, add_zero_attn=True, add_bias_kv=True, batch_first=True)",
    "model(x, x, x, m)",
    x=numbers(2, 5, 8),
    m=padding,
)
case("nn.MultiheadAttention(8, 2)", "model(q, k, v)", q=numbers(3, 8), k=numbers(5, 8), v=numbers(5, 8))
case(
    "nn.MultiheadAttention(8, 2, batch_first=True)",
    "model(q, k, v, m, attn_mask=n)",
    q=numbers(3, 8),
    k=numbers(5, 8),
    v=numbers(5, 8),
    m=padding[0],
    n=causal,
)
case("nn.MultiheadAttention(8, 2, dropout=0.5).eval()", "model(q, k, v)", **qkv)
SDPA = "torch.softmax({scores}, -1) @ {v}"
four = dict(q=numbers(2, 4, 3, 6), k=numbers(2, 4, 5, 6, seed=3), v=numbers(2, 4, 5, 7, seed=4))
function("F.scaled_dot_product_attention(q, k, v)", SDPA.format(scores="q @ k.mT / 6**0.5", v="v"), **four)
function("F.scaled_dot_product_attention(q, k, v, scale=0.3)", SDPA.format(scores="q @ k.mT * 0.3", v="v"), **four)
function(
    "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
    SDPA.format(scores="(q @ k.mT / 6**0.5).masked_fill(torch.ones(3, 5).triu(1) > 0, float('-inf'))", v="v"),
    **four,
)
function(
    "F.scaled_dot_product_attention(q, k, v, m)",
    SDPA.format(scores="(q @ k.mT / 6**0.5).masked_fill(~m, float('-inf'))", v="v"),
    m=~causal,
    **four,
)
function(
    "F.scaled_dot_product_attention(q, k, v, attn_mask=m, dropout_p=0.0)",
    SDPA.format(scores="q @ k.mT / 6**0.5 + m", v="v"),
    m=numbers(2, 1, 3, 5),
    **four,
)
function(
    "F.scaled_dot_product_attention(q, k, v, enable_gqa=True)",
    SDPA.format(scores="q @ k.repeat_interleave(2, 1).mT / 6**0.5", v="v.repeat_interleave(2, 1)"),
    q=numbers(2, 4, 3, 6),
    k=numbers(2, 2, 5, 6, seed=3),
    v=numbers(2, 2, 5, 6, seed=4),
)

# ── transformer.py ──
source_padding, target_padding = truths([0, 0, 0, 1], [0, 0, 0, 0]), truths([0, 0, 1], [0, 0, 0])
for settings in [
    "",
    ", activation='gelu'",
    ", norm_first=True",
    ", batch_first=True",
    ", activation=F.gelu, norm_first=True, batch_first=True, layer_norm_eps=1e-2",
]:
    shape = [(2, 4, 8), (2, 3, 8)] if "batch_first" in settings else [(4, 2, 8), (3, 2, 8)]
    given = dict(x=numbers(*shape[0]), y=numbers(*shape[1], seed=3), m=source_padding, n=target_padding)
    layer = f"(8, 2, 16, 0.0{settings})"
    case(f"nn.TransformerEncoderLayer{layer}", x=given["x"])
    case(
        f"nn.TransformerEncoderLayer{layer}",
        "model(x, src_mask=nn.Transformer.generate_square_subsequent_mask(4), src_key_padding_mask=m)",
        x=given["x"],
        m=source_padding,
    )
    case(f"nn.TransformerDecoderLayer{layer}", "model(y, x)", x=given["x"], y=given["y"])
    case(f"nn.TransformerDecoderLayer{layer}", "model(y, x, torch.ones(3, 3).triu(1) > 0, None, n, m)", **given)
    case(
        f"nn.TransformerEncoder(nn.TransformerEncoderLayer{layer}, 2)",
        "model(x, src_key_padding_mask=m)",
        x=given["x"],
        m=source_padding,
    )
    case(
        f"nn.TransformerEncoder(nn.TransformerEncoderLayer{layer}, 2, nn.LayerNorm(8))",
        "model(x, torch.ones(4, 4).triu(1) > 0)",
        x=given["x"],
    )
    case(
        f"nn.TransformerDecoder(nn.TransformerDecoderLayer{layer}, 2, norm=nn.LayerNorm(8))",
        "model(y, x, tgt_mask=torch.ones(3, 3).triu(1) > 0, tgt_key_padding_mask=n, memory_key_padding_mask=m)",
        **given,
    )
    case(f"nn.Transformer(8, 2, 2, 1, 16, 0.0{settings})", "model(x, y)", x=given["x"], y=given["y"])
    case(
        f"nn.Transformer(8, 2, 1, 2, 16, 0.0{settings})",
        """\
model(x, y, tgt_mask=torch.ones(3, 3).triu(1) > 0, src_key_padding_mask=m,
      tgt_key_padding_mask=n, memory_key_padding_mask=m)""",
        **given,
    )
case(
    "nn.Transformer(8, 4, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=8).eval()",
    "model(x, y)",
    x=numbers(4, 2, 8),
    y=numbers(3, 2, 8),
)
case("nn.TransformerEncoderLayer(8, 2, 16, 0.0)", x=numbers(4, 8))
case(
    "nn.TransformerEncoderLayer(8, 2, 16, 0.0, bias=False)",
    x=numbers(4, 2, 8),
    torch_make="without_biases(nn.TransformerEncoderLayer(8, 2, 16, 0.0))",
)
case(
    "nn.TransformerDecoderLayer(8, 2, 16, 0.0, bias=False)",
    "model(y, x)",
    x=numbers(4, 2, 8),
    y=numbers(3, 2, 8),
    torch_make="without_biases(nn.TransformerDecoderLayer(8, 2, 16, 0.0))",
)

# ── convolution.py, padding.py, pooling.py ──
for settings in [
    "3",
    "3, stride=2",
    "3, padding=1",
    "2, dilation=2",
    "3, padding='same'",
    "4, padding='same'",
    "3, padding='valid', bias=False",
    "3, groups=2",
    "1, groups=4",
    "3, padding=2, padding_mode='circular'",
    "3, padding=1, padding_mode='reflect', stride=2",
    "3, padding=1, padding_mode='replicate'",
]:
    case(f"nn.Conv1d(4, 8, {settings})", x=numbers(2, 4, 9))
    case(f"nn.Conv2d(4, 8, {settings})", x=numbers(2, 4, 7, 6))
case("nn.Conv1d(4, 6, 3)", x=numbers(4, 9))
case("nn.Conv2d(4, 6, (2, 3), (1, 2), (0, 1), (2, 1))", x=numbers(2, 4, 7, 6))
case("nn.Conv2d(1, 6, 5)", x=numbers(1, 8, 8))
case("nn.Conv2d(3, 6, (3, 2), padding=(2, 1), padding_mode='reflect')", x=numbers(2, 3, 5, 6))
function("F.conv1d(x, w, b, stride=2, padding=1)", x=numbers(2, 4, 9), w=numbers(5, 4, 3), b=numbers(5))
function("F.conv2d(x, w)", x=numbers(2, 4, 6, 7), w=numbers(5, 4, 3, 2))
for name, shape in [("1d", (2, 3, 9)), ("2d", (2, 3, 8, 9))]:
    for settings in ["2", "3, stride=2", "3, stride=1, padding=1", "3, 2, 1"]:
        case(f"nn.MaxPool{name}({settings})", x=numbers(*shape))
        case(f"nn.AvgPool{name}({settings})", x=numbers(*shape))
    case(f"nn.MaxPool{name}(2, dilation=2)", x=numbers(*shape))
    case(f"nn.MaxPool{name}(2)", "model(torch.relu(x))", x=numbers(*shape))
    case(f"nn.AvgPool{name}(3, padding=1, count_include_pad=False)", x=numbers(*shape))
    case(f"nn.AvgPool{name}(2)", x=numbers(*shape[1:]))
    case(f"nn.MaxPool{name}(2)", x=numbers(*shape[1:]))
    for size in ["1", "3", "4"]:
        case(f"nn.AdaptiveAvgPool{name}({size})", x=numbers(*shape))
case("nn.MaxPool2d((2, 3), stride=(1, 2))", x=numbers(2, 3, 8, 9))
case("nn.AvgPool2d(2, divisor_override=3)", x=numbers(2, 3, 8, 9))
case("nn.AdaptiveAvgPool2d((None, 2))", x=numbers(2, 3, 8, 9))
case("nn.AdaptiveAvgPool2d((4, 2))", x=numbers(3, 8, 9))
for call in [
    "max_pool1d(x[0], 2)",
    "max_pool2d(x, 2, 2)",
    "avg_pool1d(x[0], 3)",
    "avg_pool2d(x, (3, 2))",
    "adaptive_avg_pool1d(x[0], 2)",
    "adaptive_avg_pool2d(x, 3)",
    "pad(x, (1, 2))",
    "pad(x, (1, 2, 3, 0), value=0.5)",
    "pad(x, (-1, 2, 0, -2))",
    "pad(x, (2, 3, 1, 1), mode='reflect')",
    "pad(x, (2, 3, 1, 1), mode='replicate')",
    "pad(x, (2, 3, 1, 1), mode='circular')",
    "pad(x, (0, 0, 0, 0, 1, 1), 'constant', 1.0)",
]:
    function(f"F.{call}", x=numbers(2, 3, 6, 5))
function("F.pad(y, (1, 1)) * x", x=numbers(2, 5), y=ids(9, 2, 3))

# ── flatten.py ──
case("nn.Flatten()", x=numbers(2, 3, 4, 5))
case("nn.Flatten(0, 1)", x=numbers(2, 3, 4, 5))
case("nn.Flatten(start_dim=2)", x=numbers(2, 3, 4, 5))
case("nn.Unflatten(1, (2, 3))", x=numbers(4, 6, 5))
case("nn.Unflatten(-1, torch.Size([5, 1]))", x=numbers(4, 6, 5))

# ── containers.py ──
case("nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Dropout(0.0), nn.Linear(4, 2))", x=numbers(5, 3))
case(
    "nn.Sequential(dict(first=nn.Linear(3, 4), second=nn.Tanh()))",
    x=numbers(5, 3),
    torch_make="nn.Sequential(OrderedDict(first=nn.Linear(3, 4), second=nn.Tanh()))",
)
case("nn.Sequential()", x=numbers(5, 3))
case(
    "nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])",
    "for layer in model:\n    x = x + layer(x)\nx",
    x=numbers(5, 3),
)
case(
    "nn.ModuleDict({'a': nn.Linear(3, 3), 'b': nn.Linear(3, 3, bias=False)})", "model['b'](model.a(x))", x=numbers(5, 3)
)
case(
    "nn.ParameterList([nn.Parameter(torch.ones(3)), nn.Parameter(torch.zeros(5, 3))])",
    "x * model[0] + model[-1]",
    x=numbers(5, 3),
)
case(
    "nn.ParameterDict({'a': nn.Parameter(torch.ones(3)), 'b': nn.Parameter(torch.zeros(5, 3))})",
    "x * model['a'] + model.b",
    x=numbers(5, 3),
)

# ── functional.py, utils.py ──
function("F.linear(x, w, b)", x=numbers(2, 3), w=numbers(4, 3), b=numbers(4))
function("F.linear(x, w)", x=numbers(2, 3), w=numbers(4, 3))
function("F.bilinear(x, y, w, b)", x=numbers(2, 3), y=numbers(2, 4), w=numbers(5, 3, 4), b=numbers(5))
function("F.cosine_similarity(x, y)", **two)
function("F.cosine_similarity(x, y, dim=-1)", **two)
function("F.smooth_l1_loss(x, y, beta=0.5)", **two)
function("F.huber_loss(x, y)", **two)
function("F.kl_div(torch.log_softmax(x, 1), torch.softmax(y, 1), reduction='batchmean')", **two)
function("F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y))", **two)
function("F.binary_cross_entropy_with_logits(x, torch.sigmoid(y))", **two)
function("F.gumbel_softmax(x, tau=0.7)[:, 0]", x=numbers(3000, 4), is_random=True)
function("F.gumbel_softmax(x, hard=True)[:, 0]", x=numbers(3000, 4), is_random=True)
case("nn.Linear(3, 4)", "nn.utils.parameters_to_vector(model.parameters())", module="parameters_to_vector")
