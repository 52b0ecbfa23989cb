// The package math: functions of Python's numbers.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/real_functions.h"

namespace unroll::program {
namespace {

// Of a number without a result: log(−1).
[[noreturn]] void raise_domain_error(const Arguments& a) {
  a.interpreter.raise("ValueError", "math domain error", a.place);
}

double within(const Arguments& a, double result, bool of_numbers) {
  if (of_numbers && std::isnan(result)) raise_domain_error(a);
  if (of_numbers && std::isinf(result)) a.interpreter.raise("OverflowError", "math range error", a.place);
  return result;
}

template <double (*function)(double)>
Value of_number(const Arguments& a) {
  const double x = a.only_number(0);
  return within(a, function(x), std::isfinite(x));
}

template <double (*function)(double)>
Value of_angle(const Arguments& a) {
  const double x = a.only_number(0);
  if (std::isinf(x)) raise_domain_error(a);
  if (std::abs(x) > doubles::largest_angle) a.refuse(0, "an_angle_of_at_most_1e12");
  return function(x);
}

template <double (*function)(double)>
Value logarithm(const Arguments& a) {
  const double x = a.only_number(0);
  if (x <= 0) raise_domain_error(a);
  return function(x);
}

Value log_of_number(const Arguments& a) {
  const Value of_x = logarithm<doubles::log>(a);
  if (a.is_none(1)) return of_x;
  const double base = a.only_number(1);
  if (base <= 0) raise_domain_error(a);
  return combine_numbers(Operator::divide, of_x, doubles::log(base), a.place);
}

double root_of(double x) { return x < 0 ? std::nan("") : std::sqrt(x); }

Value power_of_numbers(const Arguments& a) {
  const double x = a.only_number(0), y = a.only_number(1);
  if (x == 0 && y < 0) raise_domain_error(a);
  return within(a, doubles::pow(x, y), std::isfinite(x) && std::isfinite(y));
}

template <double (*function)(double)>
Value to_whole(const Arguments& a) {
  if (is_whole(a[0])) return whole_of(a[0]);
  const double number = function(a.only_number(0));
  if (!(std::abs(number) < 9e18)) a.refuse(0, "a_finite_number");
  return static_cast<std::int64_t>(number);
}
double rounded_down(double x) { return std::floor(x); }
double rounded_up(double x) { return std::ceil(x); }
double cut(double x) { return std::trunc(x); }
double without_sign(double x) { return std::abs(x); }

std::int64_t whole_at(const Arguments& a, int i) {
  if (!is_whole(a[i])) a.refuse(i, "a_whole_number");
  return whole_of(a[i]);
}

Value divisor_of_all(const Arguments& a) {
  std::int64_t divisor = 0;
  for (const Value& each : a.values(0)) {
    if (!is_whole(each)) a.refuse(0, "a_whole_number");
    for (std::int64_t other = whole_of(each); other != 0;)
      divisor = std::exchange(other, other == -1 ? 0 : divisor % other);
  }
  return divisor < 0 ? combine_numbers(Operator::subtract, std::int64_t{0}, divisor, a.place) : Value(divisor);
}

Value number_product(const Arguments& a) {
  Value product = a[1];
  for (const Value& each : a.interpreter.items(a[0], a.place))
    product = combine_unnamed(a, Operator::multiply, product, each);
  return product;
}

Value factorial(const Arguments& a) {
  const std::int64_t n = whole_at(a, 0);
  if (n < 0) raise_domain_error(a);
  Value product = std::int64_t{1};
  for (std::int64_t i = 2; i <= n; ++i) product = combine_numbers(Operator::multiply, product, i, a.place);
  return product;
}

// n (n − 1) … (n − k + 1), divided by k! on the way for combinations.
Value choices(const Arguments& a, bool in_order) {
  const std::int64_t n = whole_at(a, 0);
  std::int64_t k = a.is_none(1) ? n : whole_at(a, 1);
  if (n < 0 || k < 0) raise_domain_error(a);
  if (k > n) return std::int64_t{0};
  if (!in_order) k = std::min(k, n - k);
  Value count = std::int64_t{1};
  for (std::int64_t i = 1; i <= k; ++i) {
    count = combine_numbers(Operator::multiply, count, in_order ? n - i + 1 : n - k + i, a.place);
    if (!in_order) count = combine_numbers(Operator::floor_divide, count, i, a.place);
  }
  return count;
}
Value binomial_of(const Arguments& a) { return choices(a, false); }
Value arrangements_of(const Arguments& a) { return choices(a, true); }

Value whole_root(const Arguments& a) {
  const std::int64_t n = whole_at(a, 0);
  if (n < 0) raise_domain_error(a);
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n)));
  while (root > 0 && root > n / root) --root;
  while (root + 1 <= n / (root + 1)) ++root;
  return root;
}

Value is_undefined(const Arguments& a) { return std::isnan(a.only_number(0)); }
Value number_is_infinite(const Arguments& a) { return std::isinf(a.only_number(0)); }
Value number_is_finite(const Arguments& a) { return std::isfinite(a.only_number(0)); }

Value is_close(const Arguments& a) {
  const double x = a.only_number(0), y = a.only_number(1), relative = a.only_number(2), absolute = a.only_number(3);
  if (x == y) return true;
  if (std::isinf(x) || std::isinf(y)) return false;
  return std::abs(x - y) <= std::max(relative * std::max(std::abs(x), std::abs(y)), absolute);
}

