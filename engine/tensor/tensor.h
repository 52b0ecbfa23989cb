// A tensor: a shape and row-major values. Handles are cheap to copy and share their values, as in NumPy.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "engine/tensor/call_site.h"
#include "engine/tensor/scalar.h"
#include "engine/tensor/shape.h"

namespace unroll {

// A tensor's role in a model; the page gives each role its own colour and mark.
enum class Role { input, parameter, state, score, weight, gradient };

// A tensor's node on the tape that recorded it (autograd/tape.h); `tape` is 0 when none did.
struct NodeRef {
  std::uint64_t tape = 0;
  int id = -1;
};

class Tensor {
 public:
  using Array = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  using Matrix = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  Tensor() = default;  // empty handle: only copying, assignment and bool are valid
  Tensor(const Tensor& other) : body_(shared(other.body_)) {}
  Tensor(Tensor&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~Tensor() { release(body_); }
  explicit Tensor(const Shape& shape);  // uninitialised values
  Tensor(const Shape& shape, std::span<const Scalar> values);
  Tensor(const Shape& shape, std::initializer_list<Scalar> values);
  static Tensor full(const Shape& shape, Scalar value);
  static Tensor scalar(Scalar value) { return full({}, value); }

  explicit operator bool() const { return body_ != nullptr; }
  const Shape& shape() const { return body_->shape; }
  int rank() const { return shape().rank(); }
  std::size_t size() const { return shape().size(); }

  // All handles share the values: a write through one is visible through all.
  Scalar* data() const { return body_->values.get(); }
  std::span<Scalar> values() const { return {data(), size()}; }
  Array array() const { return Array(data(), static_cast<Eigen::Index>(size())); }
  Scalar item() const;  // the only value; throws Error(shape) for any other size

  Tensor reshaped(const Shape& shape) const;  // a view of the same values; throws Error(shape) when sizes differ
  Tensor copy() const;                        // a deep copy
  bool is_unique() const {
    return body_->handles == 1 && body_->values.use_count() == 1;
  }                                 // no other handle shares the values
  void make_unique_values() const;  // a private copy of the values, for all handles of this tensor

  // Names this result and sets its role on the live tape, applies any edit of that name and returns the result. A
  // tensor that no operation recorded becomes a constant. No effect unless tracing. (Defined in autograd/tape.cpp.)
  Tensor as(std::string_view name, Role role = Role::state, CallSite where = CallSite::current()) const;

  NodeRef node() const { return body_->node; }
  void set_node(NodeRef node) const { body_->node = node; }

 private:
  struct Body {
    Shape shape;
    std::shared_ptr<Scalar[]> values;
    NodeRef node = {};
    int handles = 1;
  };
  explicit Tensor(Body body);

  // Handles are everywhere: out-of-line reference counting takes a third less code than std::shared_ptr.
  [[gnu::noinline]] static Body* shared(Body* body);
  [[gnu::noinline]] static void release(Body* body);

  Body* body_ = nullptr;
};

}  // namespace unroll
