// A shape and row-major values, without any knowledge of operations. Handles are cheap to copy and share their values,
// as in NumPy.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "engine/tensor/scalar.h"
#include "engine/tensor/shape.h"

namespace unroll {

// The entry that some record of computations has for these values: the record's serial number, 0 for none, and the
// entry's index. All handles share it.
struct Mark {
  std::uint64_t record = 0;
  int entry = -1;
};

class Values {
 public:
  using Array = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  using Matrix = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  Values() = default;  // empty handle: only copying, assignment and bool are valid
  Values(const Values& other) : body_(shared(other.body_)) {}
  Values(Values&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  Values& operator=(Values other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~Values() { release(body_); }
  explicit Values(const Shape& shape);  // uninitialised values
  Values(const Shape& shape, std::span<const Scalar> values);
  Values(const Shape& shape, std::initializer_list<Scalar> values);
  static Values full(const Shape& shape, Scalar value);
  static Values scalar(Scalar value) { return full({}, value); }

  explicit operator bool() const { return body_ != nullptr; }
  const Shape& shape() const { return body_->shape; }
  int rank() const { return shape().rank(); }
  std::size_t size() const { return shape().size(); }

  // All handles share the values: a write through one is visible through all.
  Scalar* data() const { return body_->values.get(); }
  std::span<Scalar> values() const { return {data(), size()}; }
  Array array() const { return Array(data(), static_cast<Eigen::Index>(size())); }
  Scalar item() const;  // the only value; throws Error(shape) for any other size

  Values reshaped(const Shape& shape) const;  // a view of the same values; throws Error(shape) when sizes differ
  Values copy() const;                        // a deep copy
  // Whether no other handle shares the values.
  bool is_unique() const { return body_->handles == 1 && body_->values.use_count() == 1; }
  // Whether these two handles share their values, and no other does.
  bool is_unique_pair(const Values& other) const {
    if (body_ == other.body_) return body_->handles == 2 && body_->values.use_count() == 1;
    return body_->values == other.body_->values && body_->values.use_count() == 2 && body_->handles == 1 &&
           other.body_->handles == 1;
  }
  void make_unique_values() const;  // a private copy of the values, for all handles

  Mark mark() const { return body_->mark; }
  void set_mark(Mark mark) const { body_->mark = mark; }

 private:
  struct Body {
    Shape shape;
    int handles = 1;
    std::shared_ptr<Scalar[]> values;
    Mark mark = {};
  };
  // What a body takes of the pool: as much where pointers have 32 bits, so that memory is counted alike everywhere.
  struct alignas(8) Room {
    char bytes[64];
  };
  static_assert(sizeof(Body) <= sizeof(Room));
  explicit Values(Body body);

  // Handles are everywhere: out-of-line reference counting takes a third less code than std::shared_ptr.
  [[gnu::noinline]] static Body* shared(Body* body);
  [[gnu::noinline]] static void release(Body* body);

  Body* body_ = nullptr;
};

}  // namespace unroll