Value angle_of_point(const Arguments& a) { return doubles::atan2(a.only_number(0), a.only_number(1)); }
Value remainder_of(const Arguments& a) {
  const double x = a.only_number(0), y = a.only_number(1);
  return within(a, std::fmod(x, y), std::isfinite(x) && !std::isnan(y));
}
Value with_sign_of(const Arguments& a) { return std::copysign(a.only_number(0), a.only_number(1)); }
double in_degrees(double x) { return x * (180 / std::numbers::pi); }
double in_radians(double x) { return x * (std::numbers::pi / 180); }
double power_of_two(double x) { return doubles::pow(2, x); }

Value length_of_vector(const Arguments& a) {
  double sum = 0;
  for (const Value& each : a.values(0)) {
    if (!is_number(each)) a.refuse(0, "numbers");
    sum += number_of(each) * number_of(each);
  }
  return std::sqrt(sum);
}

// Exact sums, by the parts that are lost in rounding (Shewchuk 1997).
Value exact_total(const Arguments& a) {
  std::vector<double> parts;
  for (const Value& each : a.interpreter.items(a[0], a.place)) {
    if (!is_number(each)) a.refuse(0, "numbers");
    double x = number_of(each);
    std::size_t kept = 0;
    a.count_items(parts.size());
    for (double y : parts) {
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      const double sum = x + y, low = y - (sum - x);
      if (low != 0) parts[kept++] = low;
      x = sum;
    }
    parts.resize(kept);
    parts.push_back(x);
  }
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

Value parts_of_number(const Arguments& a) {
  const double x = a.only_number(0), whole = std::trunc(x);
  return tuple_of({std::isinf(x) ? std::copysign(0.0, x) : x - whole, whole});
}

}  // namespace

std::span<const Builtin> math_functions() {
  static constexpr Builtin all[] = {
      {"sqrt", "x", of_number<root_of>, "the square root"},
      {"exp", "x", of_number<doubles::exp>, "e to the power of x"},
      {"expm1", "x", of_number<doubles::expm1>, "e to the power of x, minus 1"},
      {"exp2", "x", of_number<power_of_two>, "2 to the power of x"},
      {"log", "x, base=None", log_of_number, "the natural logarithm, or that of another base"},
      {"log2", "x", logarithm<doubles::log2>, "the logarithm of base 2"},
      {"log10", "x", logarithm<doubles::log10>, "the logarithm of base 10"},
      {"log1p", "x", of_number<doubles::log1p>, "the natural logarithm of 1 + x"},
      {"pow", "x, y", power_of_numbers, "x to the power of y"},
      {"sin", "x", of_angle<doubles::sin>, "the sine"},
      {"cos", "x", of_angle<doubles::cos>, "the cosine"},
      {"tan", "x", of_angle<doubles::tan>, "the tangent"},
      {"asin", "x", of_number<doubles::asin>, "the angle with this sine"},
      {"acos", "x", of_number<doubles::acos>, "the angle with this cosine"},
      {"atan", "x", of_number<doubles::atan>, "the angle with this tangent"},
      {"atan2", "y, x", angle_of_point, "the angle of a point"},
      {"sinh", "x", of_number<doubles::sinh>, "the hyperbolic sine"},
      {"cosh", "x", of_number<doubles::cosh>, "the hyperbolic cosine"},
      {"tanh", "x", of_number<doubles::tanh>, "the hyperbolic tangent"},
      {"erf", "x", of_number<doubles::erf>, "the error function"},
      {"erfc", "x", of_number<doubles::erfc>, "1 minus the error function"},
      {"floor", "x", to_whole<rounded_down>, "rounded down"},
      {"ceil", "x", to_whole<rounded_up>, "rounded up"},
      {"trunc", "x", to_whole<cut>, "cut at the point"},
      {"fabs", "x", of_number<without_sign>, "without its sign, as a float"},
      {"fmod", "x, y", remainder_of, "the remainder, with the sign of x"},
      {"modf", "x", parts_of_number, "what is after the point, and what is before"},
      {"copysign", "x, y", with_sign_of, "x with the sign of y"},
      {"degrees", "x", of_number<in_degrees>, "an angle in degrees"},
      {"radians", "x", of_number<in_radians>, "an angle of so many degrees"},
      {"hypot", "*x", length_of_vector, "the length of a vector"},
      {"prod", "items, start=1", number_product, "the product of all items"},
      {"fsum", "items", exact_total, "the sum of all items, rounded once"},
      {"gcd", "*x", divisor_of_all, "the greatest common divisor"},
      {"comb", "n, k", binomial_of, "how many ways there are to choose k of n"},
      {"perm", "n, k=None", arrangements_of, "how many ways there are to choose k of n in order"},
      {"factorial", "n", factorial, "1 · 2 · … · n"},
      {"isqrt", "n", whole_root, "the square root, rounded down"},
      {"isnan", "x", is_undefined, "whether it is NaN"},
      {"isinf", "x", number_is_infinite, "whether it is infinite"},
      {"isfinite", "x", number_is_finite, "whether it is neither infinite nor NaN"},
      {"isclose", "x, y, rel_tol=1e-9, abs_tol=0.0", is_close, "whether both are nearly equal"},
  };
  return all;
}

}  // namespace unroll::program
