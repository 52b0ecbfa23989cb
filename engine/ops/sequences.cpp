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

// Value j of the sums is Σᵢ xᵢ over i ≤ j; backwards, over i ≥ j. Summed in double, as in PyTorch.
Tensor running_sums(Operand x, int axis, bool backwards) {
  const AxisSplit parts = split_at(x.shape(), axis);
  Tensor y(x.shape());
  for (std::size_t outer = 0; outer < parts.outer; ++outer)
    for (std::size_t inner = 0; inner < parts.inner; ++inner) {
      double total = 0;
      for (std::size_t i = 0; i < parts.length; ++i) {
        const std::size_t along = backwards ? parts.length - 1 - i : i;
        const std::size_t at = (outer * parts.length + along) * parts.inner + inner;
        total += static_cast<double>(x.data()[at]);
        y.data()[at] = static_cast<Scalar>(total);
      }
    }
  return record({"cumsum", "scan", "Σ {0}", {axis, backwards}, 2}, y,
                Input{x, [axis, backwards](const Tensor& dy) { return running_sums(dy, axis, !backwards); }});
}

}  // namespace

Tensor cumsum(Operand x, int axis) {
  return running_sums(forward_operand(x), checked_axis("cumsum", x.shape(), axis), false);
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
