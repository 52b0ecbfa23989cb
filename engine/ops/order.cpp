// argmax and argsort: where values are by their size. NaN counts as the largest, as in PyTorch.
#include "engine/kernels/order.h"

#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/ops/lines.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

bool is_above(Scalar a, Scalar b) { return a > b || (std::isnan(a) && !std::isnan(b)); }

}  // namespace

Tensor argmax(Operand x, int axis) {
  axis = checked_axis("argmax", x.shape(), axis);
  const int count = x.shape()[axis];
  if (count == 0) fail(ErrorCode::shape, "argmax_of_empty_axis", axis, x.shape());
  const Tensor y(x.shape().without(axis));
  for_each_line(x.shape(), axis, [&](std::size_t first, std::size_t line, std::size_t step) {
    const Scalar* values = x.data() + first;
    std::size_t largest = 0;
    for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i)
      if (is_above(values[i * step], values[largest * step])) largest = i;
    y.data()[line] = static_cast<Scalar>(largest);
  });
  return record({"argmax", "reduce", "argmax {0}", {axis}, 1}, y, Input{x});
}

Tensor argsort(Operand x, int axis, bool descending) {
  axis = checked_axis("argsort", x.shape(), axis);
  const auto count = static_cast<std::size_t>(x.shape()[axis]);
  const Tensor y(x.shape());
  for_each_line(x.shape(), axis, [&](std::size_t first, std::size_t, std::size_t step) {
    const Scalar* values = x.data() + first;
    const auto order = stable_order(count, [=](std::size_t a, std::size_t b) {
      return descending ? is_above(values[a * step], values[b * step]) : is_above(values[b * step], values[a * step]);
    });
    for (std::size_t i = 0; i < count; ++i) y.data()[first + i * step] = static_cast<Scalar>(order[i]);
  });
  return record({"argsort", "reduce", "argsort {0}", {axis}, 1}, y, Input{x});
}

}  // namespace unroll
