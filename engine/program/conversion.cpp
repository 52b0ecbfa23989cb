// Values on their way into a tensor.
#include <algorithm>
#include <cmath>

#include "engine/ops/ops.h"
#include "engine/program/mutation.h"

namespace unroll::program {
namespace {

TypedTensor typed(const Value& value, const Place& place) {
  if (const auto* tensor = value.as<TypedTensor>()) return *tensor;
  return {operand_of(value, place), common_type(value, value)};
}

void check_whole(const Tensor& values, const TypedTensor& from, const Place& place) {
  for (const Scalar value : values.values()) {
    if (value != std::floor(value))
      fail_at(place, "replacement_would_be_cut", name_of(from.type), name_of(Type::integer));
    if (std::abs(value) > 16'777'216) fail_at(place, "int_tensor_too_large", value);
  }
}

}  // namespace

TypedTensor converted(Interpreter& interpreter, const Value& value, Type type, const Place& place) {
  refresh(value, place);
  const TypedTensor from = typed(value, place);
  interpreter.account().values(from.tensor.shape(), place);
  TypedTensor result{from.tensor, type};
  result.takes_gradient = type == Type::real && from.takes_gradient;
  if (type == Type::integer) check_whole(from.tensor, from, place);
  if (type == Type::boolean && from.type != Type::boolean) {
    result.tensor = Tensor(from.tensor.shape());
    std::ranges::transform(from.tensor.values(), result.tensor.data(), [](Scalar x) { return Scalar(x != 0); });
  }
  return result;
}

TypedTensor fitted(Interpreter& interpreter, const Value& value, Type type, const Shape& shape, const Place& place) {
  const CallSite site = site_of(place);
  TypedTensor values = converted(interpreter, value, type, place);
  Tensor& x = values.tensor;
  // Leading axes of size 1 do not matter.
  while (x.rank() > shape.rank() && x.shape()[0] == 1) x = reshape({x, site}, x.shape().without(0));
  const Shape from = x.shape();
  bool fits = from.rank() <= shape.rank();
  for (int axis = -1; fits && axis >= -from.rank(); --axis) fits = from[axis] == shape[axis] || from[axis] == 1;
  if (!fits) fail_at(place, "replacement_does_not_fit", sizes(from), sizes(shape));
  if (from != shape && from.size() != 1) x = broadcast_to({x, site}, shape);
  return values;
}

}  // namespace unroll::program
