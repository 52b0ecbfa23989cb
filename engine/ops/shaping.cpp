// transpose, permute, flip, reshape, broadcast_to, concat, slice, pad, detach: operations that only move values.
#include <algorithm>
#include <array>
#include <numeric>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"
#include "engine/tensor/pool.h"

namespace unroll {
namespace {

using Axes = std::array<int, Shape::max_rank>;

// y = x with its axes in the order `axes`.
Tensor permuted(const Tensor& x, const Axes& axes) {
  const int rank = x.rank(), added = BroadcastPlan::axes - rank;  // outer axes of size 1, with the last one apart
  Axes sizes{};
  BroadcastPlan plan{{}, {}, {}, 1, 0, 0};
  std::ranges::fill(plan.sizes, 1);
  for (int i = 0; i < rank; ++i) {
    sizes[i] = x.shape()[axes[i]];
    const auto step = static_cast<std::ptrdiff_t>(split_at(x.shape(), axes[i]).inner);
    if (i + 1 == rank)
      plan.inner = static_cast<std::size_t>(sizes[i]), plan.a_inner = step;
    else
      plan.sizes[added + i + 1] = sizes[i], plan.a[added + i + 1] = step;
  }
  const Tensor y{Shape(std::span<const int>(sizes).first(static_cast<std::size_t>(rank)))};
  if (y.size() == 0) return y;
  const std::size_t length = plan.inner;
  for_ranges(y.size() / length, cheap / length + 1, [&](std::size_t first, std::size_t last) {
    RunPlace at(plan, first);
    Scalar* to = y.data() + first * length;
    for (; first < last; ++first, to += length, at.next()) {
      const Scalar* from = x.data() + at.a;
      if (plan.a_inner == 1)
        std::copy_n(from, length, to);
      else
        for (std::size_t i = 0; i < length; ++i, from += plan.a_inner) to[i] = *from;
    }
  });
  return y;
}

Tensor permute_axes(Operand x, Axes axes) {
  Axes inverse{};
  for (int i = 0; i < x.rank(); ++i) inverse[axes[i]] = i;
  return record({"transpose", "transpose", "{0}", axes, x.rank()}, permuted(x, axes),
                Input{x, [inverse](const Tensor& dy) { return permute_axes(dy, inverse); }});
}

Tensor exchange_axes(Operand x, int a, int b) {
  if (a == b) return x;
  Axes order;
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[a], order[b]);
  return permute_axes(forward_operand(x), order);
}

// The shape of `parts` concatenated along `axis`.
Shape joined_shape(std::span<const Operand> parts, int axis) {
  const Shape& first = parts[0].shape();
  std::int64_t length = 0;
  for (const Operand& part : parts) {
    if (part.rank() != first.rank() || part.shape().with(axis, 0) != first.with(axis, 0))
      fail(ErrorCode::shape, "concat_sizes_differ", first, part.shape(), axis);
    length += part.shape()[axis];
  }
  return first.with(axis, length);
}

// Copies `length` indices along `axis` from one tensor to another.
void copy_along(const Tensor& from, int from_start, const Tensor& to, int to_start, int axis, int length) {
  const AxisSplit source = split_at(from.shape(), axis), target = split_at(to.shape(), axis);
  for (std::size_t outer = 0; outer < source.outer; ++outer)
    std::copy_n(from.data() + (outer * source.length + from_start) * source.inner, length * source.inner,
                to.data() + (outer * target.length + to_start) * target.inner);
}

}  // namespace

Tensor permute(Operand x, std::span<const int> axes) {
  Axes order{};
  std::array<bool, Shape::max_rank> seen{};
  if (static_cast<int>(axes.size()) != x.rank()) fail(ErrorCode::shape, "permute_axis_count", axes.size(), x.shape());
  int place = 0;
  for (int axis : axes) {
    axis = checked_axis("permute", x.shape(), axis);
    if (seen[axis]) fail(ErrorCode::shape, "permute_axis_twice", axis);
    seen[order[place++] = axis] = true;
  }
  return permute_axes(forward_operand(x), order);
}

