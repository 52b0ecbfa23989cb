// Values on their way into a tensor, and what operations keep of theirs.
#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/mutation.h"

namespace unroll::program {
namespace {

TypedTensor typed(const Value& value, const Place& place) {
  if (const auto* tensor = value.as<TypedTensor>()) return *tensor;
  return {operand_of(value, place), common_type(value, value)};
}

void check_whole(const Tensor& values, const TypedTensor& from, const Place& place) {
  for (const Scalar value : values.values()) {
    if (value != std::floor(value))
      fail_at(place, "replacement_would_be_cut", name_of(from.type), name_of(Type::integer));
    if (std::abs(value) > 16'777'216) fail_at(place, "int_tensor_too_large", value);
  }
}

}  // namespace

TypedTensor converted(Interpreter& interpreter, const Value& value, Type type, const Place& place) {
  refresh(value, place);
  const TypedTensor from = typed(value, place);
  interpreter.account().values(from.tensor.shape(), place);
  TypedTensor result{from.tensor, type};
  result.takes_gradient = type == Type::real && from.takes_gradient;
  if (type == Type::integer) check_whole(from.tensor, from, place);
  if (type == Type::boolean && from.type != Type::boolean) {
    result.tensor = Tensor(from.tensor.shape());
    std::ranges::transform(from.tensor.values(), result.tensor.data(), [](Scalar x) { return Scalar(x != 0); });
  }
  return result;
}

TypedTensor fitted(Interpreter& interpreter, const Value& value, Type type, const Shape& shape, const Place& place) {
  const CallSite site = site_of(place);
  TypedTensor values = converted(interpreter, value, type, place);
  Tensor& x = values.tensor;
  // Leading axes of size 1 do not matter.
  while (x.rank() > shape.rank() && x.shape()[0] == 1) x = reshape({x, site}, x.shape().without(0));
  const Shape from = x.shape();
  bool fits = from.rank() <= shape.rank();
  for (int axis = -1; fits && axis >= -from.rank(); --axis) fits = from[axis] == shape[axis] || from[axis] == 1;
  if (!fits) fail_at(place, "replacement_does_not_fit", sizes(from), sizes(shape));
  if (from != shape && from.size() != 1) x = broadcast_to({x, site}, shape);
  return values;
}

// ── What operations need for their gradients ─────────────────────────────────────────────────────────────────────────

bool is_recorded(const Tensor& tensor) { return Tape::live() && Tape::live()->find(tensor) >= 0; }

bool needs_gradient(const Tensor& tensor) {
  const Tape* tape = Tape::live();
  const int id = tape ? tape->find(tensor) : -1;
  return id >= 0 && tape->nodes()[static_cast<std::size_t>(id)].needs_gradient;
}

namespace {

// All tensors among values, also in lists and tuples of them.
std::vector<TypedTensor*> tensors_among(const std::vector<Value>& values, int depth = 0) {
  std::vector<TypedTensor*> all;
  for (const Value& each : values) {
    if (const auto* tensor = each.as<Value::Tensors>()) all.push_back(tensor->get());
    if (const std::vector<Value>* items = items_of(each); items && depth < 2)
      for (TypedTensor* inner : tensors_among(*items, depth + 1)) all.push_back(inner);
  }
  return all;
}

bool is_among(std::string_view word, std::string_view words) {
  for (std::size_t end; !words.empty(); words.remove_prefix(std::min(end + 1, words.size()))) {
    end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
  }
  return false;
}

}  // namespace

void keep(const TypedTensor& x, const char* operation) {
  const Tape* tape = Tape::live();
  if (!tape) return;
  x.storage->kept_by = operation;
  x.storage->kept_on = tape->serial();
}

void note_operands(Interpreter& interpreter, Operator operation, const Value& left, const Value& right,
                   const Value& result) {
  const auto *a = left.as<TypedTensor>(), *b = right.as<TypedTensor>();
  TypedTensor& y = tensor_in(result, {});
  const bool takes = (a && a->takes_gradient) || (b && b->takes_gradient);
  y.takes_gradient = takes && y.type == Type::real && interpreter.records() && operation != Operator::floor_divide;
  const bool a_needs = a && needs_gradient(a->tensor), b_needs = b && needs_gradient(b->tensor);
  const bool is_product = operation == Operator::multiply || operation == Operator::matmul;
  const bool is_quotient = operation == Operator::divide, is_power = operation == Operator::power;
  const char* name = symbol_of(operation).data();
  if (a && ((b_needs && (is_product || is_quotient || operation == Operator::remainder)) ||
            (is_power && (a_needs || b_needs))))
    keep(*a, name);
  if (b && ((a_needs && is_product) || ((a_needs || b_needs) && (is_quotient || is_power)) ||
            (b_needs && operation == Operator::remainder)))
    keep(*b, name);
  if (is_power && b_needs) keep(y, name);
}

void note_result(const Arguments& a, const Value& result) {
  const Builtin& callee = a.callee;
  const std::vector<TypedTensor*> operands = tensors_among(a.all()), results = tensors_among({result});
  const bool any = std::ranges::any_of(operands, [](const TypedTensor* x) { return x->takes_gradient; });
  for (TypedTensor* y : results) {
    const bool is_operand = std::ranges::find(operands, y) != operands.end();
    if (is_operand || y->type != Type::real || y->storage->twins || y->storage->values) continue;
    const bool is_cut_off = Tape::live() && !needs_gradient(y->tensor);
    y->takes_gradient = y->takes_gradient || (any && a.interpreter.records() && !is_cut_off);
    if (is_among("result", callee.keeps) && needs_gradient(y->tensor)) keep(*y, callee.name.data());
  }
  if (callee.keeps.empty() || !Tape::live()) return;
  const bool result_needs =
      std::ranges::any_of(results, [](const TypedTensor* y) { return needs_gradient(y->tensor); });
  if (callee.keeps == "product") {
    const auto needing =
        std::ranges::count_if(operands, [](const TypedTensor* x) { return needs_gradient(x->tensor); });
    for (const TypedTensor* x : operands)
      if (needing > (needs_gradient(x->tensor) ? 1 : 0)) keep(*x, callee.name.data());
    return;
  }
  const std::vector<std::string>& names = signature_of(callee).names;
  for (std::size_t i = 0; result_needs && i < names.size(); ++i)
    if (is_among(names[i], callee.keeps))
      for (const TypedTensor* x : tensors_among({a[static_cast<int>(i)]})) keep(*x, callee.name.data());
}

}  // namespace unroll::program
