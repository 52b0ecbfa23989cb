#include "engine/program/views.h"

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"

namespace unroll::program {

Strides row_strides(const Shape& shape) {
  Strides strides(static_cast<std::size_t>(shape.rank()));
  std::ptrdiff_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[static_cast<std::size_t>(axis)] = stride;
    stride *= std::max(shape[axis], 1);
  }
  return strides;
}

View view_of(const TypedTensor& x) {
  return x.view ? *x.view : View{0, row_strides(x.tensor.shape()), x.tensor.shape()};
}

bool is_contiguous(const Shape& shape, const Strides& strides) {
  if (shape.size() == 0) return true;
  std::ptrdiff_t expected = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (shape[axis] == 1) continue;
    if (strides[static_cast<std::size_t>(axis)] != expected) return false;
    expected *= shape[axis];
  }
  return true;
}

bool is_contiguous(const TypedTensor& x) { return !x.view || is_contiguous(x.tensor.shape(), x.view->strides); }

bool is_expanded(const Shape& shape, const Strides& strides) {
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (shape[axis] > 1 && strides[static_cast<std::size_t>(axis)] == 0) return shape.size() > 0;
  return false;
}

// Axes that lie next to each other in memory form runs. Each run is split anew into axes of `to`, from the last on.
std::optional<Strides> strides_in_shape(const Shape& from, const Strides& strides, const Shape& to) {
  if (from.size() == 0 || from.rank() == 0) return row_strides(to);
  Strides result(static_cast<std::size_t>(to.rank()));
  int next = to.rank() - 1;
  std::ptrdiff_t base = strides.back(), run = 1, taken = 1;
  for (int axis = from.rank() - 1; axis >= 0; --axis) {
    run *= from[axis];
    const auto before = static_cast<std::size_t>(axis) - 1;
    if (axis > 0 && (from[axis - 1] == 1 || strides[before] == run * base)) continue;
    for (; next >= 0 && (taken < run || to[next] == 1); --next) {
      result[static_cast<std::size_t>(next)] = taken * base;
      taken *= to[next];
    }
    if (taken != run) return std::nullopt;
    if (axis > 0) base = strides[before], run = 1, taken = 1;
  }
  return next == -1 ? std::optional(result) : std::nullopt;
}

Tensor places_in(const View& view, const Shape& shape, const Place& place) {
  constexpr std::size_t most = 1 << 24;  // that single precision counts exactly
  if (view.whole.size() > most) fail_at(place, "too_large_to_write_into", sizes(view.whole));
  Tensor places(shape);
  for_each_place(view, shape, [&](std::size_t i, std::size_t at) { places.data()[i] = static_cast<Scalar>(at); });
  return places;
}

Value share(Interpreter& interpreter, const TypedTensor& x, const Tensor& y, View view, const Place& place) {
  interpreter.account().values(y.shape(), place);
  interpreter.account().operation(place);
  Storage& storage = *x.storage;
  if (!x.view) storage.values = x.tensor;
  const bool is_leaf = x.is_parameter || x.is_given || x.asks_gradient;
  storage.of_leaf = storage.of_leaf || (is_leaf && x.takes_gradient);
  TypedTensor result{y, x.type, x.storage, x.is_given};
  result.takes_gradient = x.takes_gradient && interpreter.records();
  result.version = x.version;
  const bool fills = view.offset == 0 && y.size() == view.whole.size() && is_contiguous(y.shape(), view.strides);
  if (!fills) result.view = std::move(view);
  return result;
}

Value reshaped(Interpreter& interpreter, const TypedTensor& x, const Shape& shape, const Place& place) {
  View view = view_of(x);
  const Tensor y = reshape({x.tensor, site_of(place)}, shape);
  std::optional<Strides> strides = strides_in_shape(x.tensor.shape(), view.strides, shape);
  if (strides) return share(interpreter, x, y, {view.offset, std::move(*strides), view.whole}, place);
  interpreter.account().values(y.shape(), place);
  interpreter.account().operation(place);
  TypedTensor copy{y, x.type};
  copy.takes_gradient = x.takes_gradient && interpreter.records();
  return copy;
}

Value permuted(Interpreter& interpreter, const TypedTensor& x, const std::vector<int>& order, const Place& place) {
  View view = view_of(x);
  Strides strides;
  for (const int axis : order) strides.push_back(view.strides[static_cast<std::size_t>(axis)]);
  const Tensor y = permute({x.tensor, site_of(place)}, order);
  return share(interpreter, x, y, {view.offset, std::move(strides), view.whole}, place);
}

// Along new axes and those of size 1 that grow, all values lie in one place.
Value expanded(Interpreter& interpreter, const TypedTensor& x, const Shape& shape, const Place& place) {
  View view = view_of(x);
  const Shape& from = x.tensor.shape();
  const int added = shape.rank() - from.rank();
  Strides strides(static_cast<std::size_t>(shape.rank()));
  for (int axis = std::max(added, 0); axis < shape.rank(); ++axis)
    if (from[axis - added] == shape[axis])
      strides[static_cast<std::size_t>(axis)] = view.strides[static_cast<std::size_t>(axis - added)];
  const Tensor y = broadcast_to({x.tensor, site_of(place)}, shape);
  return share(interpreter, x, y, {view.offset, std::move(strides), view.whole}, place);
}

Value narrowed(Interpreter& interpreter, const TypedTensor& x, int axis, int start, int length, const Place& place) {
  View view = view_of(x);
  if (length > 0) view.offset += static_cast<std::size_t>(start * view.strides[static_cast<std::size_t>(axis)]);
  const Tensor y = slice({x.tensor, site_of(place)}, axis, start, length);
  return share(interpreter, x, y, std::move(view), place);
}

TypedTensor detached(const TypedTensor& x, const Tensor& y) {
  if (!x.view) x.storage->values = x.tensor;
  using Twins = std::vector<std::weak_ptr<Storage>>;
  if (!x.storage->twins) x.storage->twins = std::make_shared<Twins>(Twins{x.storage});
  const auto twin = std::make_shared<Storage>();
  twin->values = x.storage->values.reshaped(x.storage->values.shape());  // without a mark: recorded nowhere
  twin->twins = x.storage->twins;
  std::erase_if(*twin->twins, [](const std::weak_ptr<Storage>& each) { return each.expired(); });
  twin->twins->push_back(twin);
  TypedTensor result{y, x.type, twin, x.is_given};
  result.view = x.view;
  return result;
}

Value copied(Interpreter& interpreter, const TypedTensor& x, const Place& place) {
  interpreter.account().values(x.tensor.shape(), place);
  interpreter.account().operation(place);
  // Values are shared until one of both is written into: mutation.cpp.
  const Tensor y = record({"reshape", "reshape", "{0}"}, x.tensor.reshaped(x.tensor.shape()),
                          Input{{x.tensor, site_of(place)}, [](const Tensor& dy) { return dy; }});
  TypedTensor result{y, x.type};
  result.takes_gradient = x.takes_gradient && interpreter.records();
  return result;
}

}  // namespace unroll::program
