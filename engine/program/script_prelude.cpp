#include "engine/program/script_prelude.h"

#include <algorithm>
#include <span>

#include "engine/program/lexer.h"
#include "engine/program/packages.h"
#include "engine/program/script_rules.h"
#include "engine/tensor/error.h"

namespace unroll::program {
namespace {

struct Definition {
  std::string_view names;  // with spaces between them
  std::string_view text;
};

constexpr char head[] = R"py(# Runs under PyTorch 1.13 or later.
from __future__ import annotations
import builtins as _builtins, json as _json, math as _math, sys as _sys
import torch as _torch
import torch.nn.functional as _F

def _is_tensor(x): return _builtins.isinstance(x, _torch.Tensor)
def _tensor(x):
    if _builtins.isinstance(x, (_builtins.list, _builtins.tuple)): raise TypeError("expected a tensor or a number")
    return x if _is_tensor(x) else _torch.tensor(x)
def _softmax(input, dim, dtype=None):  # a row of -inf gives zeros, where PyTorch has NaN
    input = input if dtype is None else input.to(dtype)
    hidden = (input == -_math.inf).all(dim, keepdim=True)
    return _softmax_of_torch(input.masked_fill(hidden, 0), dim).masked_fill(hidden, 0)
def _log_softmax(input, dim, dtype=None):
    input = input if dtype is None else input.to(dtype)
    hidden = (input == -_math.inf).all(dim, keepdim=True)
    return _torch.where(hidden, input, _log_softmax_of_torch(input.masked_fill(hidden, 0), dim))
_softmax_of_torch, _log_softmax_of_torch = _torch.softmax, _torch.log_softmax
_torch.Tensor.softmax, _torch.Tensor.log_softmax = _softmax, _log_softmax
)py";

// Of a program with imports: what it calls by these names of PyTorch is the lab's, too.
constexpr char patch[] = "_torch.softmax, _torch.log_softmax = _softmax, _log_softmax\n";

constexpr std::string_view math_names = "inf pi";
constexpr std::string_view torch_names =
    "arange argmax cat chunk clamp cumsum eye flatten flip full logsumexp matmul ones ones_like rand randint randn "
    "squeeze stack std tensor topk transpose tril triu unsqueeze var zeros zeros_like";
constexpr std::string_view linalg_names = "svdvals";
constexpr std::string_view functional_names = "elu gelu layer_norm leaky_relu linear mse_loss silu softplus";

// Names that PyTorch has under another name, with other defaults, or for tensors only.
constexpr Definition definitions[] = {
    {"exp log tanh sigmoid relu erf sin cos square floor",
     R"py(def _takes_numbers(function): return lambda x: function(_tensor(x))
exp, log, tanh, sigmoid, relu = map(_takes_numbers, (_torch.exp, _torch.log, _torch.tanh, _torch.sigmoid, _torch.relu))
erf, sin, cos, square, floor = map(_takes_numbers, (_torch.erf, _torch.sin, _torch.cos, _torch.square, _torch.floor))
)py"},
    {"sqrt", "def sqrt(x): return _torch.sqrt(x) if _is_tensor(x) else _math.sqrt(x)\n"},
    {"abs", "def abs(x): return _torch.abs(x) if _is_tensor(x) else _builtins.abs(x)\n"},
    {"max",
     "def max(*values, **options): return _torch.max(values[0]) if _is_tensor(values[0]) else _builtins.max(*values, "
     "**options)\n"},
    {"min",
     "def min(*values, **options): return _torch.min(values[0]) if _is_tensor(values[0]) else _builtins.min(*values, "
     "**options)\n"},
    {"maximum", "def maximum(x, other): return _torch.maximum(_tensor(x), _tensor(other))\n"},
    {"minimum", "def minimum(x, other): return _torch.minimum(_tensor(x), _tensor(other))\n"},
    {"where", "def where(condition, x, other): return _torch.where(condition, _tensor(x), _tensor(other))\n"},
    {"masked_fill", "def masked_fill(x, mask, value): return x.masked_fill(mask, value)\n"},
    {"embedding", "def embedding(ids, weight): return _F.embedding(ids.long(), weight)\n"},
    {"one_hot", "def one_hot(ids, num_classes): return _F.one_hot(ids.long(), num_classes)\n"},
    {"permute", "def permute(x, *dims): return x.permute(*dims)\n"},
    {"reshape", "def reshape(x, *shape): return x.reshape(*shape)\n"},
    {"mean", "def mean(x, *dim, **options): return x.mean(*dim, **options)\n"},
    {"amax", "def amax(x, dim=(), keepdim=False): return _torch.amax(x, dim, keepdim)\n"},
    {"amin", "def amin(x, dim=(), keepdim=False): return _torch.amin(x, dim, keepdim)\n"},
    {"pow",
     "def pow(x, exponent, *mod): return x ** exponent if _is_tensor(x) else _builtins.pow(x, exponent, *mod)\n"},
    {"sum",
     "def sum(x, *dim, **options): return x.sum(*dim, **options) if _is_tensor(x) else _builtins.sum(x, *dim, "
     "**options)\n"},
    {"softmax log_softmax", "softmax, log_softmax = _softmax, _log_softmax\n"},
    {"cross_entropy", R"py(def cross_entropy(logits, target, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    return _F.cross_entropy(logits, target.long(), None, None, ignore_index, None, reduction, label_smoothing)
)py"},
    {"rms_norm", R"py(def rms_norm(x, normalized_shape, weight=None, eps=1e-5):
    if _builtins.list(normalized_shape) != [x.shape[-1]]: raise ValueError("rms_norm goes along the last axis")
    y = x / _torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return y if weight is None else y * weight
)py"}};

// Python's own names, where a program uses them.
constexpr Definition guards[] = {
    {"print",
     "def print(*values, sep=\" \", end=\"\\n\", file=None, flush=False): _builtins.print(*values, sep=sep, end=end, "
     "file=_sys.stderr)\n"},
    {"type", R"py(def type(x):
    found = _builtins.type(x)
    if _builtins.issubclass(found, _builtins.type): raise TypeError("a script asks for the type of values only")
    return found
)py"},
    {"getattr", "def getattr(x, name, *default): return _builtins.getattr(x, _checked(name, x), *default)\n"},
    {"setattr", "def setattr(x, name, value): _builtins.setattr(x, _checked(name, x), value)\n"},
    {"delattr", "def delattr(x, name): _builtins.delattr(x, _checked(name, x))\n"}};

constexpr char checked_name[] =
    R"py(def _checked(name, x=None):  # the name of an attribute, unless it leads to Python itself
    known = _members.get(x.__name__, ()) if _builtins.isinstance(x, _builtins.type(_math)) else None
    is_text = _builtins.type(name) is _builtins.str
    if not is_text or name.startswith("__") or name in _hidden or known is not None and name not in known:
        raise AttributeError(f"a script has no attribute {name!r}")
    return name
)py";

constexpr char attributes[] = R"py(import collections.abc as _collections
def _attributes_of(x):  # x.__dict__, which takes names of attributes only
    if _builtins.isinstance(x, _builtins.type): raise TypeError("a script changes the attributes of objects only")
    own = x.__dict__
    class Attributes(_collections.MutableMapping):
        def __getitem__(self, name): return own[_checked(name)]
        def __setitem__(self, name, value): own[_checked(name)] = value
        def __delitem__(self, name): del own[_checked(name)]
        def __iter__(self): return _builtins.iter([name for name in own if name[:2] != "__"])
        def __len__(self): return _builtins.len(own)
        def __repr__(self): return _builtins.repr(own)
    return Attributes()
)py";

