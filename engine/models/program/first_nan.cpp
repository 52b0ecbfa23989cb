#include "engine/models/program/first_nan.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/autograd/tape.h"
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

// What the value at that position was computed from.
Names origin_of(const Tape& tape, const Node& node, std::size_t position) {
  Names values;
  for (int i = 0; i < node.edges; ++i)
    values.push_back(text_of(value_at(operand_of(tape, node, i).value, node.value.shape(), position)));
  return values;
}

// What may help, by the operation: a phrase.
const char* hint_for(std::string_view operation, bool is_zero_divided) {
  if (operation == "log") return "take_positive_for_log";
  if (operation == "power") return "take_positive_for_power";
  if (operation == "sqrt") return "take_positive_for_root";
  if (operation == "divide" && is_zero_divided) return "zero_by_zero";
  if (operation == "divide") return "infinity_by_infinity";
  if (operation == "add" || operation == "subtract") return "infinity_minus_infinity";
  if (operation == "multiply" || operation == "matmul") return "zero_times_infinity";
  return "operand_is_infinite";
}

// Of an operation whose result is infinite.
const char* hint_for_infinity(std::string_view operation, bool is_zero_divided) {
  if (operation == "exp") return "exponential_too_large";
  if (operation == "log") return hint_for(operation, false);
  if (operation == "divide" && is_zero_divided) return "add_a_little_to_divisor";
  return "number_too_large";
}

const char* hint_for_slope(std::string_view operation) {
  if (operation == "sqrt") return "slope_of_root_at_zero";
  return "slope_is_infinite";
}

// The innermost place in the learner's text that made the node, and the operation there if that is a composite.
struct Where {
  CallSite site;
  std::string within;
};

Where where_of(const Tape& tape, const Node& node) {
  const auto is_theirs = [](const CallSite& site) { return std::string_view(site.file) == program::program_file; };
  if (is_theirs(node.where)) return {node.where, ""};
  for (int id = node.scope; id >= 0; id = tape.scopes()[static_cast<std::size_t>(id)].parent) {
    const ScopeRecord& scope = tape.scopes()[static_cast<std::size_t>(id)];
    if (is_theirs(scope.where)) return {scope.where, scope.path.substr(scope.path.rfind('.') + 1)};
  }
  return {node.where, ""};
}

NotFinite described(const Tape& tape, const Node& node, Test test) {
  const std::span<const Scalar> values = node.value.values();
  const auto position = static_cast<std::size_t>(std::ranges::find_if(values, test) - values.begin());
  const Scalar value = values[position];
  const bool is_backward = node.phase == Phase::backward && node.origin >= 0;
  const Node& forward = is_backward ? tape.nodes()[static_cast<std::size_t>(node.origin)] : node;
  const auto [site, within] = where_of(tape, forward);
  const bool is_elementwise = std::string_view(node.op.rule) == "elementwise";
  const bool is_zero_divided =
      is_elementwise && node.edges == 2 && value_at(operand_of(tape, node, 1).value, node.value.shape(), position) == 0;
  const std::string what = within.empty() ? spelled(tape, forward) : within + "(…)";
  Message sentence = phrase(is_backward ? "gradient_is" : "operation_made", what, value);
  if (node.value.rank() > 0) sentence = phrase("at_index", sentence, value_name("", node.value.shape(), position));
  if (is_elementwise && !is_backward) sentence = phrase("from_values", sentence, origin_of(tape, node, position));
  const char* hint = is_backward         ? hint_for_slope(forward.op.name)
                     : std::isnan(value) ? hint_for(node.op.name, is_zero_divided)
                                         : hint_for_infinity(node.op.name, is_zero_divided);
  return {{site.line, site.column}, phrase("with_hint", sentence, phrase(hint))};
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
  if (found) fail(ErrorCode::diverged, found->place, "diverged_at_operation", found->message);
}

}  // namespace unroll