Tensor transpose(Operand x) {
  if (x.rank() < 2) fail(ErrorCode::shape, "transpose_needs_two_axes", x.shape());
  return exchange_axes(forward_operand(x), x.rank() - 1, x.rank() - 2);
}

// Rows picked in the reverse order.
Tensor flip(Operand x, int axis) {
  const Scope scope("flip", x.where);
  axis = checked_axis("flip", x.shape(), axis);
  const int n = x.shape()[axis], length = n == 0 ? 0 : static_cast<int>(x.size()) / n;
  Tensor ids({n});
  for (int i = 0; i < n; ++i) ids.data()[i] = static_cast<Scalar>(n - 1 - i);
  const Tensor turned = exchange_axes(x, 0, axis);
  const Tensor table = reshape(turned, {n, length});
  const Tensor rows = gather(table, ids);
  const Tensor reversed = reshape(rows, turned.shape());
  return exchange_axes(reversed, 0, axis);
}

Tensor reshape(Operand x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return record({"reshape", "reshape", "{0}"}, x.reshaped(shape),
                Input{x, [before = x.shape()](const Tensor& dy) { return reshape(dy, before); }});
}

Tensor broadcast_to(Operand x, const Shape& shape) {
  if (x.shape() == shape) return x;
  if (broadcast("broadcast_to", x.shape(), shape) != shape)
    fail(ErrorCode::shape, "broadcast_to_does_not_fit", x.shape(), shape);
  const Tensor of_that_shape(shape);  // whose values are not read
  const Tensor y = map_pairs("broadcast_to", x, of_that_shape, [](Scalar x, Scalar) { return x; });
  return record({"broadcast_to", "elementwise", "{0}"}, y,
                Input{x, [before = x.shape()](const Tensor& dy) { return sum_to(dy, before); }});
}

Tensor concat(const std::vector<Operand>& operands, int axis, Operand::CallSite where) {
  if (operands.empty()) fail(ErrorCode::shape, "concat_of_nothing");
  PooledVector<Operand> parts;  // all located at the call, wherever the list was made
  parts.reserve(operands.size());
  for (const Operand& part : operands) parts.emplace_back(part, where);
  axis = checked_axis("concat", parts[0].shape(), axis);
  Tensor y(joined_shape(parts, axis));
  PooledVector<Input> inputs;
  inputs.reserve(parts.size());
  int start = 0;
  for (const Operand& part : parts) {
    const int size = part.shape()[axis];
    copy_along(part, 0, y, start, axis, size);
    inputs.push_back({part, [axis, start, size](const Tensor& dy) { return slice(dy, axis, start, size); }});
    start += size;
  }
  return record({"concat", "concat", "{0}", {axis}, 1}, y, std::span<const Input>(inputs));
}

Tensor slice(Operand x, int axis, int start, int length) {
  axis = checked_axis("slice", x.shape(), axis);
  const int size = x.shape()[axis];
  if (start < 0 || length < 0 || start > size || length > size - start)
    fail(ErrorCode::shape, "slice_out_of_range", length, start, size, axis, x.shape());
  Tensor y(x.shape().with(axis, length));
  copy_along(x, start, y, 0, axis, length);
  return record({"slice", "slice", "{0}", {axis, start}, 2}, y,
                Input{x, [=](const Tensor& dy) { return pad(dy, axis, start, size - start - length); }});
}

Tensor pad(Operand x, int axis, int before, int after) {
  axis = checked_axis("pad", x.shape(), axis);
  if (before < 0 || after < 0) fail(ErrorCode::shape, "pad_negative", before, after);
  const int size = x.shape()[axis];
  Tensor y = Tensor::full(x.shape().with(axis, std::int64_t{before} + size + after), 0);
  copy_along(x, 0, y, before, axis, size);
  return record({"pad", "pad", "{0}", {axis, before}, 2}, y,
                Input{x, [=](const Tensor& dy) { return slice(dy, axis, before, size); }});
}

Tensor detach(Operand x) { return record({"detach", "elementwise", "{0}"}, x.reshaped(x.shape()), Input{x}); }

}  // namespace unroll
