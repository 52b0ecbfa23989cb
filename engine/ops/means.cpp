// sum_to, mean, square, mean_squared_error.
#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"

namespace unroll {

Tensor sum_to(Operand x, const Shape& shape) {
  Tensor y = x;
  while (y.rank() > shape.rank()) y = sum(y, 0);
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (y.shape()[axis] != shape[axis]) y = sum(y, axis, true);
  return y;
}

Tensor mean(Operand x, int axis, bool keep_axis) {
  axis = checked_axis("mean", x.shape(), axis);
  return sum(x, axis, keep_axis) / x.shape()[axis];
}

Tensor mean(Operand x) { return sum(x) / static_cast<double>(x.size()); }

Tensor square(Operand x) { return x * x; }

Tensor mean_squared_error(Operand x, Operand target) {
  Scope scope("mean_squared_error", x.where);
  return mean(square(x - target));
}

}  // namespace unroll
