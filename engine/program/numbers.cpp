// Operators between the numbers of Python.
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdlib>

#include "engine/program/arithmetic.h"
#include "engine/program/real_functions.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

[[noreturn]] void refuse_zero(const Place& place) { fail_at(place, "divides_by_zero"); }

// Rounded down, as in Python: -7 // 2 is -4 and -7 % 2 is 1.
std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
std::int64_t floor_remainder(std::int64_t a, std::int64_t b) {
  const std::int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

// `result` is a reference, because the operation that sets it is evaluated with the arguments.
std::int64_t checked(bool overflows, const std::int64_t& result, const Place& place) {
  if (overflows) fail_at(place, "whole_result_too_large");
  return result;
}

std::int64_t whole_power(std::int64_t base, std::int64_t exponent, const Place& place) {
  std::int64_t result = 1;
  bool overflows = false;
  if (base == 0 || base == 1 || base == -1) exponent = exponent > 1 ? 2 - exponent % 2 : exponent;
  for (; exponent > 0 && !overflows; --exponent) overflows = __builtin_mul_overflow(result, base, &result);
  return checked(overflows, result, place);
}

Value combine_whole(Operator operation, std::int64_t a, std::int64_t b, const Place& place) {
  std::int64_t result = 0;
  if (operation == Operator::add) return checked(__builtin_add_overflow(a, b, &result), result, place);
  if (operation == Operator::subtract) return checked(__builtin_sub_overflow(a, b, &result), result, place);
  if (operation == Operator::multiply) return checked(__builtin_mul_overflow(a, b, &result), result, place);
  if (operation == Operator::power) return whole_power(a, b, place);
  if (b == 0) refuse_zero(place);
  if (b == -1)
    return operation == Operator::remainder ? Value(std::int64_t{0}) : combine_whole(Operator::subtract, 0, a, place);
  return operation == Operator::floor_divide ? floor_divide(a, b) : floor_remainder(a, b);
}

double power(double base, double exponent, const Place& place) {
  if (base == 0 && exponent < 0) refuse_zero(place);
  if (base < 0 && std::isfinite(exponent) && exponent != std::floor(exponent))
    fail_at(place, "negative_base_with_fraction");
  const double result = doubles::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent))
    fail_at(place, "power_too_large", python_text(base), python_text(exponent));
  return result;
}

// With the sign of b. fmod is exact.
double remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

// From the exact remainder: 5.0 / 0.1 is rounded up to 50, and 0.1 fits 49 times.
double floor_divide(double a, double b) {
  const double rest = std::fmod(a, b), times = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
  return times == 0 ? std::copysign(0.0, a / b) : std::floor(times + 0.5);
}

double combine_real(Operator operation, double a, double b, const Place& place) {
  if (operation == Operator::add) return a + b;
  if (operation == Operator::subtract) return a - b;
  if (operation == Operator::multiply) return a * b;
  if (operation == Operator::power) return power(a, b, place);
  if (b == 0) refuse_zero(place);
  if (operation == Operator::divide) return a / b;
  return operation == Operator::floor_divide ? floor_divide(a, b) : remainder(a, b);
}

}  // namespace

Value combine_numbers(Operator operation, const Value& left, const Value& right, const Place& place) {
  const bool stays_whole = operation != Operator::divide && is_whole(left) && is_whole(right) &&
                           !(operation == Operator::power && whole_of(right) < 0);
  if (stays_whole) return combine_whole(operation, whole_of(left), whole_of(right), place);
  const double a = number_of(left), b = number_of(right), result = combine_real(operation, a, b, place);
  if (std::isnan(result) && !std::isnan(a) && !std::isnan(b)) fail_at(place, "power_undefined", a, b);
  return result;
}

namespace {

// Exact, though not every whole number is a double.
std::partial_ordering order_of(std::int64_t a, double b) {
  constexpr double beyond = 9223372036854775808.0;  // 2⁶³
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= beyond) return std::partial_ordering::less;
  if (b < -beyond) return std::partial_ordering::greater;
  const double cut = std::trunc(b);
  const auto whole = static_cast<std::int64_t>(cut);
  return a == whole ? cut <=> b : a <=> whole;
}

std::partial_ordering order_of(const Value& left, const Value& right) {
  if (is_whole(left) && is_whole(right)) return whole_of(left) <=> whole_of(right);
  if (is_whole(left)) return order_of(whole_of(left), number_of(right));
  if (is_whole(right)) return 0 <=> order_of(whole_of(right), number_of(left));
  return number_of(left) <=> number_of(right);
}

}  // namespace

bool compare_numbers(Relation relation, const Value& left, const Value& right) {
  const std::partial_ordering order = order_of(left, right);
  if (relation == Relation::equal) return order == 0;
  if (relation == Relation::not_equal) return order != 0;
  if (relation == Relation::less) return order < 0;
  if (relation == Relation::less_or_equal) return order <= 0;
  if (relation == Relation::greater) return order > 0;
  return order >= 0;
}

// The shortest digits that are read as the same number, with a point or an exponent; an exponent from 1e16 and below
// 1e-4.
std::string python_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  const int decimals = decimals_of_shortest(number);
  const std::string text = scientific_text(number, decimals);
  const int exponent = std::atoi(text.c_str() + text.find('e') + 1);
  if (exponent < -4 || exponent >= 16) return text;
  return fixed_text(number, std::max(decimals - exponent, 1));
}

}  // namespace unroll::program
