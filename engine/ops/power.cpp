// power: a^b, also of negative a and at 0.
#include <cmath>
#include <limits>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/functions.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

bool is_odd(Scalar whole) { return std::fmod(whole, Scalar(2)) != 0; }

// base^times by repeated squaring, in double: base > 0, times a whole number of at least 0.
double whole_power(double base, double times) {
  double power = 1;
  for (; times > 0; times = std::floor(times / 2), base *= base)
    if (std::fmod(times, 2) != 0) power *= base;
  return power;
}

// a^b for a > 0: the whole part of b by products, which are exact for small numbers, and the rest by e^(rest · log a).
Scalar positive_power(Scalar a, Scalar b) {
  const Scalar size = std::abs(b), rest = size - std::floor(size);
  double power = whole_power(static_cast<double>(a), static_cast<double>(std::floor(size)));
  if (rest == Scalar(0.5))
    power *= static_cast<double>(kernels::sqrt(a));
  else if (rest != 0)
    power *= static_cast<double>(kernels::exp(rest * kernels::log(a)));
  return static_cast<Scalar>(b < 0 ? 1 / power : power);
}

// As C's pow: 0⁰ and 1ᵇ are 1, a finite negative number has whole powers only.
Scalar power_of(Scalar a, Scalar b) {
  if (b == 0 || a == 1) return 1;
  if (std::isnan(a) || std::isnan(b)) return a + b;
  const bool is_whole = std::floor(b) == b;
  const Scalar size = std::abs(a), sign = std::signbit(a) && is_whole && !std::isinf(b) && is_odd(b) ? -1 : 1;
  if (std::isinf(b) && size == 1) return 1;
  if (size == 0 || std::isinf(size) || std::isinf(b))
    return sign * ((size > 1) == (b > 0) ? std::numeric_limits<Scalar>::infinity() : Scalar(0));
  if (a < 0 && !is_whole) return std::numeric_limits<Scalar>::quiet_NaN();
  return sign * positive_power(size, b);
}

// dy · b · a^(b−1), and 0 where b is 0, whatever a and dy are.
Tensor gradient_of_base(const Tensor& a, const Tensor& b, const Tensor& dy) {
  const Tensor one_less = b - 1;
  const Tensor slope = b * power(a, one_less);
  const Tensor gradient = dy * slope;
  return where(equal(b, 0), 0, gradient);
}

// a^b · log a, and 0 where a is 0 and b is not negative: a^b is 0 for every such b.
Tensor slope_in_exponent(const Tensor& a, const Tensor& b, const Tensor& y) {
  const Tensor is_zero = equal(a, 0), is_negative = greater(0, b);
  const Tensor is_flat = greater(is_zero, is_negative);
  const Tensor slope = y * log(a);
  return where(is_flat, 0, slope);
}

}  // namespace

Tensor power(Operand a, Operand b) {
  const Tensor y = map_pairs("power", a, b, power_of);
  return record({"power", "elementwise", "{0} ^ {1}"}, y,
                Input{a, [a, b](const Tensor& dy) { return sum_to(gradient_of_base(a, b, dy), a.shape()); }},
                Input{b, [a, b, y](const Tensor& dy) { return sum_to(dy * slope_in_exponent(a, b, y), b.shape()); }});
}

}  // namespace unroll
