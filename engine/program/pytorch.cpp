#include "engine/program/pytorch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "engine/program/arithmetic.h"
#include "engine/program/library.h"
#include "engine/program/syntax.h"

namespace unroll::program {
namespace {

// Names that PyTorch has under another name, with other defaults, or for tensors only.
constexpr char names[] = R"py(# Runs under PyTorch 1.13 or later.
import builtins as _builtins, json as _json, math as _math
import torch as _torch
import torch.nn.functional as _F
from math import inf, pi
from torch import arange, argmax, cat, chunk, clamp, cumsum, eye, flatten, flip, full, logsumexp, matmul
from torch import ones, ones_like, rand, randint, randn, squeeze, stack, std, tensor, topk, transpose, tril, triu
from torch import unsqueeze, var, zeros, zeros_like
from torch.linalg import svdvals
from torch.nn.functional import gelu, layer_norm, linear, mse_loss, silu, softplus

def _is_tensor(x): return _builtins.isinstance(x, _torch.Tensor)
def _tensor(x):
    if _builtins.isinstance(x, (_builtins.list, _builtins.tuple)): raise TypeError("expected a tensor or a number")
    return x if _is_tensor(x) else _torch.tensor(x)
def _takes_numbers(function): return lambda x: function(_tensor(x))
exp, log, tanh, sigmoid, relu = map(_takes_numbers, (_torch.exp, _torch.log, _torch.tanh, _torch.sigmoid, _torch.relu))
erf, sin, cos, square, floor = map(_takes_numbers, (_torch.erf, _torch.sin, _torch.cos, _torch.square, _torch.floor))
def sqrt(x): return _torch.sqrt(x) if _is_tensor(x) else _math.sqrt(x)
def abs(x): return _torch.abs(x) if _is_tensor(x) else _builtins.abs(x)
def max(*values): return _torch.max(values[0]) if _is_tensor(values[0]) else _builtins.max(*values)
def min(*values): return _torch.min(values[0]) if _is_tensor(values[0]) else _builtins.min(*values)
def maximum(x, other): return _torch.maximum(_tensor(x), _tensor(other))
def minimum(x, other): return _torch.minimum(_tensor(x), _tensor(other))
def where(condition, x, other): return _torch.where(condition, _tensor(x), _tensor(other))
def masked_fill(x, mask, value): return x.masked_fill(mask, value)
def embedding(ids, weight): return _F.embedding(ids.long(), weight)
def one_hot(ids, num_classes): return _F.one_hot(ids.long(), num_classes)
def permute(x, *dims): return x.permute(*dims)
def reshape(x, *shape): return x.reshape(*shape)
def mean(x, *dim, **options): return x.mean(*dim, **options)
def amax(x, dim=(), keepdim=False): return _torch.amax(x, dim, keepdim)
def amin(x, dim=(), keepdim=False): return _torch.amin(x, dim, keepdim)
def pow(x, exponent): return x ** exponent
def sum(x, *dim, **options): return x.sum(*dim, **options) if _is_tensor(x) else _builtins.sum(x, *dim)
def softmax(x, dim):  # a row of -inf gives zeros, where PyTorch has NaN
    hidden = (x == -inf).all(dim, keepdim=True)
    return _torch.softmax(x.masked_fill(hidden, 0), dim).masked_fill(hidden, 0)
def log_softmax(x, dim):
    hidden = (x == -inf).all(dim, keepdim=True)
    return _torch.where(hidden, x, _torch.log_softmax(x.masked_fill(hidden, 0), dim))
_torch.Tensor.softmax, _torch.Tensor.log_softmax = softmax, log_softmax
def cross_entropy(logits, target, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    return _F.cross_entropy(logits, target.long(), None, None, ignore_index, None, reduction, label_smoothing)
def rms_norm(x, normalized_shape, weight=None, eps=1e-5):
    if _builtins.list(normalized_shape) != [x.shape[-1]]: raise ValueError("rms_norm goes along the last axis")
    y = x / _torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return y if weight is None else y * weight

)py";

constexpr char run[] = R"py(
_items = (_builtins.list, _builtins.tuple, _builtins.range)
def _first(value): return _first(value[0]) if _builtins.isinstance(value, _items) else value
def _as_json(value):
    if _builtins.isinstance(value, _items): return [_as_json(each) for each in value]
    if not _is_tensor(value): return value
    return {"shape": _builtins.list(value.shape), "data": [_builtins.float(x) for x in value.detach().flatten()]}

_result = _function(**_inputs)
_output = _tensor(_first(_result))
)py";

// When a script is pasted, the editor of the page takes the text between these lines.
constexpr char program_begins[] = "# ---- program ----\n";
constexpr char program_ends[] = "\n# ---- end of program ----\n";

constexpr char sum_loss[] = "_loss = _output.sum()\n";

constexpr char print[] = R"py(if _loss.requires_grad: _loss.backward()
_leaves = {**_inputs, **_parameters}
_gradients = {name: _as_json(x.grad) for name, x in _leaves.items() if _is_tensor(x) and x.requires_grad}
_builtins.print(_json.dumps({"result": _as_json(_result), "loss": _builtins.float(_loss), "gradients": _gradients}))
)py";

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n' || c == '\t')
      quoted += c == '\n' ? "\\n" : "\\t";
    else
      quoted += c;
  }
  return quoted + '"';
}

