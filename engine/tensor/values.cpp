#include "engine/tensor/values.h"

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
  if (count != shape.size()) fail(ErrorCode::shape, "tensor_value_count_differs", shape, shape.size(), count);
  return shape;
}

}  // namespace

Values::Values(Body body) : body_(reinterpret_cast<Body*>(PoolAllocator<Room>().allocate(1))) {
  new (body_) Body(std::move(body));
}

Values::Body* Values::shared(Body* body) {
  if (body) ++body->handles;
  return body;
}

void Values::release(Body* body) {
  if (!body || --body->handles > 0) return;
  body->~Body();
  PoolAllocator<Room>().deallocate(reinterpret_cast<Room*>(body), 1);
}

Values::Values(const Shape& shape) : Values(Body{shape, 1, pooled_values(shape.size())}) {}

Values::Values(const Shape& shape, std::span<const Scalar> values) : Values(checked(shape, values.size())) {
  std::copy(values.begin(), values.end(), data());
}

Values::Values(const Shape& shape, std::initializer_list<Scalar> values)
    : Values(shape, std::span<const Scalar>(values.begin(), values.size())) {}

Values Values::full(const Shape& shape, Scalar value) {
  Values result(shape);
  std::fill_n(result.data(), result.size(), value);
  return result;
}

Scalar Values::item() const {
  if (size() != 1) fail(ErrorCode::shape, "item_of_several", shape());
  return data()[0];
}

Values Values::reshaped(const Shape& shape) const {
  if (shape.size() != size())
    fail(ErrorCode::shape, "reshape_value_count_differs", this->shape(), size(), shape, shape.size());
  return Values(Body{shape, 1, body_->values});
}

Values Values::copy() const { return Values(shape(), values()); }

void Values::make_unique_values() const { body_->values = copy().body_->values; }

}  // namespace unroll
