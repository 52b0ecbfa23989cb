// prod and cumprod.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/ops/lines.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

bool has_zero(const Tensor& x) {
  return std::ranges::any_of(x.values(), [](Scalar value) { return value == 0; });
}

// For each value, the product of all before it along the axis.
Tensor product_before(const Tensor& x, int axis) {
  const Tensor first = Tensor::full(x.shape().with(axis, 1), 1);
  return cumprod(concat({first, slice(x, axis, 0, x.shape()[axis] - 1)}, axis), axis);
}

// The product of all other values along the axis, also where some are 0.
Tensor product_of_others(const Tensor& x, int axis) {
  const Tensor before = product_before(x, axis);
  const Tensor after = flip(product_before(flip(x, axis), axis), axis);
  return before * after;
}

// x with the axis as its last: (rows, n), and back to a tensor of x's shape.
Tensor lines_of(const Tensor& x, int axis) {
  const int n = x.shape()[axis];
  const AxisSplit parts = split_at(x.shape(), axis);
  const Tensor split = reshape(x, {static_cast<int>(parts.outer), n, static_cast<int>(parts.inner)});
  return reshape(transpose(split), {static_cast<int>(parts.outer * parts.inner), n});
}
Tensor from_lines(const Tensor& lines, const Shape& shape, int axis) {
  const AxisSplit parts = split_at(shape, axis);
  const Shape turned = {static_cast<int>(parts.outer), static_cast<int>(parts.inner), shape[axis]};
  return reshape(transpose(reshape(lines, turned)), shape);
}

// 1 where the test of row and column holds, else 0.
Tensor grid(int n, bool (*holds)(int, int)) {
  const Tensor y({n, n});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) y.data()[i * n + j] = holds(i, j) ? 1 : 0;
  return y;
}

// Value k is in every product from the k-th on. There the slope is the product of the others, computed anew for each k,
// since a quotient by x would be 0 / 0 at a zero: n² values for a line of n.
Tensor gradient_beside_zeros(const Tensor& x, const Tensor& dy, int axis) {
  const int n = x.shape()[axis];
  const Tensor lines = lines_of(x, axis), dy_lines = lines_of(dy, axis);
  const int rows = lines.shape()[0];
  const Tensor repeated = broadcast_to(reshape(lines, {rows, 1, n}), {rows, n, n});
  const Tensor others = where(grid(n, [](int i, int j) { return i == j; }), 1, repeated);
  const Tensor slopes = cumprod(others, 2) * grid(n, [](int k, int j) { return j >= k; });
  return from_lines(sum(slopes * reshape(dy_lines, {rows, 1, n}), 2), x.shape(), axis);
}

}  // namespace

Tensor prod(Operand x, int axis, bool keep_axis) {
  axis = checked_axis("prod", x.shape(), axis);
  const Tensor y(keep_axis ? x.shape().with(axis, 1) : x.shape().without(axis));
  for_each_line(x.shape(), axis, [&, length = x.shape()[axis]](std::size_t at, std::size_t line, std::size_t step) {
    double product = 1;
    for (int i = 0; i < length; ++i, at += step) product *= static_cast<double>(x.data()[at]);
    y.data()[line] = static_cast<Scalar>(product);
  });
  return record({"prod", "reduce", "Π {0}", {axis}, 1}, y, Input{x, [x, y, axis](const Tensor& dy) {
                                                                   const Shape kept = x.shape().with(axis, 1);
                                                                   const Tensor whole = reshape(dy, kept);
                                                                   if (has_zero(x))
                                                                     return whole * product_of_others(x, axis);
                                                                   return whole * reshape(y, kept) / x;
                                                                 }});
}

Tensor cumprod(Operand x, int axis) {
  axis = checked_axis("cumprod", x.shape(), axis);
  const Tensor y(x.shape());
  for_each_line(x.shape(), axis, [&, length = x.shape()[axis]](std::size_t at, std::size_t, std::size_t step) {
    double product = 1;
    for (int i = 0; i < length; ++i, at += step) {
      product *= static_cast<double>(x.data()[at]);
      y.data()[at] = static_cast<Scalar>(product);
    }
  });
  return record({"cumprod", "scan", "Π {0}", {axis, 0}, 2}, y, Input{x, [x, y, axis](const Tensor& dy) {
                                                                       if (has_zero(x))
                                                                         return gradient_beside_zeros(x, dy, axis);
                                                                       return cumsum(dy * y, axis, true) / x;
                                                                     }});
}

}  // namespace unroll
