// cumsum and flip, along any axis, which takes the place of another for that.
#include <algorithm>
#include <array>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

Tensor exchanged(Operand x, int a, int b) {
  if (a == b) return x;
  std::array<int, Shape::max_rank> order{0, 1, 2, 3};
  std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
  return permute(forward_operand(x), std::span<const int>(order).first(static_cast<std::size_t>(x.rank())));
}

}  // namespace

// A product with a triangle of ones: value j of the sums is Σᵢ xᵢ over i ≤ j.
Tensor cumsum(Operand x, int axis) {
  const Scope scope("cumsum", x.where);
  axis = checked_axis("cumsum", x.shape(), axis);
  const int n = x.shape()[axis], last = x.rank() - 1;
  Tensor triangle({n, n});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) triangle.data()[i * n + j] = i <= j;
  const Tensor sums = matmul(exchanged(x, axis, last), triangle);
  return exchanged(sums, axis, last);
}

// Rows picked in the reverse order.
Tensor flip(Operand x, int axis) {
  const Scope scope("flip", x.where);
  axis = checked_axis("flip", x.shape(), axis);
  const int n = x.shape()[axis], length = n == 0 ? 0 : static_cast<int>(x.size()) / n;
  Tensor ids({n});
  for (int i = 0; i < n; ++i) ids.data()[i] = static_cast<Scalar>(n - 1 - i);
  const Tensor turned = exchanged(x, 0, axis);
  const Tensor table = reshape(turned, {n, length});
  const Tensor rows = gather(table, ids);
  const Tensor reversed = reshape(rows, turned.shape());
  return exchanged(reversed, 0, axis);
}

}  // namespace unroll
