// The shape of a tensor: up to six sizes, outermost first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace unroll {

class Shape {
 public:
  static constexpr int max_rank = 6;

  Shape() = default;  // (), a scalar
  Shape(std::initializer_list<int> sizes) : Shape(std::span<const int>(sizes.begin(), sizes.size())) {}
  // Throws Error(shape) for more than six sizes, a negative size, or more than 2^28 values in all.
  explicit Shape(std::span<const int> sizes);

  int rank() const { return rank_; }
  std::size_t size() const;  // the number of values

  // The size along `axis`; negative axes count from the end, as in NumPy. Throws Error(shape) for an invalid axis.
  int operator[](int axis) const { return sizes_[normalised_axis(axis, rank_)]; }

  const int* begin() const { return sizes_.data(); }
  const int* end() const { return sizes_.data() + rank_; }

  // These throw like the constructor, and for an invalid axis. A size is 64-bit because it may be a sum beyond int.
  Shape with(int axis, std::int64_t size) const;  // this shape with `size` along `axis`
  Shape without(int axis) const;                  // `axis` removed
  Shape inserted(int axis) const;                 // a new axis of size 1 at `axis`: −rank − 1 to rank

  bool operator==(const Shape&) const = default;

 private:
  // `axis` normalised to 0 … count − 1.
  std::size_t normalised_axis(int axis, int count) const {
    const int index = axis < 0 ? axis + count : axis;
    if (index < 0 || index >= count) fail_axis(axis, count);
    return static_cast<std::size_t>(index);
  }
  [[noreturn]] void fail_axis(int axis, int count) const;

  std::array<int, max_rank> sizes_{};
  int rank_ = 0;
};

// `axis` normalised to 0 … rank − 1. Throws Error(shape) naming `op` when it is outside −rank … rank − 1.
int checked_axis(const char* op, const Shape& shape, int axis);

// The shape that two operands broadcast to: aligned at the last axis, sizes equal or one of them 1 (NumPy's rule). The
// last `own` axes belong to the operation: neither compared nor in the result. Throws Error(shape) naming `op` and the
// operands by `names`.
Shape broadcast(const char* op, const Shape& a, const Shape& b, int own = 0,
                std::array<const char*, 2> names = {"a", "b"});

// A shape split at one axis: `outer` blocks of `length` rows of `inner` values.
struct AxisSplit {
  std::size_t outer = 1, length = 1, inner = 1;
};
AxisSplit split_at(const Shape& shape, int axis);

}  // namespace unroll