// By the members that a program uses: what PyTorch has only in later versions, or otherwise, and what takes names.
constexpr Definition of_members[] = {
    {"torch.nn.functional.scaled_dot_product_attention",
     R"py(def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    if enable_gqa: key, value = (x.repeat_interleave(query.shape[-3] // x.shape[-3], -3) for x in (key, value))
    scores = query @ key.transpose(-2, -1) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal: attn_mask = _torch.ones(scores.shape[-2:], dtype=_torch.bool).tril()
    if attn_mask is not None and attn_mask.dtype == _torch.bool: scores = scores.masked_fill(~attn_mask, -_math.inf)
    elif attn_mask is not None: scores = scores + attn_mask
    return _F.dropout(_softmax(scores, -1), dropout_p) @ value
_F.scaled_dot_product_attention = _attention
)py"},
    {"torch.nn.functional.rms_norm", R"py(if not _builtins.hasattr(_F, "rms_norm"):  # before PyTorch 2.4
    def _rms_norm(input, normalized_shape, weight=None, eps=None):
        eps = _torch.finfo(input.dtype).eps if eps is None else eps
        axes = _builtins.tuple(_builtins.range(-_builtins.len(normalized_shape), 0))
        y = input * _torch.rsqrt(input.square().mean(axes, keepdim=True) + eps)
        return y if weight is None else y * weight
    _F.rms_norm = _rms_norm
)py"},
    {"torch.nn.RMSNorm torch.nn.modules.RMSNorm",
     R"py(if not _builtins.hasattr(_torch.nn, "RMSNorm"):  # before PyTorch 2.4
    class _RMSNorm(_torch.nn.Module):
        def __init__(self, normalized_shape, eps=None, elementwise_affine=True):
            super().__init__()
            shape = [normalized_shape] if _builtins.isinstance(normalized_shape, _builtins.int) else normalized_shape
            self.axes, self.eps = _builtins.tuple(_builtins.range(-_builtins.len(shape), 0)), eps
            self.weight = _torch.nn.Parameter(_torch.ones(shape)) if elementwise_affine else None
        def forward(self, x):
            eps = _torch.finfo(x.dtype).eps if self.eps is None else self.eps
            y = x * _torch.rsqrt(x.square().mean(self.axes, keepdim=True) + eps)
            return y if self.weight is None else y * self.weight
    _torch.nn.RMSNorm = _RMSNorm
)py"},
    {"enum.Enum enum.IntEnum", R"py(import enum as _enum
def _create(cls, class_name, names, *rest, **options):
    if _builtins.type(names) is _builtins.str: names = names.replace(",", " ").split()
    names = [*names.items()] if _builtins.isinstance(names, _builtins.dict) else [*names]
    for each in names: _checked(each if _builtins.isinstance(each, _builtins.str) else each[0])
    return _create_of_python(cls, class_name, names, *rest, **options)
_create_of_python, _builtins.type(_enum.Enum)._create_ = _builtins.type(_enum.Enum)._create_, _create
)py"},
    {"dataclasses.dataclass dataclasses.field dataclasses.fields", R"py(import dataclasses as _dataclasses
def _set_of_field(field, name, value):  # the text of __init__ is made of names
    if name == "name" and value is not None and not (_builtins.type(value) is _builtins.str and value.isidentifier()):
        raise TypeError("the name of a field is a name")
    _builtins.object.__setattr__(field, name, value)
_dataclasses.Field.__setattr__ = _set_of_field
)py"},
    {"torch.nn.ParameterDict",
     R"py(def _set_parameter(self, key, value): _set_parameter_of_torch(self, _checked(key), value)
_set_parameter_of_torch, _torch.nn.ParameterDict.__setitem__ = _torch.nn.ParameterDict.__setitem__, _set_parameter
)py"}};

bool is_any_needed(std::string_view names, const std::set<std::string>& needed) {
  return std::ranges::any_of(needed, [&](const std::string& each) { return has_word(names, each); });
}

// from torch import arange, …: of the names those that `is_needed`.
std::string import_line(std::string_view package, std::string_view names, const auto& is_needed) {
  std::string line;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    const std::string name(names.substr(at, end - at));
    if (is_needed(name)) line += (line.empty() ? "" : ", ") + name;
    at = end + 1;
  }
  return line.empty() ? line : "from " + std::string(package) + " import " + line + "\n";
}