// With as many digits as it takes to read the same number again.
std::string literal(double number) {
  if (!std::isfinite(number)) return std::isnan(number) ? "_math.nan" : number > 0 ? "inf" : "-inf";
  if (number == 0 && std::signbit(number)) return "-0.0";  // -0 is 0
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.17g", number);
  return text.data();
}

std::string python(const Value& value) {
  if (const auto* x = value.as<TypedTensor>()) {
    std::string data, shape;
    for (const Scalar each : x->tensor.values()) data += literal(static_cast<double>(each)) + ", ";
    for (const int size : x->tensor.shape()) shape += std::to_string(size) + ", ";
    constexpr const char* types[] = {"_torch.float32", "_torch.int64", "_torch.bool"};
    const std::string type = types[static_cast<int>(x->type)];
    return "_torch.tensor([" + data + "], dtype=" + type + ").reshape((" + shape + "))" +
           (x->type == Type::real ? ".requires_grad_()" : "");
  }
  if (const auto* text = value.as<std::string>()) return quoted(*text);
  if (is_whole(value)) return value.is<bool>() ? (whole_of(value) ? "True" : "False") : std::to_string(whole_of(value));
  if (is_number(value) && std::isfinite(number_of(value))) return python_text(number_of(value));  // 5.0, not 5
  if (is_number(value)) return literal(number_of(value));
  return "None";
}

std::string dictionary(const char* name, const NamedValues& values) {
  std::string text = std::string(name) + " = {\n";
  for (const auto& [key, value] : values) text += "    " + quoted(key) + ": " + python(value) + ",\n";
  return text + "}\n";
}

// Names of Python that run, read or reveal something. No variable outside of functions may have one: where it is not
// bound yet, Python means its own.
constexpr const char* of_python[] = {"breakpoint", "compile", "delattr", "dir",   "eval",    "exec",   "exit",
                                     "getattr",    "globals", "help",    "input", "locals",  "open",   "quit",
                                     "setattr",    "super",   "type",    "vars",  "license", "credits"};

class NameChecker {
 public:
  NameChecker(const Program& program, const std::set<std::string>& constants)
      : program_(program), constants_(constants) {
    bind(program.body);
  }

  void check(const Block& block) {
    for (const Statement& each : block)
      std::visit([&](const auto& node) { check_statement(node, each.place); }, each.node);
  }

 private:
  // Names that a block outside of functions binds.
  void bind(const Block& block) {
    for (const Statement& each : block) {
      if (const auto* assign = std::get_if<Assign>(&each.node))
        for (const ExpressionPtr& target : assign->targets) bind(*target);
      if (const auto* loop = std::get_if<For>(&each.node)) bind(*loop->target), bind(loop->body);
      if (const auto* loop = std::get_if<While>(&each.node)) bind(loop->body);
      if (const auto* define = std::get_if<Define>(&each.node)) bind(define->function->symbol, each.place);
      if (const auto* choice = std::get_if<If>(&each.node)) {
        for (const auto& [_, body] : choice->branches) bind(body);
        bind(choice->otherwise);
      }
    }
  }
  void bind(const Expression& target) {
    if (const auto* name = std::get_if<Name>(&target.node)) bind(name->symbol, target.place);
    if (const auto* several = std::get_if<Sequence>(&target.node))
      for (const ExpressionPtr& each : several->items) bind(*each);
  }
  void bind(Symbol symbol, const Place& place) {
    const std::string& name = program_.names[symbol];
    if (name.starts_with("__") || std::ranges::find(of_python, name) != std::end(of_python))
      fail_at(place, "name_is_of_python", name);
    globals_.insert(symbol);
  }

