// power, floor_divide, remainder, equal, greater, where, maximum, minimum, at_least, at_most.
#include <cmath>
#include <limits>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/functions.h"
#include "engine/kernels/lanes.h"
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

// From the exact remainder, as in PyTorch: in single precision 1 / 0.1 is rounded up to 10, and 0.1 fits nine times.
Scalar times_in(Scalar b, Scalar a) {
  if (b == 0) return a / b;
  const Scalar rest = std::fmod(a, b), times = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
  return times == 0 ? std::copysign(Scalar(0), a / b) : std::floor(times + Scalar(0.5));
}

// With the sign of b.
Scalar rest_of(Scalar a, Scalar b) {
  const Scalar rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// x where the condition is not 0 (`others`: where it is 0), else 0. Unlike condition · x, never NaN for an infinite x.
Tensor chosen(const Tensor& condition, const Tensor& x) {
  return map_pairs("where", condition, x, [](Scalar c, Scalar x) { return c != 0 ? x : Scalar(0); });
}
Tensor others(const Tensor& condition, const Tensor& x) {
  return map_pairs("where", condition, x, [](Scalar c, Scalar x) { return c != 0 ? Scalar(0) : x; });
}

// The part of dy that goes to `own`: half where both are equal, none where the other is chosen, else all (also of NaN).
Vjp share_of(const Tensor& own, const Tensor& other, bool largest) {
  return [=, shape = own.shape()](const Tensor& dy) {
    const Tensor is_other = largest ? greater(other, own) : greater(own, other);
    const Tensor unless_other = where(is_other, 0, dy);
    const Tensor is_tie = equal(own, other), half = dy / 2;
    return sum_to(where(is_tie, half, unless_other), shape);
  };
}

}  // namespace

Tensor power(Operand a, Operand b) {
  const Tensor y = map_pairs("power", a, b, power_of);
  return record({"power", "elementwise", "{0} ^ {1}"}, y,
                Input{a, [a, b](const Tensor& dy) { return sum_to(gradient_of_base(a, b, dy), a.shape()); }},
                Input{b, [a, b, y](const Tensor& dy) { return sum_to(dy * slope_in_exponent(a, b, y), b.shape()); }});
}

Tensor floor_divide(Operand a, Operand b) {
  const Tensor y = map_pairs("floor_divide", a, b, [](Scalar a, Scalar b) { return times_in(b, a); });
  return record({"floor_divide", "elementwise", "⌊{0} / {1}⌋"}, y, Input{a}, Input{b});
}

Tensor remainder(Operand a, Operand b) {
  const Tensor y = map_pairs("remainder", a, b, rest_of);
  return record({"remainder", "elementwise", "{0} mod {1}"}, y,
                Input{a, [shape = a.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                Input{b, [a, b](const Tensor& dy) { return sum_to(-(dy * floor_divide(a, b)), b.shape()); }});
}

Tensor equal(Operand a, Operand b) {
  const Tensor y = map_pairs("equal", a, b, [](Scalar a, Scalar b) { return a == b ? Scalar(1) : Scalar(0); });
  return record({"equal", "elementwise", "[{0} = {1}]"}, y, Input{a}, Input{b});
}

Tensor greater(Operand a, Operand b) {
  const Tensor y = map_pairs("greater", a, b, [](Scalar a, Scalar b) { return a > b ? Scalar(1) : Scalar(0); });
  return record({"greater", "elementwise", "[{0} > {1}]"}, y, Input{a}, Input{b});
}

Tensor where(Operand condition, Operand a, Operand b) {
  broadcast("where", condition.shape(), broadcast("where", a.shape(), b.shape()), 0, {"condition", "its choice"});
  const Tensor from_a = chosen(condition, a), from_b = others(condition, b);
  const Tensor y = map_pairs("where", from_a, from_b, [](Scalar a, Scalar b) { return a + b; });
  return record(
      {"where", "elementwise", "{0} ? {1} : {2}"}, y, Input{condition},
      Input{a, [condition, shape = a.shape()](const Tensor& dy) { return sum_to(where(condition, dy, 0), shape); }},
      Input{b, [condition, shape = b.shape()](const Tensor& dy) { return sum_to(where(condition, 0, dy), shape); }});
}

Tensor maximum(Operand a, Operand b) {
  const Tensor y = map_pairs("maximum", a, b, [](Scalar a, Scalar b) { return unroll::maximum<Scalar>(a, b); });
  return record({"maximum", "elementwise", "max({0}, {1})"}, y,  //
                Input{a, share_of(a, b, true)}, Input{b, share_of(b, a, true)});
}

Tensor minimum(Operand a, Operand b) {
  const Tensor y = map_pairs("minimum", a, b, [](Scalar a, Scalar b) { return -unroll::maximum<Scalar>(-a, -b); });
  return record({"minimum", "elementwise", "min({0}, {1})"}, y,  //
                Input{a, share_of(a, b, false)}, Input{b, share_of(b, a, false)});
}

// Unlike maximum, x keeps all of its gradient at the bound.
Tensor at_least(Operand x, Operand bound) {
  const Scope scope("clamp", x.where);
  return where(greater(bound, x), bound, x);
}

Tensor at_most(Operand x, Operand bound) {
  const Scope scope("clamp", x.where);
  return where(greater(x, bound), bound, x);
}

}  // namespace unroll
