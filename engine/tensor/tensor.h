// A tensor: a shape and row-major values. Handles are cheap to copy and share their values, as in NumPy.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "engine/tensor/scalar.h"
#include "engine/tensor/shape.h"
#include "engine/tensor/where.h"

namespace unroll {

// What a tensor is in a model: the page gives each role one colour and one mark.
enum class Role { input, parameter, state, score, weight, gradient };

// Where a tensor stands on the tape it was recorded on (autograd/tape.h); `tape` is 0 when it never was.
struct NodeRef {
  std::uint64_t tape = 0;
  int id = -1;
};

class Tensor {
 public:
  using Array = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  using Matrix = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  Tensor() = default;  // no tensor: only assignment and the test for it are allowed
  Tensor(const Tensor& other) : body_(shared(other.body_)) {}
  Tensor(Tensor&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  Tensor& operator=(Tensor other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~Tensor() { release(body_); }
  explicit Tensor(const Shape& shape);  // values not set
  Tensor(const Shape& shape, std::span<const Scalar> values);
  Tensor(const Shape& shape, std::initializer_list<Scalar> values);
  static Tensor full(const Shape& shape, Scalar value);
  static Tensor scalar(Scalar value) { return full({}, value); }

  explicit operator bool() const { return body_ != nullptr; }
  const Shape& shape() const { return body_->shape; }
  int rank() const { return shape().rank(); }
  std::size_t size() const { return shape().size(); }

  // The values are shared by every handle, so writing through one is seen by all.
  Scalar* data() const { return body_->values.get(); }
  std::span<Scalar> values() const { return {data(), size()}; }
  Array array() const { return Array(data(), static_cast<Eigen::Index>(size())); }
  Scalar item() const;  // the value of a tensor of one value

  Tensor reshaped(const Shape& shape) const;  // another shape, the same values in memory
  Tensor copy() const;                        // values of its own
  bool is_sole() const { return body_->handles == 1 && body_->values.use_count() == 1; }  // nobody else sees its values
  void unshare() const;  // gives this tensor, and every handle of it, values of its own

  // Names this result on the live tape, with its role; returns it. An edit of that name takes effect here. What no
  // operation recorded is a constant of that name. Without a live tape nothing happens. (Defined with the tape.)
  Tensor as(std::string_view name, Role role = Role::state, Where where = Where::current()) const;

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

  // Handles are everywhere: counted by functions of their own, they cost a third less code than std::shared_ptr.
  [[gnu::noinline]] static Body* shared(Body* body);
  [[gnu::noinline]] static void release(Body* body);

  Body* body_ = nullptr;
};

}  // namespace unroll
