#include "engine/tensor/tensor.h"

#include <algorithm>

#include "engine/tensor/error.h"
#include "engine/tensor/pool.h"

namespace unroll {
namespace {

std::shared_ptr<Scalar[]> pooled_values(std::size_t n) {
  PoolAllocator<Scalar> pool;
  return {pool.allocate(n), [n](Scalar* values) { PoolAllocator<Scalar>().deallocate(values, n); }, pool};
}

// Returns `shape`, or throws Error(shape) when it does not hold `count` values, before any memory is allocated.
const Shape& checked(const Shape& shape, std::size_t count) {
  if (count != shape.size())
    fail(ErrorCode::shape, "A tensor of shape ", shape, " has ", shape.size(), " values, not ", count, ".");
  return shape;
}

}  // namespace

Tensor::Tensor(Body body) : body_(PoolAllocator<Body>().allocate(1)) { new (body_) Body(std::move(body)); }

Tensor::Body* Tensor::shared(Body* body) {
  if (body) ++body->handles;
  return body;
}

void Tensor::release(Body* body) {
  if (!body || --body->handles > 0) return;
  body->~Body();
  PoolAllocator<Body>().deallocate(body, 1);
}

Tensor::Tensor(const Shape& shape) : Tensor(Body{shape, pooled_values(shape.size())}) {}

Tensor::Tensor(const Shape& shape, std::span<const Scalar> values) : Tensor(checked(shape, values.size())) {
  std::copy(values.begin(), values.end(), data());
}

Tensor::Tensor(const Shape& shape, std::initializer_list<Scalar> values)
    : Tensor(shape, std::span<const Scalar>(values.begin(), values.size())) {}

Tensor Tensor::full(const Shape& shape, Scalar value) {
  Tensor result(shape);
  std::fill_n(result.data(), result.size(), value);
  return result;
}

Scalar Tensor::item() const {
  if (size() != 1) fail(ErrorCode::shape, "Only a tensor of one value has an item; this one is ", shape(), ".");
  return data()[0];
}

Tensor Tensor::reshaped(const Shape& shape) const {
  if (shape.size() != size())
    fail(ErrorCode::shape, "[reshape] ", this->shape(), " has ", size(), " values, ", shape, " has ", shape.size(),
         ".");
  return Tensor(Body{shape, body_->values});
}

Tensor Tensor::copy() const { return Tensor(shape(), values()); }

void Tensor::make_unique_values() const { body_->values = copy().body_->values; }

}  // namespace unroll
