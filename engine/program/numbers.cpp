#include "engine/program/numbers.h"

#include <cmath>

namespace unroll::program {
namespace {

[[noreturn]] void refuse_zero(const Place& place) { fail_at(place, "this divides by 0."); }

// Rounded down, as in Python: -7 // 2 is -4 and -7 % 2 is 1.
std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// `result` is read after the operation that sets it.
std::int64_t checked(bool overflows, const std::int64_t& result, const Place& place) {
  if (overflows)
    fail_at(place, "the result is beyond 2^63, where whole numbers end here: write one of them as a float.");
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
  switch (operation) {
    case Operator::add:
      return checked(__builtin_add_overflow(a, b, &result), result, place);
    case Operator::subtract:
      return checked(__builtin_sub_overflow(a, b, &result), result, place);
    case Operator::multiply:
      return checked(__builtin_mul_overflow(a, b, &result), result, place);
    case Operator::power:
      return whole_power(a, b, place);
    default:
      if (b == 0) refuse_zero(place);
      if (b == -1)
        return operation == Operator::remainder ? Value(std::int64_t{0})
                                                : combine_whole(Operator::subtract, 0, a, place);
      const std::int64_t quotient = floor_divide(a, b);
      return operation == Operator::floor_divide ? quotient : a - quotient * b;
  }
}

// base^exponent for a fraction from 0 to 1: a product of square roots of square roots, each exactly rounded.
double fractional_power(double base, double exponent) {
  double power = 1;
  for (int bit = 0; bit < 60 && exponent > 0; ++bit) {
    base = std::sqrt(base), exponent *= 2;
    if (exponent >= 1) power *= base, exponent -= 1;
  }
  return power;
}

double power(double base, double exponent, const Place& place) {
  if (base == 0 && exponent < 0) refuse_zero(place);
  if (exponent < 0) return 1 / power(base, -exponent, place);
  const double whole = std::floor(exponent), fraction = exponent - whole;
  if (base < 0 && fraction != 0) fail_at(place, "a negative number has no power with a fraction.");
  double result = base == 0 && fraction > 0 ? 0 : fractional_power(base, fraction);
  for (double square = base, left = whole; left > 0; left = std::floor(left / 2), square *= square)
    if (std::fmod(left, 2) == 1) result *= square;
  return result;
}

double combine_real(Operator operation, double a, double b, const Place& place) {
  switch (operation) {
    case Operator::add:
      return a + b;
    case Operator::subtract:
      return a - b;
    case Operator::multiply:
      return a * b;
    case Operator::power:
      return power(a, b, place);
    default:
      if (b == 0) refuse_zero(place);
      if (operation == Operator::divide) return a / b;
      const double quotient = std::floor(a / b);
      return operation == Operator::floor_divide ? quotient : a - quotient * b;
  }
}

}  // namespace

Value combine_numbers(Operator operation, const Value& left, const Value& right, const Place& place) {
  const bool stays_whole = operation != Operator::divide && is_whole(left) && is_whole(right) &&
                           !(operation == Operator::power && whole_of(right) < 0);
  if (stays_whole) return combine_whole(operation, whole_of(left), whole_of(right), place);
  const double a = number_of(left), b = number_of(right), result = combine_real(operation, a, b, place);
  if (std::isnan(result) && !std::isnan(a) && !std::isnan(b))
    fail_at(place, "this has no value: it is made of ", a, " and ", b, ".");
  return result;
}

bool compare_numbers(Relation relation, double left, double right) {
  switch (relation) {
    case Relation::equal:
      return left == right;
    case Relation::not_equal:
      return left != right;
    case Relation::less:
      return left < right;
    case Relation::less_or_equal:
      return left <= right;
    case Relation::greater:
      return left > right;
    default:
      return left >= right;
  }
}

}  // namespace unroll::program
