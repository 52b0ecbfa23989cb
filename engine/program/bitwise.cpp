// & | ^ << >> and ~, between truth values and whole numbers, and tensors of them.
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

bool is_float(const Value& value) { return common_type(value, value) == Type::real; }

std::int64_t shifted(Operator operation, std::int64_t a, std::int64_t b, const Place& place) {
  if (b < 0) fail_at(place, "shift_is_negative");
  constexpr std::int64_t bits = 63;
  if (operation == Operator::shift_right) return a >> std::min(b, bits);
  std::int64_t result = a;
  for (std::int64_t i = 0; i < std::min(b, bits + 1) && result != 0; ++i)
    if (__builtin_mul_overflow(result, std::int64_t{2}, &result)) fail_at(place, "whole_result_too_large");
  return result;
}

std::int64_t combined(Operator operation, std::int64_t a, std::int64_t b, const Place& place) {
  if (operation == Operator::bit_and) return a & b;
  if (operation == Operator::bit_or) return a | b;
  if (operation == Operator::bit_xor) return a ^ b;
  return shifted(operation, a, b, place);
}

// Of masks, so that the tape shows what they are made of.
Tensor combined_masks(Operator operation, const Operand& a, const Operand& b) {
  if (operation == Operator::bit_and) return multiply(forward_operand(a), forward_operand(b));
  if (operation == Operator::bit_or)
    return greater({add(forward_operand(a), forward_operand(b)), a.where}, {0, a.where});
  return equal({equal(forward_operand(a), forward_operand(b)), a.where}, {0, a.where});
}

Tensor combined_whole(Operator operation, const Operand& a, const Operand& b, const Place& place) {
  const Shape shape = broadcast("bits", a.shape(), b.shape());
  const Tensor left = broadcast_to(forward_operand(a), shape), right = broadcast_to(forward_operand(b), shape);
  Tensor y(shape);
  for (std::size_t i = 0; i < y.size(); ++i)
    y.data()[i] = static_cast<Scalar>(combined(operation, static_cast<std::int64_t>(left.data()[i]),
                                               static_cast<std::int64_t>(right.data()[i]), place));
  return y;
}

}  // namespace

Value combine_bits(Interpreter& interpreter, Operator operation, const Value& left, const Value& right,
                   const Between& at) {
  const Expression* odd = is_float(left) ? &at.left : is_float(right) ? &at.right : nullptr;
  if (odd) fail_at(at.place, "bits_of_float", symbol_of(operation), operand_name(interpreter.spelled(*odd)));
  if (is_number(left) && is_number(right)) {
    const std::int64_t result = combined(operation, whole_of(left), whole_of(right), at.place);
    const bool is_truth = left.is<bool>() && right.is<bool>() && operation < Operator::shift_left;
    return is_truth ? Value(result != 0) : Value(result);
  }
  const Operand a = operand_of(left, at.place), b = operand_of(right, at.place);
  interpreter.account().values(2 * (a.size() + b.size()), at.place);
  const Type type = common_type(left, right);
  if (type == Type::boolean && operation < Operator::shift_left)
    return result_of(interpreter, combined_masks(operation, a, b), type, at.place);
  if (type == Type::boolean) fail_at(at.place, "bool_without_operation", symbol_of(operation));
  return result_of(interpreter, combined_whole(operation, a, b, at.place), type, at.place);
}

Value inverted(Interpreter& interpreter, const Value& value, const Place& place) {
  if (is_whole(value)) return ~whole_of(value);
  const auto* tensor = value.as<TypedTensor>();
  if (!tensor || tensor->type == Type::real) fail_at(place, "value_has_no_inverse", described(value));
  const Operand x = operand_of(value, place);
  if (tensor->type == Type::boolean)
    return result_of(interpreter, equal(forward_operand(x), {0, x.where}), Type::boolean, place);
  return result_of(interpreter, subtract({-1, x.where}, forward_operand(x)), Type::integer, place);
}

}  // namespace unroll::program
