// sum_to, mean, square, cumsum, mean_squared_error.
#include <algorithm>
#include <array>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
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

// A product with a triangle of ones: value j of the sums is Σᵢ xᵢ over i ≤ j.
Tensor cumsum(Operand x, int axis) {
  const Scope scope("cumsum", x.where);
  axis = checked_axis("cumsum", x.shape(), axis);
  const int n = x.shape()[axis], last = x.rank() - 1;
  Tensor triangle({n, n});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) triangle.data()[i * n + j] = i <= j;
  if (axis == last) return matmul(x, triangle);
  std::array<int, Shape::max_rank> order{0, 1, 2, 3};
  std::swap(order[static_cast<std::size_t>(axis)], order[static_cast<std::size_t>(last)]);
  const std::span<const int> axes = std::span(order).first(static_cast<std::size_t>(x.rank()));
  const Tensor sums = matmul(permute(x, axes), triangle);
  return permute(sums, axes);
}

Tensor mean_squared_error(Operand x, Operand target) {
  Scope scope("mean_squared_error", x.where);
  return mean(square(x - target));
}

}  // namespace unroll