// Of operations that are only imported, as PyTorch has them under the same name.
std::string_view package_of(std::string_view name) {
  for (const std::string_view package : {"torch", "torch.nn.functional"})
    if (is_member_of_script(package, name)) return package;
  return {};
}

bool is_listed(std::string_view name) {
  for (const std::string_view words :
       {math_names, torch_names, linalg_names, functional_names, std::string_view("parameter")})
    if (has_word(words, name)) return true;
  return std::ranges::any_of(definitions, [&](const Definition& each) { return has_word(each.names, name); });
}

// All lines that import the lab's names.
std::string imports_for(const ScriptNeeds& needs) {
  const auto is_needed = [&](const std::string& name) { return !needs.imports || needs.names.contains(name); };
  std::string lines = import_line("math", math_names, is_needed) + import_line("torch", torch_names, is_needed) +
                      import_line("torch.linalg", linalg_names, is_needed) +
                      import_line("torch.nn.functional", functional_names, is_needed);
  const std::string names = join({needs.names.begin(), needs.names.end()}, " ");
  for (const std::string_view package : {"torch", "torch.nn.functional"})
    lines += import_line(package, names, [&](const std::string& name) {
      return !is_listed(name) && !is_python_function(name) && !is_guarded(name) && package_of(name) == package;
    });
  return lines;
}

