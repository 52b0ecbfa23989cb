// equal, greater, where, abs, maximum, minimum.
#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/ops.h"

namespace unroll {

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

Tensor abs(Operand x) {
  const Scope scope("abs", x.where);
  const Tensor is_positive = greater(x, 0);
  const Tensor is_negative = greater(0, x);
  return x * (is_positive - is_negative);
}

// Half of each where they are equal, so that both get half of the gradient.
Tensor maximum(Operand a, Operand b) {
  const Scope scope("maximum", a.where);
  const Tensor is_a = greater(a, b), is_tie = equal(a, b);
  const Tensor larger = where(is_a, a, b);
  const Tensor total = a + b;
  return where(is_tie, total / 2, larger);
}

Tensor minimum(Operand a, Operand b) {
  const Scope scope("minimum", a.where);
  const Tensor negated_a = -a, negated_b = -b;
  return -maximum(negated_a, negated_b);
}

}  // namespace unroll
