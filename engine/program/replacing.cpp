// Assignment to a part of a tensor: x[i, j] = v makes a new tensor of the values of both.
#include <algorithm>
#include <set>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/selection.h"

namespace unroll::program {
namespace {

Type type_after(const TypedTensor& x, const Value& value, const Place& place) {
  const Type assigned = common_type(value, value);
  if (assigned < x.type) fail_at(place, "replacement_would_be_cut", name_of(assigned), name_of(x.type));
  return x.type;
}

// `value` with the shape that is picked, as by broadcasting.
Tensor fitted(const Value& value, const Shape& shape, const Place& place) {
  const CallSite site = site_of(place);
  Tensor values = operand_of(value, place);
  // Leading axes of size 1 do not matter.
  while (values.rank() > shape.rank() && values.shape()[0] == 1)
    values = reshape({values, site}, values.shape().without(0));
  const Shape& from = values.shape();
  bool fits = from.rank() <= shape.rank();
  for (int axis = -1; fits && axis >= -from.rank(); --axis) fits = from[axis] == shape[axis] || from[axis] == 1;
  if (!fits) fail_at(place, "replacement_does_not_fit", sizes(from), sizes(shape));
  return from == shape ? values : broadcast_to({values, site}, shape);
}

// For each place along an axis, the index of the last place of the range at or before it.
Tensor nearest_places(const Range& range, int size) {
  Tensor ids({size});
  for (int i = 0; i < size; ++i)
    ids.data()[i] = static_cast<Scalar>(std::clamp((i - range.start) / range.step, 0, range.length - 1));
  return ids;
}

// A tensor of `shape` with the values at their places, and any values elsewhere.
Tensor placed(Tensor value, const std::vector<Range>& ranges, const Shape& shape, const Place& place) {
  const CallSite site = site_of(place);
  std::vector<int> lengths;
  for (const Range& each : ranges) lengths.push_back(each.length);
  if (const Shape whole{std::span<const int>(lengths)}; value.shape() != whole) value = reshape({value, site}, whole);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Range& range = ranges[static_cast<std::size_t>(axis)];
    const int after = shape[axis] - range.start - range.length;
    if (range.step > 1)
      value = picked({value, site}, axis, nearest_places(range, shape[axis]), place);
    else if (range.start > 0 || after > 0)
      value = pad({value, site}, axis, range.start, after);
  }
  return value;
}

Tensor mask_of(const std::vector<Range>& ranges, const Shape& shape) {
  Tensor part = Tensor::full(shape, 1);
  for (std::size_t at = 0; at < part.size(); ++at) {
    std::size_t rest = at;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      const int i = static_cast<int>(rest % static_cast<std::size_t>(shape[axis]));
      rest /= static_cast<std::size_t>(shape[axis]);
      const Range& range = ranges[static_cast<std::size_t>(axis)];
      const int from_start = i - range.start;
      if (from_start < 0 || from_start % range.step != 0 || from_start / range.step >= range.length)
        part.data()[at] = 0;
    }
  }
  return part;
}

// x[ids] = value, for ids that differ.
Tensor with_rows(const TypedTensor& x, const TypedTensor& ids, const Value& value, const Place& place) {
  const CallSite site = site_of(place);
  const Shape& shape = x.tensor.shape();
  if (ids.type == Type::boolean) fail_at(place, "bool_index_for_replacing");
  if (ids.type != Type::integer) fail_at(place, "index_tensor_is_not_whole");
  std::vector<int> sizes_picked(ids.tensor.shape().begin(), ids.tensor.shape().end());
  sizes_picked.insert(sizes_picked.end(), shape.begin() + 1, shape.end());
  const Tensor values = fitted(value, shape_of(sizes_picked, place), place);
  if (values.size() == 0) return x.tensor;  // without values any id goes
  const int rows = shape[0], count = static_cast<int>(ids.tensor.size());
  const int length = static_cast<int>(shape.size()) / std::max(rows, 1);
  std::set<Scalar> seen;
  Tensor mask = Tensor::full({rows, 1}, 0);
  const Tensor places = counted_from_start(ids.tensor, rows);
  for (const Scalar id : places.values()) {
    if (id < 0 || id >= static_cast<Scalar>(rows)) fail_at(place, "replaced_index_out_of_range", id, rows);
    if (!seen.insert(id).second) fail_at(place, "replaced_index_twice", id);
    mask.data()[static_cast<int>(id)] = 1;
  }
  const Tensor flat_ids = reshape({places, site}, {count}), flat_values = reshape({values, site}, {count, length});
  const Tensor flat = reshape({x.tensor, site}, {rows, length});
  const Tensor spread = scatter_add({flat_values, site}, {flat_ids, site}, rows);
  return reshape({where({mask, site}, {spread, site}, {flat, site}), site}, shape);
}

}  // namespace

Value replaced(Interpreter& interpreter, const TypedTensor& x, const std::vector<Subscripted>& subscripts,
               const Value& value, const Place& place) {
  const CallSite site = site_of(place);
  const Shape& shape = x.tensor.shape();
  const Type type = type_after(x, value, place);
  constexpr std::size_t passes = 6;  // a mask, the values at their places, and the choice between both
  interpreter.account().values(passes * shape.size(), place);
  if (const TypedTensor* ids = ids_in(subscripts, place); ids && shape.rank() > 0)
    return result_of(interpreter, with_rows(x, *ids, value, place), type, place);
  const Selection selection = select(shape, subscripts, place);
  const Tensor values = fitted(value, shape_of(selection.shape, place), place);
  if (values.size() == 0) return x;
  const Tensor spread = placed(values, selection.ranges, shape, place), mask = mask_of(selection.ranges, shape);
  return result_of(interpreter, where({mask, site}, {spread, site}, {x.tensor, site}), type, place);
}

}  // namespace unroll::program