// A list of Python's of these words, which spaces separate, in lines of some length.
std::string words_in_lines(std::string_view words) {
  constexpr std::size_t longest = 110;
  std::string lines = "\"\"\"\n";
  while (!words.empty()) {
    const std::size_t end = words.size() <= longest ? words.size() : words.rfind(' ', longest);
    lines += "    " + std::string(words.substr(0, end)) + "\n";
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return lines + "\"\"\".split()";
}

std::string guard_of_names(const ScriptNeeds& needs) {
  std::string members;
  for (const std::string& package : needs.looked_up) {
    members += "    \"" + package + "\": " + words_in_lines(join(members_of_script(package), " ")) + ",\n";
  }
  return "_members = {\n" + members + "}\n_hidden = " + words_in_lines(hidden_names()) + "\n" + checked_name;
}

}  // namespace

bool defines_in_script(std::string_view name) { return is_listed(name) || !package_of(name).empty(); }

std::string prelude_for(const ScriptNeeds& needs) {
  const std::set<std::string>* used = needs.imports ? &needs.names : nullptr;
  std::string text = head;
  if (needs.imports) text += patch;
  text += imports_for(needs);
  for (const Definition& each : definitions)
    if (!used || is_any_needed(each.names, *used)) text += each.text;
  std::string guarded;
  for (const Definition& each : guards)
    if (is_any_needed(each.names, needs.names)) guarded += each.text;
  for (const Definition& each : of_members)
    if (is_any_needed(each.names, needs.members)) guarded += each.text;
  if (!needs.dictionaries.empty()) guarded += attributes;
  if (guarded.find("_checked(") != std::string::npos) text += guard_of_names(needs);
  return text + guarded + "\n";
}

std::set<std::string> private_names_in(std::string_view text) {
  std::set<std::string> names;
  for (const Token& each : tokens_of(text))
    if (each.kind == TokenKind::name && each.text.starts_with('_') && !each.text.starts_with("__"))
      names.insert(each.text);
  return names;
}

const std::set<std::string>& private_names_of_prelude() {
  static const std::set<std::string> all = [] {
    std::string text = std::string(head) + patch + checked_name + attributes + "_members = _hidden = 0\n";
    for (const std::span<const Definition> part : {std::span<const Definition>(definitions), {guards}, {of_members}})
      for (const Definition& each : part) text += each.text;
    return private_names_in(text);
  }();
  return all;
}

}  // namespace unroll::program
