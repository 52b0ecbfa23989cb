#include "engine/models/program/first_nan.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/autograd/backward.h"
#include "engine/program/interpreter.h"

namespace unroll {
namespace {

using Names = std::vector<std::string>;

const Node& operand_of(const Tape& tape, const Node& node, int i) {
  return tape.nodes()[static_cast<std::size_t>(tape.edge(node, i).node)];
}

using Test = bool (*)(Scalar);
bool is_nan(Scalar value) { return std::isnan(value); }
bool is_infinite(Scalar value) { return std::isinf(value); }
bool is_not_finite(Scalar value) { return !std::isfinite(value); }

bool has(const Tensor& x, Test test) { return x && std::ranges::any_of(x.values(), test); }

// Of operands without such values, and for an infinite one without any NaN.
bool makes(const Tape& tape, const Node& node, Test test) {
  if (!has(node.value, test)) return false;
  for (int i = 0; i < node.edges; ++i) {
    const Tensor& operand = operand_of(tape, node, i).value;
    if (has(operand, test) || has_nan(operand)) return false;
  }
  return node.edges > 0;
}

// "x" of a variable, "0.5" of a number, else "…".
std::string spelled(const Node& node) {
  const std::string name = node.name.substr(node.name.rfind('/') + 1);
  if (node.named) return name.substr(0, name.find('#'));
  return node.phase == Phase::leaf && node.value.size() == 1 ? text_of(node.value.item()) : "…";
}

// "a / b" or "log(x)"
std::string spelled(const Tape& tape, const Node& node) {
  constexpr std::pair<std::string_view, const char*> symbols[] = {{"add", " + "},      {"subtract", " - "},
                                                                  {"multiply", " * "}, {"divide", " / "},
                                                                  {"matmul", " @ "},   {"power", " ** "}};
  Names operands;
  for (int i = 0; i < node.edges; ++i) operands.push_back(spelled(operand_of(tape, node, i)));
  for (const auto& [name, symbol] : symbols)
    if (name == node.op.name) return join(operands, symbol);
  return std::string(node.op.name) + "(" + join(operands, ", ") + ")";
}

// The operand's value for the result's value at `position`, by broadcasting.
Scalar value_at(const Tensor& operand, const Shape& result, std::size_t position) {
  std::size_t at = 0, stride = 1;
  for (int axis = -1; axis >= -result.rank(); --axis) {
    const std::size_t i = position % static_cast<std::size_t>(result[axis]);
    position /= static_cast<std::size_t>(result[axis]);
    if (axis < -operand.rank()) continue;
    if (operand.shape()[axis] != 1) at += i * stride;
    stride *= static_cast<std::size_t>(operand.shape()[axis]);
  }
  return operand.data()[at];
}

// "−1", or "∞ and ∞": what the value at that position was computed from.
std::string origin_of(const Tape& tape, const Node& node, std::size_t position) {
  Names values;
  for (int i = 0; i < node.edges; ++i)
    values.push_back(text_of(value_at(operand_of(tape, node, i).value, node.value.shape(), position)));
  return join(values, " and ");
}

// What may help, by the operation.
const char* hint_for(std::string_view operation, bool is_zero_divided) {
  if (operation == "log") return "a logarithm needs numbers above 0: take x.clamp(min=1e-6) or abs(x) + 1e-6.";
  if (operation == "power")
    return "a negative number has whole powers only, and no slope in its exponent: take x.clamp(min=1e-6) or abs(x).";
  if (operation == "sqrt") return "a square root needs numbers of at least 0: take x.clamp(min=0) or abs(x).";
  if (operation == "divide" && is_zero_divided)
    return "0 / 0 has no value: is a row masked as a whole? Else add a little to what divides, such as 1e-6.";
  if (operation == "divide") return "∞ / ∞ has no value: subtract the largest value before exp, as softmax does.";
  if (operation == "add" || operation == "subtract")
    return "∞ - ∞ has no value: has exp grown too large, or is -inf in more places than a mask?";
  if (operation == "multiply" || operation == "matmul")
    return "0 * ∞ has no value: hide values with masked_fill or where, not with a product.";
  return "one of its values is infinite, or grew beyond what a number holds: make them smaller before.";
}

// Of an operation whose result is infinite.
const char* hint_for_infinity(std::string_view operation, bool is_zero_divided) {
  if (operation == "exp")
    return "e^x is too large for a number from x = 89 on: subtract the largest value before, as softmax does.";
  if (operation == "log") return hint_for(operation, false);
  if (operation == "divide" && is_zero_divided) return "this divides by 0: add a little to what divides, such as 1e-6.";
  return "it is beyond 3.4e38, the largest number here: make the values smaller before.";
}

const char* hint_for_slope(std::string_view operation) {
  if (operation == "sqrt") return "the slope of sqrt at 0 is infinite: take sqrt(x + 1e-12).";
  return "a slope is infinite there: keep such values out before the operation, because a where after it comes too "
         "late.";
}

// The innermost place in the learner's text that made the node, and the operation there if that is a composite.
struct Where {
  CallSite site;
  std::string within;
};

Where where_of(const Tape& tape, const Node& node) {
  const auto is_theirs = [](const CallSite& site) { return site.file == program::program_file; };
  if (is_theirs(node.where)) return {node.where, ""};
  for (int id = node.scope; id >= 0; id = tape.scopes()[static_cast<std::size_t>(id)].parent) {
    const ScopeRecord& scope = tape.scopes()[static_cast<std::size_t>(id)];
    if (is_theirs(scope.where)) return {scope.where, scope.path.substr(scope.path.rfind('.') + 1)};
  }
  return {node.where, ""};
}

// "NaN", "∞" or "−∞", after a verb.
const char* with(const char* made_nan, const char* made_infinity, const char* made_minus, Scalar value) {
  return std::isnan(value) ? made_nan : value > 0 ? made_infinity : made_minus;
}

NotFinite described(const Tape& tape, const Node& node, Test test) {
  const std::span<const Scalar> values = node.value.values();
  const auto position = static_cast<std::size_t>(std::ranges::find_if(values, test) - values.begin());
  const Scalar value = values[position];
  const bool is_backward = node.phase == Phase::backward && node.origin >= 0;
  const Node& forward = is_backward ? tape.nodes()[static_cast<std::size_t>(node.origin)] : node;
  const auto [site, within] = where_of(tape, forward);
  const bool is_elementwise = std::string_view(node.op.rule) == "elementwise";
  const std::string origin = is_elementwise ? " from " + origin_of(tape, node, position) : "";
  const bool is_zero_divided =
      is_elementwise && node.edges == 2 && value_at(operand_of(tape, node, 1).value, node.value.shape(), position) == 0;
  const std::string what = within.empty() ? spelled(tape, forward) : within + "(…)";
  const std::string index = value_name("", node.value.shape(), position), at = index.empty() ? "" : " at " + index;
  const program::Place place{site.line, site.column};
  if (is_backward)
    return {place, phrase("the gradient through ", what, with(" is NaN", " is ∞", " is −∞", value), at, "; ",
                          hint_for_slope(forward.op.name))};
  const char* hint =
      std::isnan(value) ? hint_for(node.op.name, is_zero_divided) : hint_for_infinity(node.op.name, is_zero_divided);
  return {place, phrase(what, with(" made NaN", " made ∞", " made −∞", value), at, origin, "; ", hint)};
}

std::optional<NotFinite> first_of(const Tape& tape, Phase phase, Test test) {
  for (const Node& node : tape.nodes())
    if (node.phase == phase && makes(tape, node, test)) return described(tape, node, test);
  return std::nullopt;
}

}  // namespace

bool has_nan(const Tensor& x) { return has(x, is_nan); }

bool has_nan(const program::Value& value) {
  return any_within(value, [](const program::Value& each) {
    if (const auto* tensor = each.as<program::TypedTensor>()) return has_nan(tensor->tensor);
    return program::is_number(each) && std::isnan(program::number_of(each));
  });
}

std::optional<NotFinite> first_nan(const Tape& tape) { return first_of(tape, Phase::forward, is_nan); }

std::optional<NotFinite> first_not_finite(const Tape& tape, const Tensor& loss) {
  std::optional<NotFinite> found;
  if (!std::isfinite(loss.item())) found = first_of(tape, Phase::forward, is_infinite);
  return found ? found : first_of(tape, Phase::backward, is_not_finite);
}

// If this run cannot be made, nothing is explained.
void explain_divergence_of(Model& model) {
  std::optional<NotFinite> found;
  try {
    Tape tape(Tape::Detail::trace);
    const RecordingGuard recording(&tape);
    const Tensor loss = model.loss();
    backward(loss);
    found = first_not_finite(tape, loss);
  } catch (const Error&) {
    return;
  }
  if (found)
    fail(ErrorCode::diverged, "line ", LineNumber{found->place.line}, ", column ", found->place.column, ": ",
         found->message, " If it happens only after some steps, a lower learning_rate may help too.");
}

}  // namespace unroll
