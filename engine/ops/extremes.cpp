// abs, maximum, minimum.
#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"

namespace unroll {

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
