#include "engine/program/pytorch.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace unroll::program {
namespace {

// Names that PyTorch has under another name, with other defaults, or for tensors only.
constexpr char names[] = R"py(# Runs under PyTorch 1.13 or later.
import builtins, json, math
import torch
import torch.nn.functional as F
from math import inf, pi
from torch import arange, argmax, cat, chunk, clamp, cumsum, eye, flatten, flip, full, log_softmax, logsumexp, matmul
from torch import ones, ones_like, rand, randint, randn, squeeze, stack, std, tensor, topk, transpose, tril, triu
from torch import unsqueeze, var, zeros, zeros_like
from torch.nn.functional import cross_entropy, gelu, layer_norm, linear, mse_loss, silu, softplus

def _is_tensor(x): return isinstance(x, torch.Tensor)
def _tensor(x): return x if _is_tensor(x) else torch.tensor(x)
def _takes_numbers(function): return lambda x: function(_tensor(x))
exp, log, tanh, sigmoid, relu = map(_takes_numbers, (torch.exp, torch.log, torch.tanh, torch.sigmoid, torch.relu))
erf, sin, cos, square, floor = map(_takes_numbers, (torch.erf, torch.sin, torch.cos, torch.square, torch.floor))
def sqrt(x): return torch.sqrt(x) if _is_tensor(x) else math.sqrt(x)
def abs(x): return torch.abs(x) if _is_tensor(x) else builtins.abs(x)
def max(*values): return torch.max(values[0]) if _is_tensor(values[0]) else builtins.max(*values)
def min(*values): return torch.min(values[0]) if _is_tensor(values[0]) else builtins.min(*values)
def maximum(x, other): return torch.maximum(_tensor(x), _tensor(other))
def minimum(x, other): return torch.minimum(_tensor(x), _tensor(other))
def where(condition, x, other): return torch.where(condition, _tensor(x), _tensor(other))
def masked_fill(x, mask, value): return x.masked_fill(mask, value)
def embedding(ids, weight): return F.embedding(ids.long(), weight)
def one_hot(ids, num_classes): return F.one_hot(ids.long(), num_classes)
def permute(x, *dims): return x.permute(*dims)
def reshape(x, *shape): return x.reshape(*shape)
def mean(x, *dim, **options): return x.mean(*dim, **options)
def amax(x, dim=(), keepdim=False): return torch.amax(x, dim, keepdim)
def amin(x, dim=(), keepdim=False): return torch.amin(x, dim, keepdim)
def pow(x, exponent): return x ** exponent
def sum(x, *dim, **options): return x.sum(*dim, **options) if _is_tensor(x) else builtins.sum(x)
def softmax(x, dim):  # a row of -inf gives zeros, where PyTorch has NaN
    hidden = (x == -inf).all(dim, keepdim=True)
    return torch.softmax(x.masked_fill(hidden, 0), dim).masked_fill(hidden, 0)
torch.Tensor.softmax = softmax
def rms_norm(x, normalized_shape, weight=None, eps=1e-5):
    y = x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return y if weight is None else y * weight

)py";

constexpr char run[] = R"py(
def _as_json(value):
    if isinstance(value, (list, tuple)): return [_as_json(each) for each in value]
    if not _is_tensor(value): return value
    return {"shape": list(value.shape), "data": [float(x) for x in value.detach().flatten()]}

_result = _function(**_inputs)
_output = _tensor(_result[0] if isinstance(_result, (list, tuple)) else _result)
)py";

// The editor of the page takes what is between them when a script is pasted.
constexpr char program_begins[] = "# ---- program ----\n";
constexpr char program_ends[] = "\n# ---- end of program ----\n";

constexpr char sum_loss[] = "_loss = _output.sum()\n";

constexpr char print[] = R"py(if _loss.requires_grad: _loss.backward()
_leaves = {**_inputs, **_parameters}
_gradients = {name: _as_json(x.grad) for name, x in _leaves.items() if _is_tensor(x) and x.requires_grad}
print(json.dumps({"result": _as_json(_result), "loss": float(_loss), "gradients": _gradients}))
)py";

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// With as many digits as it takes to read the same number again.
std::string literal(double number) {
  if (!std::isfinite(number)) return std::isnan(number) ? "math.nan" : number > 0 ? "inf" : "-inf";
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.17g", number);
  return text.data();
}

std::string python(const Value& value) {
  if (const auto* x = value.as<TypedTensor>()) {
    std::string data, shape;
    for (const Scalar each : x->tensor.values()) data += literal(static_cast<double>(each)) + ", ";
    for (const int size : x->tensor.shape()) shape += std::to_string(size) + ", ";
    constexpr const char* types[] = {"torch.float32", "torch.int64", "torch.bool"};
    const std::string type = types[static_cast<int>(x->type)];
    return "torch.tensor([" + data + "], dtype=" + type + ").reshape((" + shape + "))" +
           (x->type == Type::real ? ".requires_grad_()" : "");
  }
  if (const auto* text = value.as<std::string>()) return quoted(*text);
  if (is_whole(value)) return value.is<bool>() ? (whole_of(value) ? "True" : "False") : std::to_string(whole_of(value));
  if (is_number(value)) return literal(number_of(value));
  return "None";
}

std::string dictionary(const char* name, const NamedValues& values) {
  std::string text = std::string(name) + " = {\n";
  for (const auto& [key, value] : values) text += "    " + quoted(key) + ": " + python(value) + ",\n";
  return text + "}\n";
}

}  // namespace

std::string pytorch_script(const RecordedCall& call) {
  std::string constants, loss = sum_loss;
  for (const auto& [name, value] : call.constants) constants += name + " = " + python(value) + "\n";
  if (call.target) {
    const std::string target = python(TypedTensor{*call.target, Type::integer});
    loss = "_target = " + target + "\n_loss = F.cross_entropy(_output.flatten(0, 1), _target.flatten(), ignore_index=" +
           std::to_string(call.ignored) + ")\n";
  }
  return names + constants + dictionary("_parameters", call.parameters) +
         "def parameter(name, shape, init=\"xavier\"): return _parameters[name]\n\n" + program_begins + call.text +
         program_ends + dictionary("_inputs", call.arguments) + "_function = " + call.function + "\n" + run + loss +
         print;
}

}  // namespace unroll::program
