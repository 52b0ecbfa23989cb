// Comparisons and truth values of tensors, by their names in PyTorch: eq, logical_and, isnan, all, allclose.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

template <Relation relation>
Value related(const Arguments& a) {
  const Expression unnamed{a.place, Constant{}};
  return compare(a.interpreter, relation, a[0], a[1], {a.place, unnamed, unnamed});
}

template <Operator operation>
Value by_bits(const Arguments& a) {
  const Expression unnamed{a.place, Constant{}};
  return combine_bits(a.interpreter, operation, a[0], a[1], {a.place, unnamed, unnamed});
}
Value with_bits_inverted(const Arguments& a) { return inverted(a.interpreter, a[0], a.place); }

Operand none_at(const Arguments& a) { return {0, a.where()}; }
Tensor opposite_of(const Arguments& a, const Tensor& mask) { return equal(at_call(mask, a), none_at(a)); }
Tensor holds_not(const Arguments& a, int i) { return equal(a.tensor(i), none_at(a)); }

// 1 where the value is not 0.
Tensor mask_of(const Arguments& a, int i) {
  const auto* x = a[i].as<TypedTensor>();
  return x && x->type == Type::boolean ? Tensor(a.tensor(i)) : opposite_of(a, holds_not(a, i));
}

Value truth(const Arguments& a, const Tensor& mask) { return a.result(mask, Type::boolean); }

Value logical_not(const Arguments& a) { return truth(a, holds_not(a, 0)); }
Value logical_and(const Arguments& a) {
  const Tensor x = mask_of(a, 0), other = mask_of(a, 1);
  return truth(a, multiply(at_call(x, a), at_call(other, a)));
}
Value logical_or(const Arguments& a) {
  const Tensor x = mask_of(a, 0), other = mask_of(a, 1);
  return truth(a, maximum(at_call(x, a), at_call(other, a)));
}
Value logical_xor(const Arguments& a) {
  const Tensor x = mask_of(a, 0), other = mask_of(a, 1);
  return truth(a, opposite_of(a, equal(at_call(x, a), at_call(other, a))));
}

Operand infinity_at(const Arguments& a) { return {std::numeric_limits<double>::infinity(), a.where()}; }
Value is_nan(const Arguments& a) { return truth(a, opposite_of(a, equal(a.tensor(0), a.tensor(0)))); }
Value is_infinite(const Arguments& a) {
  const Tensor size = abs(a.tensor(0));
  return truth(a, equal(at_call(size, a), infinity_at(a)));
}
Value is_finite(const Arguments& a) {
  const Tensor size = abs(a.tensor(0));
  return truth(a, greater(infinity_at(a), at_call(size, a)));
}

// ── Of all values, or along axes ─────────────────────────────────────────────────────────────────────────────────────

// How many values of a mask are 1, along the axes of argument 1.
Tensor counted_along(const Arguments& a, Tensor mask, bool keep) {
  if (a.is_none(1) && !keep) return sum(at_call(mask, a));
  std::vector<int> axes;
  if (!a.is_none(1)) axes = a.axes(1, mask.rank());
  for (int axis = mask.rank(); a.is_none(1) && axis-- > 0;) axes.push_back(axis);
  for (const int axis : axes) mask = sum(at_call(mask, a), axis, keep);
  return mask;
}

Value any_of_tensor(const Arguments& a) {
  const Tensor count = counted_along(a, mask_of(a, 0), a.flag(2));
  return truth(a, greater(at_call(count, a), none_at(a)));
}
// No value is 0.
Value all_of_tensor(const Arguments& a) {
  const Tensor count = counted_along(a, holds_not(a, 0), a.flag(2));
  return truth(a, equal(at_call(count, a), none_at(a)));
}
Value count_of_nonzero(const Arguments& a) { return a.result(counted_along(a, mask_of(a, 0), false), Type::integer); }

// ── Whether two tensors are equal ────────────────────────────────────────────────────────────────────────────────────

Value are_same(const Arguments& a) {
  const Tensor &x = a.typed(0).tensor, &y = a.typed(1).tensor;
  return x.shape() == y.shape() && std::ranges::equal(x.values(), y.values());
}

