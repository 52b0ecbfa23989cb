#include "engine/tensor/shape.h"

#include <algorithm>
#include <cstdint>

#include "engine/tensor/error.h"

namespace unroll {

constexpr std::uint64_t max_values = std::uint64_t{1} << 28;

Shape::Shape(std::span<const int> sizes) : rank_(static_cast<int>(sizes.size())) {
  if (sizes.size() > max_rank) fail(ErrorCode::shape, "A tensor has at most 4 axes, not ", sizes.size(), ".");
  std::uint64_t values = 1;  // in WebAssembly a size_t would wrap around
  for (int axis = 0; axis < rank_; ++axis) {
    if (sizes[axis] < 0) fail(ErrorCode::shape, "A size is 0 or more, not ", sizes[axis], ".");
    sizes_[axis] = sizes[axis];
    values *= static_cast<std::uint64_t>(sizes[axis]);
    if (values > max_values) fail(ErrorCode::shape, "A tensor of shape ", *this, " is too large: at most 2^28 values.");
  }
}

std::size_t Shape::size() const {
  std::size_t values = 1;
  for (int size : *this) values *= static_cast<std::size_t>(size);
  return values;
}

Shape Shape::with(int axis, int size) const {
  Shape result = *this;
  result.sizes_[axis < 0 ? axis + rank_ : axis] = size;
  return result;
}

Shape Shape::without(int axis) const {
  Shape result = *this;
  std::copy(begin() + axis + 1, end(), result.sizes_.begin() + axis);
  result.sizes_[--result.rank_] = 0;
  return result;
}

Shape Shape::inserted(int axis) const {
  if (rank_ == max_rank) fail(ErrorCode::shape, "A tensor has at most 4 axes; ", *this, " cannot take another.");
  Shape result = *this;
  std::copy_backward(begin() + axis, end(), result.sizes_.begin() + rank_ + 1);
  result.sizes_[axis] = 1;
  ++result.rank_;
  return result;
}

int checked_axis(const char* op, const Shape& shape, int axis) {
  if (axis < -shape.rank() || axis >= shape.rank())
    fail(ErrorCode::shape, "[", op, "] axis is ", axis, ", but the operand is ", shape, ": use ", -shape.rank(), " to ",
         shape.rank() - 1, ".");
  return axis < 0 ? axis + shape.rank() : axis;
}

Shape broadcast(const char* op, const Shape& a, const Shape& b) {
  Shape result = a.rank() >= b.rank() ? a : b;
  for (int back = 1; back <= std::min(a.rank(), b.rank()); ++back) {
    const int m = a[-back], n = b[-back];
    if (m != n && m != 1 && n != 1)
      fail(ErrorCode::shape, "[", op, "] a is ", a, ", b is ", b, ": sizes ", m, " and ", n, " along axis ", -back,
           " differ and neither is 1.");
    result = result.with(-back, m == 1 ? n : m);
  }
  return result;
}

AroundAxis around(const Shape& shape, int axis) {
  AroundAxis parts;
  for (int i = 0; i < axis; ++i) parts.outer *= static_cast<std::size_t>(shape[i]);
  parts.length = static_cast<std::size_t>(shape[axis]);
  for (int i = axis + 1; i < shape.rank(); ++i) parts.inner *= static_cast<std::size_t>(shape[i]);
  return parts;
}

}  // namespace unroll
