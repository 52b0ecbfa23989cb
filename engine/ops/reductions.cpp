// sum, cumsum, max and mean along an axis, sum_to, square.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/lanes.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// y (n) = max(x, y)
void max_into(const Scalar* x, Scalar* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = maximum(x[i], y[i]);
}

// y (n) += Σᵢ x (rows, n)[i], row by row.
void sum_rows(const Scalar* x, std::size_t rows, std::size_t n, Scalar* y) {
  for_ranges(n, cheap / std::max<std::size_t>(rows, 1) + 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = 0; i < rows; ++i) add_to(x + i * n + first, y + first, last - first);
  });
}

Shape reduced(const Shape& shape, int axis, bool keep_axis) {
  return keep_axis ? shape.with(axis, 1) : shape.without(axis);
}

// The result's gradient with the reduced axis restored as size 1, so that it broadcasts against the operand.
Tensor restore_axis(const Tensor& dy, const Shape& x, int axis) { return reshape(dy, x.with(axis, 1)); }

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

Tensor sum(Operand x, int axis, bool keep_axis) {
  axis = checked_axis("sum", x.shape(), axis);
  const AxisSplit parts = split_at(x.shape(), axis);
  Tensor y = Tensor::full(reduced(x.shape(), axis, keep_axis), 0);
  for (std::size_t outer = 0; outer < parts.outer; ++outer) {
    const Scalar* block = x.data() + outer * parts.length * parts.inner;
    Scalar* result = y.data() + outer * parts.inner;
    if (parts.inner == 1)
      *result = sum_of(block, parts.length);
    else
      sum_rows(block, parts.length, parts.inner, result);
  }
  return record({"sum", "reduce", "Σ {0}", {axis}, 1}, y, Input{x, [shape = x.shape(), axis](const Tensor& dy) {
                                                                  return broadcast_to(restore_axis(dy, shape, axis),
                                                                                      shape);
                                                                }});
}

Tensor sum(Operand x) {
  const Tensor y = Tensor::scalar(sum_of(x.data(), x.size()));
  return record({"sum", "reduce", "Σ {0}"}, y,
                Input{x, [shape = x.shape()](const Tensor& dy) { return broadcast_to(dy, shape); }});
}

Tensor cumsum(Operand x, int axis, bool from_end) {
  return running_sums(forward_operand(x), checked_axis("cumsum", x.shape(), axis), from_end);
}

Tensor max(Operand x, int axis, bool keep_axis, Gradient gradient) {
  axis = checked_axis("max", x.shape(), axis);
  const AxisSplit parts = split_at(x.shape(), axis);
  if (parts.length == 0) fail(ErrorCode::shape, "max_of_empty_axis", axis, x.shape());
  Tensor y(reduced(x.shape(), axis, keep_axis));
  for (std::size_t outer = 0; outer < parts.outer; ++outer) {
    const Scalar* block = x.data() + outer * parts.length * parts.inner;
    Scalar* result = y.data() + outer * parts.inner;
    if (parts.inner == 1) {
      *result = max_of(block, parts.length);
      continue;
    }
    std::copy_n(block, parts.inner, result);  // row by row
    for (std::size_t i = 1; i < parts.length; ++i) max_into(block + i * parts.inner, result, parts.inner);
  }
  const auto shared_by_equal = [x, y, axis](const Tensor& dy) {
    const Tensor is_largest = equal(x, restore_axis(y, x.shape(), axis));
    const Tensor share = is_largest / sum(is_largest, axis, true);
    return restore_axis(dy, x.shape(), axis) * share;
  };
  return record({"max", "reduce", "max {0}", {axis}, 1}, y,
                Input{x, gradient == Gradient::flows ? Vjp(shared_by_equal) : Vjp()});
}

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

}  // namespace unroll
