// floor_divide, remainder, equal, greater, where.
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/ops.h"

namespace unroll {

namespace {

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

}  // namespace

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

namespace {

// x where the condition is not 0 (`others`: where it is 0), else 0. Unlike condition · x, never NaN for an infinite x.
Tensor chosen(const Tensor& condition, const Tensor& x) {
  return map_pairs("where", condition, x, [](Scalar c, Scalar x) { return c != 0 ? x : Scalar(0); });
}
Tensor others(const Tensor& condition, const Tensor& x) {
  return map_pairs("where", condition, x, [](Scalar c, Scalar x) { return c != 0 ? Scalar(0) : x; });
}

}  // namespace

Tensor where(Operand condition, Operand a, Operand b) {
  broadcast("where", condition.shape(), broadcast("where", a.shape(), b.shape()), 0, {"condition", "its choice"});
  const Tensor from_a = chosen(condition, a), from_b = others(condition, b);
  const Tensor y = map_pairs("where", from_a, from_b, [](Scalar a, Scalar b) { return a + b; });
  return record(
      {"where", "elementwise", "{0} ? {1} : {2}"}, y, Input{condition},
      Input{a, [condition, shape = a.shape()](const Tensor& dy) { return sum_to(where(condition, dy, 0), shape); }},
      Input{b, [condition, shape = b.shape()](const Tensor& dy) { return sum_to(where(condition, 0, dy), shape); }});
}

}  // namespace unroll