  void check_statement(const Evaluate& node, const Place&) { check(*node.value); }
  void check_statement(const Assign& node, const Place&) {
    for (const ExpressionPtr& each : node.targets) check(*each);
    check(*node.value);
  }
  void check_statement(const Update& node, const Place&) { check(*node.target), check(*node.value); }
  void check_statement(const Return& node, const Place&) { check(node.value); }
  void check_statement(const If& node, const Place&) {
    for (const auto& [condition, body] : node.branches) check(*condition), check(body);
    check(node.otherwise);
  }
  void check_statement(const While& node, const Place&) { check(*node.condition), check(node.body); }
  void check_statement(const For& node, const Place&) { check(*node.target), check(*node.iterable), check(node.body); }
  void check_statement(const Define& node, const Place&) {
    for (const ParameterName& each : node.function->parameters) check(each.fallback);
    const Function* const outer = std::exchange(function_, node.function.get());
    check(node.function->body);
    function_ = outer;
  }
  void check_statement(const Jump&, const Place&) {}

  void check(const ExpressionPtr& expression) {
    if (expression) check(*expression);
  }
  void check(const Expression& at) {
    std::visit([&](const auto& node) { check_node(node, at.place); }, at.node);
  }
  void check(const std::vector<ExpressionPtr>& all) {
    for (const ExpressionPtr& each : all) check(each);
  }

  void check_node(const Constant&, const Place&) {}
  void check_node(const Formatted& node, const Place&) { check(node.parts); }
  void check_node(const Name& node, const Place& place) {
    const std::string& name = program_.names[node.symbol];
    const auto holds = [&](const auto& symbols) {
      return std::ranges::find(symbols, node.symbol) != std::end(symbols);
    };
    const bool is_bound =
        holds(loop_names_) || (function_ && holds(function_->locals)) || globals_.contains(node.symbol);
    if (!is_bound && !find_function(name) && !find_constant(name) && !constants_.contains(name))
      fail_at(place, "no_such_variable", name);
  }
  void check_node(const Sequence& node, const Place&) { check(node.items); }
  void check_node(const Comprehension& node, const Place&) {
    check(node.iterable);
    const std::size_t before = loop_names_.size();
    bind_loop(*node.target);
    check(node.item), check(node.condition);
    loop_names_.resize(before);
  }
  void bind_loop(const Expression& target) {
    if (const auto* name = std::get_if<Name>(&target.node)) loop_names_.push_back(name->symbol);
    if (const auto* several = std::get_if<Sequence>(&target.node))
      for (const ExpressionPtr& each : several->items) bind_loop(*each);
  }
  void check_node(const Unary& node, const Place&) { check(node.operand); }
  void check_node(const Binary& node, const Place&) { check(node.left), check(node.right); }
  void check_node(const Logical& node, const Place&) { check(node.left), check(node.right); }
  void check_node(const Comparison& node, const Place&) {
    check(node.first);
    for (const auto& [_, right] : node.rest) check(right);
  }
  void check_node(const Conditional& node, const Place&) {
    check(node.condition), check(node.then), check(node.otherwise);
  }
  void check_node(const Call& node, const Place&) {
    check(node.callee);
    for (const Argument& each : node.arguments) check(each.value);
  }
  void check_node(const Attribute& node, const Place& place) {
    check(node.object);
    const std::string& name = node.name;
    if (!find_method(name) && name != "T" && name != "mT" && name != "shape" && name != "append")
      fail_at(place, "no_such_method", name);
  }
  void check_node(const Index& node, const Place&) {
    check(node.object);
    for (const Subscript& each : node.subscripts) {
      if (const auto* one = std::get_if<ExpressionPtr>(&each)) check(*one);
      if (const auto* slice = std::get_if<Slice>(&each)) check(slice->start), check(slice->stop), check(slice->step);
    }
  }

  const Program& program_;
  const std::set<std::string>& constants_;
  std::set<Symbol> globals_;
  const Function* function_ = nullptr;
  std::vector<Symbol> loop_names_;  // of the lists [… for …] around
};

}  // namespace

void refuse_unknown_names(const Program& program, const std::set<std::string>& constants) {
  NameChecker(program, constants).check(program.body);
}

std::string pytorch_script(const RecordedCall& call) {
  std::string constants, loss = sum_loss;
  std::set<std::string> names_of_constants;
  for (const auto& [name, value] : call.constants) {
    constants += name + " = " + python(value) + "\n";
    names_of_constants.insert(name);
  }
  refuse_unknown_names(parse(call.text), names_of_constants);
  if (call.target) {
    const std::string target = python(TypedTensor{*call.target, Type::integer});
    loss = "_target = " + target +
           "\n_loss = _F.cross_entropy(_output.flatten(0, 1), _target.flatten(), ignore_index=" +
           std::to_string(call.ignored) + ")\n";
  }
  return names + constants + dictionary("_parameters", call.parameters) +
         "def parameter(name, shape, init=\"xavier\"): return _parameters[name]\n\n" + program_begins + call.text +
         program_ends + dictionary("_inputs", call.arguments) + "_function = " + call.function + "\n" + run + loss +
         print;
}

}  // namespace unroll::program
