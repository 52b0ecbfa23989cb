// Functions of each value, by their names in PyTorch, that models use less often than those of tensor_library.cpp.
#include <cmath>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/tensor_types.h"

namespace unroll::program {
namespace {

template <Tensor (*operation)(Operand)>
Value of_each(const Arguments& a) {
  return a.result(operation(a.tensor(0)));
}

template <Tensor (*operation)(Operand)>
Value of_each_in_its_type(const Arguments& a) {
  const Type type = common_type(a[0], a[0]);
  refuse_bool(a, type);
  return a.result(operation(a.tensor(0)), type);
}

Value negated(const Arguments& a) { return negative(a.interpreter, a[0], a.place); }
Value positive(const Arguments& a) {
  refuse_bool(a, a.typed(0).type);
  return a[0];
}
Value one_over(const Arguments& a) { return a.result(divide({1, a.where()}, a.tensor(0))); }
Value one_over_root(const Arguments& a) {
  const Tensor root = sqrt(a.tensor(0));
  return a.result(divide({1, a.where()}, at_call(root, a)));
}
Value erfc_of(const Arguments& a) {
  const Tensor inner = erf(a.tensor(0));
  return a.result(subtract({1, a.where()}, at_call(inner, a)));
}

// With decimals, of the value times their power of ten.
Value rounded_to_decimals(const Arguments& a) {
  const int decimals = a.whole(1);
  if (decimals == 0) return of_each_in_its_type<round>(a);
  require_float(a, 0);
  constexpr int most = 10;
  if (std::abs(decimals) > most) a.refuse(1, "a_number_of_at_most_10");
  double power = 1;
  for (int i = 0; i < std::abs(decimals); ++i) power *= 10;
  const Tensor larger =
      decimals > 0 ? multiply(a.tensor(0), {power, a.where()}) : divide(a.tensor(0), {power, a.where()});
  const Tensor whole = round(at_call(larger, a));
  return a.result(decimals > 0 ? divide(at_call(whole, a), {power, a.where()})
                               : multiply(at_call(whole, a), {power, a.where()}));
}

// ── Of two tensors ───────────────────────────────────────────────────────────────────────────────────────────────────

template <Operator operation>
Value by_operator_of_both(const Arguments& a) {
  return combine_unnamed(a, operation, a[0], a[1]);
}

bool is_one(const Value& value) { return is_whole(value) && !value.is<bool>() && whole_of(value) == 1; }

// x + alpha · other
template <Operator operation>
Value with_multiple(const Arguments& a) {
  return combine_unnamed(a, operation, a[0], is_one(a[2]) ? a[1] : combine_unnamed(a, Operator::multiply, a[2], a[1]));
}

Value quotient(const Arguments& a) {
  if (a.is_none(2)) return combine_unnamed(a, Operator::divide, a[0], a[1]);
  if (a.text(2) == "floor") return combine_unnamed(a, Operator::floor_divide, a[0], a[1]);
  if (a.text(2) != "trunc") a.refuse(2, "floor_or_trunc");
  const Value exact = combine_unnamed(a, Operator::divide, a[0], a[1]);
  return a.result(trunc(operand_of(exact, a.place)), common_type(a[0], a[1]));
}

// What is left of x with the sign of x, where % gives it the sign of the divisor: |x| mod |other|.
Value rest_with_sign(const Arguments& a) {
  refuse_bool(a, common_type(a[0], a[1]));
  const Tensor size = abs(a.tensor(0)), divisor = abs(a.tensor(1));
  const Tensor rest = remainder(at_call(size, a), at_call(divisor, a)), signs = sign(a.tensor(0));
  return a.result(multiply(at_call(rest, a), at_call(signs, a)), common_type(a[0], a[1]));
}

Value angle_of(const Arguments& a) { return a.result(atan2(a.tensor(0), a.tensor(1))); }

Value length_of_both(const Arguments& a) {
  const Tensor x = square(a.tensor(0)), y = square(a.tensor(1));
  const Tensor total = add(at_call(x, a), at_call(y, a));
  return a.result(root_of_variance(at_call(total, a)));
}

// x + weight · (end − x)
Value between(const Arguments& a) {
  const Tensor way = subtract(a.tensor(1), a.tensor(0)), part = multiply(a.tensor(2), at_call(way, a));
  return a.result(add(a.tensor(0), at_call(part, a)));
}

// x + value · first · second, or first / second
template <Tensor (*operation)(Operand, Operand)>
Value with_combined(const Arguments& a) {
  Tensor change = operation(a.tensor(1), a.tensor(2));
  if (!is_one(a[3])) change = multiply(a.tensor(3), at_call(change, a));
  return a.result(add(a.tensor(0), at_call(change, a)));
}

// ── Activations ──────────────────────────────────────────────────────────────────────────────────────────────────────

Value only_at_least(const Arguments& a) {
  return a.result(at_least(a.tensor(0), a.tensor(1)), common_type(a[0], a[1]));
}
Value only_at_most(const Arguments& a) { return a.result(at_most(a.tensor(0), a.tensor(1)), common_type(a[0], a[1])); }

Value leaky(const Arguments& a) {
  require_float(a, 0);
  const Tensor is_positive = greater(a.tensor(0), {0, a.where()}),
               scaled = multiply({a.number(1), a.where()}, a.tensor(0));
  const Value y = a.result(where(at_call(is_positive, a), a.tensor(0), at_call(scaled, a)));
  return in_place_of(a, y, 2);
}
Value exponential_unit(const Arguments& a) {
  require_float(a, 0);
  return in_place_of(a, a.result(elu(a.tensor(0), a.number(1))), 2);
}

}  // namespace

std::span<const Builtin> math_functions_of_tensors() {
  static constexpr Builtin all[] = {
      {"neg", "x", negated, "-x"},
      {"negative", "x", negated, "-x"},
      {"positive", "x", positive, "x itself"},
      {"reciprocal", "x", one_over, "1 / x", "result"},
      {"rsqrt", "x", one_over_root, "1 / sqrt(x)", "result"},
      {"log2", "x", of_each<log2>, "the logarithm of each value to base 2", "x"},
      {"log10", "x", of_each<log10>, "the logarithm of each value to base 10", "x"},
      {"log1p", "x", of_each<log1p>, "log(1 + x), also near 0", "x"},
      {"exp2", "x", of_each<exp2>, "2 to the power of each value", "result"},
      {"expm1", "x", of_each<expm1>, "e^x - 1, also near 0", "result"},
      {"tan", "x", of_each<tan>, "the tangent of each value", "result"},
      {"asin", "x", of_each<asin>, "the angle of this sine", "x"},
      {"acos", "x", of_each<acos>, "the angle of this cosine", "x"},
      {"atan", "x", of_each<atan>, "the angle of this tangent", "x"},
      {"atan2", "x, other", angle_of, "the angle of the point (other, x)", "x other"},
      {"sinh", "x", of_each<sinh>, "the hyperbolic sine of each value", "x"},
      {"cosh", "x", of_each<cosh>, "the hyperbolic cosine of each value", "x"},
      {"erfc", "x", erfc_of, "1 - erf(x)", "x"},
      {"ceil", "x", of_each_in_its_type<ceil>, "each value rounded up"},
      {"trunc", "x", of_each_in_its_type<trunc>, "each value without what is after the point"},
      {"fix", "x", of_each_in_its_type<trunc>, "each value without what is after the point"},
      {"round", "x, decimals=0", rounded_to_decimals, "the nearest whole number, or of two the even one"},
      {"sign", "x", of_each_in_its_type<sign>, "1, 0 or -1 by the sign of each value"},
      {"sgn", "x", of_each_in_its_type<sign>, "1, 0 or -1 by the sign of each value"},
      {"add", "x, other, alpha=1", with_multiple<Operator::add>, "x + alpha * other"},
      {"sub", "x, other, alpha=1", with_multiple<Operator::subtract>, "x - alpha * other"},
      {"subtract", "x, other, alpha=1", with_multiple<Operator::subtract>, "x - alpha * other"},
      {"mul", "x, other", by_operator_of_both<Operator::multiply>, "x * other", "product"},
      {"multiply", "x, other", by_operator_of_both<Operator::multiply>, "x * other", "product"},
      {"div", "x, other, rounding_mode=None", quotient, "x / other, rounded if asked", "x other"},
      {"divide", "x, other, rounding_mode=None", quotient, "x / other, rounded if asked", "x other"},
      {"true_divide", "x, other", by_operator_of_both<Operator::divide>, "x / other", "x other"},
      {"floor_divide", "x, other", by_operator_of_both<Operator::floor_divide>, "x / other, rounded down"},
      {"remainder", "x, other", by_operator_of_both<Operator::remainder>, "what is left of x / other", "other"},
      {"fmod", "x, other", rest_with_sign, "what is left of x / other, with the sign of x", "other"},
      {"hypot", "x, other", length_of_both, "sqrt(x^2 + other^2)", "x other result"},
      {"lerp", "x, end, weight", between, "x + weight * (end - x)", "product"},
      {"addcmul", "x, tensor1, tensor2, value=1", with_combined<multiply>, "x + value * tensor1 * tensor2", "product"},
      {"addcdiv", "x, tensor1, tensor2, value=1", with_combined<divide>, "x + value * tensor1 / tensor2",
       "tensor1 tensor2"},
      {"clamp_min", "x, min", only_at_least, "each value, or the limit if that is larger", "x"},
      {"clamp_max", "x, max", only_at_most, "each value, or the limit if that is smaller", "x"},
      {"leaky_relu", "x, negative_slope=0.01, inplace=False", leaky, "x, or slope * x where it is negative", "x"},
      {"elu", "x, alpha=1.0, inplace=False", exponential_unit, "x, or alpha * (e^x - 1) where it is negative", "x"},
  };
  return all;
}

}  // namespace unroll::program
