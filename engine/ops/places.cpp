// take, put, add_at, and the same along one axis: values by their places.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/ids.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"
#include "engine/tensor/pool.h"

namespace unroll {
namespace {

// Instead of an axis: the ids are places among all values.
constexpr int among_all = -1;

using FlatPlaces = PooledVector<std::size_t>;

void check_ids_along(const char* op, const Shape& x, const Shape& ids, int axis) {
  bool fits = x.rank() == ids.rank();
  for (int i = 0; fits && i < x.rank(); ++i) fits = i == axis || ids[i] <= x[i];
  if (!fits) fail(ErrorCode::shape, "op_ids_along_do_not_fit", std::string_view(op), ids, x, axis);
}

// The place in `x` of each cell of `ids`, as if its index along the axis were 0.
FlatPlaces starts_along(const Shape& x, const Shape& ids, int axis) {
  FlatPlaces starts(ids.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::size_t rest = i, step = 1;
    for (int k = x.rank() - 1; k >= 0; --k) {
      const auto size = static_cast<std::size_t>(ids[k]);
      if (k != axis) starts[i] += rest % size * step;
      rest /= size;
      step *= static_cast<std::size_t>(x[k]);
    }
  }
  return starts;
}

FlatPlaces places_in(const char* op, const Shape& x, const Tensor& ids, int axis) {
  if (axis == among_all) {
    // Beyond 2²⁴ single precision skips whole numbers.
    if (x.size() > std::size_t{1} << 24) fail(ErrorCode::shape, "op_too_many_places", std::string_view(op), x);
    FlatPlaces places(ids.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = checked_id(op, ids, i, static_cast<int>(x.size()));
    return places;
  }
  check_ids_along(op, x, ids.shape(), axis);
  FlatPlaces places = starts_along(x, ids.shape(), axis);
  const AxisSplit parts = split_at(x, axis);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] += parts.inner * checked_id(op, ids, i, x[axis]);
  return places;
}

// The rule names the axis, if there is one.
Op placing(const char* name, const char* rule, const char* formula, int axis) {
  return {name, rule, formula, {axis}, axis == among_all ? 0 : 1};
}

void check_value_count(const char* op, const Shape& values, const Shape& ids, bool single) {
  if (values != ids && !(single && values.size() == 1))
    fail(ErrorCode::shape, "op_value_for_each_place", std::string_view(op), values, ids);
}

// 1 for each value that no later one replaces, else 0; empty if that is none.
Tensor winners(const FlatPlaces& places, const Shape& shape, std::size_t count) {
  PooledVector<char> is_taken(count);
  Tensor wins = Tensor::full(shape, 1);
  bool any_lost = false;
  for (std::size_t i = places.size(); i-- > 0; is_taken[places[i]] = 1)
    if (is_taken[places[i]]) wins.data()[i] = 0, any_lost = true;
  return any_lost ? wins : Tensor();
}

Tensor added_at(const char* name, Operand values, Operand ids, int axis, const Shape& shape);

Tensor taken_at(const char* name, Operand x, Operand ids, int axis) {
  const FlatPlaces places = places_in(name, x.shape(), ids, axis);
  const Tensor y(ids.shape());
  for (std::size_t i = 0; i < places.size(); ++i) y.data()[i] = x.data()[places[i]];
  const auto back = [ids, axis, shape = x.shape()](const Tensor& dy) {
    return added_at(axis == among_all ? "add_at" : "add_along", dy, forward_operand(ids), axis, shape);
  };
  return record(placing(name, "take", "{0}", axis), y, Input{x, back}, Input{ids});
}

Tensor added_at(const char* name, Operand values, Operand ids, int axis, const Shape& shape) {
  check_value_count(name, values.shape(), ids.shape(), false);
  const FlatPlaces places = places_in(name, shape, ids, axis);
  const Tensor y = Tensor::full(shape, 0);
  for (std::size_t i = 0; i < places.size(); ++i) y.data()[places[i]] += values.data()[i];
  const auto back = [ids, axis](const Tensor& dy) {
    return taken_at(axis == among_all ? "take" : "take_along", dy, forward_operand(ids), axis);
  };
  return record(placing(name, "add_at", "Σ {0}", axis), y, Input{values, back}, Input{ids});
}

Tensor put_at(const char* name, Operand x, Operand ids, int axis, Operand values) {
  check_value_count(name, values.shape(), ids.shape(), true);
  const FlatPlaces places = places_in(name, x.shape(), ids, axis);
  const Tensor y = x.copy();
  const std::size_t step = values.size() == 1 ? 0 : 1;
  for (std::size_t i = 0; i < places.size(); ++i) y.data()[places[i]] = values.data()[i * step];
  const auto to_x = [=](const Tensor& dy) { return put_at(name, dy, forward_operand(ids), axis, 0); };
  const auto to_values = [=, wins = winners(places, ids.shape(), x.size()), shape = values.shape()](const Tensor& dy) {
    const Tensor there = taken_at(axis == among_all ? "take" : "take_along", dy, forward_operand(ids), axis);
    const Tensor own = wins ? where(wins, there, 0) : there;
    return own.shape() == shape ? own : reshape(sum(own), shape);
  };
  return record(placing(name, "put", "{0}", axis), y, Input{x, to_x}, Input{values, to_values}, Input{ids});
}

}  // namespace

Tensor take(Operand x, Operand places) {
  return taken_at("take", forward_operand(x), forward_operand(places), among_all);
}
Tensor put(Operand x, Operand places, Operand values) {
  return put_at("put", forward_operand(x), forward_operand(places), among_all, forward_operand(values));
}
Tensor add_at(Operand values, Operand places, const Shape& shape) {
  return added_at("add_at", forward_operand(values), forward_operand(places), among_all, shape);
}

Tensor take_along(Operand x, Operand ids, int axis) {
  axis = checked_axis("take_along", x.shape(), axis);
  return taken_at("take_along", forward_operand(x), forward_operand(ids), axis);
}
Tensor put_along(Operand x, Operand ids, int axis, Operand values) {
  axis = checked_axis("put_along", x.shape(), axis);
  return put_at("put_along", forward_operand(x), forward_operand(ids), axis, forward_operand(values));
}
Tensor add_along(Operand values, Operand ids, int axis, const Shape& shape) {
  axis = checked_axis("add_along", shape, axis);
  return added_at("add_along", forward_operand(values), forward_operand(ids), axis, shape);
}

}  // namespace unroll
