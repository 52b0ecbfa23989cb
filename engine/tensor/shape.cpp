#include "engine/tensor/shape.h"

#include <algorithm>
#include <limits>

#include "engine/tensor/error.h"

namespace unroll {

constexpr std::uint64_t max_values = std::uint64_t{1} << 28;

Shape::Shape(std::span<const int> sizes) : rank_(static_cast<int>(sizes.size())) {
  if (sizes.size() > max_rank) fail(ErrorCode::shape, "tensor_has_too_many_axes", sizes.size());
  std::ranges::copy(sizes, sizes_.begin());
  std::uint64_t values = 1;  // size_t has 32 bits in WebAssembly and could overflow
  for (const int size : sizes) {
    if (size < 0) fail(ErrorCode::shape, "size_negative", size);
    values *= static_cast<std::uint64_t>(size);
    if (values > max_values) fail(ErrorCode::shape, "tensor_too_large", *this);
  }
}

std::size_t Shape::size() const {
  std::size_t values = 1;
  for (int size : *this) values *= static_cast<std::size_t>(size);
  return values;
}

Shape Shape::with(int axis, std::int64_t size) const {
  constexpr int largest = std::numeric_limits<int>::max();
  if (size > largest) fail(ErrorCode::shape, "size_too_large", largest, size);
  std::array<int, max_rank> sizes = sizes_;
  sizes[normalised_axis(axis, rank_)] = static_cast<int>(size);
  return Shape(std::span(sizes).first(static_cast<std::size_t>(rank_)));
}

Shape Shape::without(int axis) const {
  std::array<int, max_rank> sizes = sizes_;
  const std::size_t index = normalised_axis(axis, rank_);
  std::copy(begin() + index + 1, end(), sizes.begin() + index);
  return Shape(std::span(sizes).first(static_cast<std::size_t>(rank_ - 1)));
}

Shape Shape::inserted(int axis) const {
  if (rank_ == max_rank) fail(ErrorCode::shape, "no_room_for_axis", *this);
  Shape result = *this;
  const std::size_t index = normalised_axis(axis, rank_ + 1);
  std::copy_backward(begin() + index, end(), result.sizes_.begin() + rank_ + 1);
  result.sizes_[index] = 1;
  ++result.rank_;
  return result;
}

void Shape::fail_axis(int axis, int count) const {
  if (count == 0) fail(ErrorCode::shape, "scalar_has_no_axis", *this, axis);
  fail(ErrorCode::shape, "axis_out_of_range", axis, *this, -count, count - 1);
}

int checked_axis(const char* op, const Shape& shape, int axis) {
  if (axis < -shape.rank() || axis >= shape.rank())
    fail(ErrorCode::shape, "op_axis_out_of_range", std::string_view(op), axis, shape, -shape.rank(), shape.rank() - 1);
  return axis < 0 ? axis + shape.rank() : axis;
}

Shape broadcast(const char* op, const Shape& a, const Shape& b, int own, std::array<const char*, 2> names) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  Shape result(std::span(longer.begin(), longer.end() - own));
  for (int back = own + 1; back <= std::min(a.rank(), b.rank()); ++back) {
    const int m = a[-back], n = b[-back];
    if (m != n && m != 1 && n != 1)
      fail(ErrorCode::shape, "op_sizes_do_not_broadcast", std::string_view(op), std::string_view(names[0]), a,
           std::string_view(names[1]), b, m, n, -back);
    result = result.with(own - back, m == 1 ? n : m);
  }
  return result;
}

AxisSplit split_at(const Shape& shape, int axis) {
  AxisSplit parts;
  for (int i = 0; i < axis; ++i) parts.outer *= static_cast<std::size_t>(shape[i]);
  parts.length = static_cast<std::size_t>(shape[axis]);
  for (int i = axis + 1; i < shape.rank(); ++i) parts.inner *= static_cast<std::size_t>(shape[i]);
  return parts;
}

}  // namespace unroll