bool is_close(Scalar x, Scalar y, double relative, double absolute, bool equal_nan) {
  if (std::isnan(x) || std::isnan(y)) return equal_nan && std::isnan(x) && std::isnan(y);
  if (x == y) return true;
  const double apart = std::abs(static_cast<double>(x) - static_cast<double>(y));
  return std::isfinite(apart) && apart <= absolute + relative * std::abs(static_cast<double>(y));
}

Tensor close_values(const Arguments& a) {
  if (a.typed(0).type != a.typed(1).type)
    fail_at(a.place, "tensors_of_two_types", a.callee.name, name_of(a.typed(0).type), name_of(a.typed(1).type));
  const Operand x = a.tensor(0), y = a.tensor(1);
  const Shape shape = broadcast(a.callee.name.data(), x.shape(), y.shape());
  const RecordingGuard pause(nullptr);
  const Tensor left = broadcast_to(forward_operand(x), shape), right = broadcast_to(forward_operand(y), shape);
  const Tensor close(shape);
  a.interpreter.account().values(3 * shape.size(), a.place);
  for (std::size_t i = 0; i < close.size(); ++i)
    close.data()[i] = is_close(left.data()[i], right.data()[i], a.number(2), a.number(3), a.flag(4));
  return close;
}
Value are_close(const Arguments& a) { return truth(a, close_values(a)); }
Value all_are_close(const Arguments& a) {
  return std::ranges::all_of(close_values(a).values(), [](Scalar value) { return value != 0; });
}

}  // namespace

std::span<const Builtin> comparison_functions() {
  static constexpr Builtin all[] = {
      {"eq", "x, other", related<Relation::equal>, "where x == other"},
      {"ne", "x, other", related<Relation::not_equal>, "where x != other"},
      {"not_equal", "x, other", related<Relation::not_equal>, "where x != other"},
      {"gt", "x, other", related<Relation::greater>, "where x > other"},
      {"greater", "x, other", related<Relation::greater>, "where x > other"},
      {"ge", "x, other", related<Relation::greater_or_equal>, "where x >= other"},
      {"greater_equal", "x, other", related<Relation::greater_or_equal>, "where x >= other"},
      {"lt", "x, other", related<Relation::less>, "where x < other"},
      {"less", "x, other", related<Relation::less>, "where x < other"},
      {"le", "x, other", related<Relation::less_or_equal>, "where x <= other"},
      {"less_equal", "x, other", related<Relation::less_or_equal>, "where x <= other"},
      {"logical_and", "x, other", logical_and, "where both are not 0"},
      {"logical_or", "x, other", logical_or, "where one is not 0, or both"},
      {"logical_xor", "x, other", logical_xor, "where one is not 0, and the other is"},
      {"logical_not", "x", logical_not, "where x is 0"},
      {"bitwise_and", "x, other", by_bits<Operator::bit_and>, "x & other"},
      {"bitwise_or", "x, other", by_bits<Operator::bit_or>, "x | other"},
      {"bitwise_xor", "x, other", by_bits<Operator::bit_xor>, "x ^ other"},
      {"bitwise_not", "x", with_bits_inverted, "~x"},
      {"isnan", "x", is_nan, "where x is no number"},
      {"isinf", "x", is_infinite, "where x is inf or -inf"},
      {"isfinite", "x", is_finite, "where x is a number, and neither inf nor -inf"},
      {"any", "x, dim=None, keepdim=False", any_of_tensor, "whether any value is not 0, of all or along an axis"},
      {"all", "x, dim=None, keepdim=False", all_of_tensor, "whether no value is 0, of all or along an axis"},
      {"count_nonzero", "x, dim=None", count_of_nonzero, "how many values are not 0, of all or along an axis"},
      {"equal", "x, other", are_same, "whether two tensors have the same sizes and values"},
      {"isclose", "x, other, rtol=1e-5, atol=1e-8, equal_nan=False", are_close, "where two values are nearly equal"},
      {"allclose", "x, other, rtol=1e-5, atol=1e-8, equal_nan=False", all_are_close,
       "whether all values are nearly equal"},
  };
  return all;
}

}  // namespace unroll::program
