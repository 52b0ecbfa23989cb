// maximum, minimum, clamp.
#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/sums.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

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
