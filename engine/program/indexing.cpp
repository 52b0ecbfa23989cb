#include "engine/program/indexing.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"

namespace unroll::program {

Shape shape_of(const std::vector<int>& sizes, const Place& place) {
  if (sizes.size() > Shape::max_rank) fail_at(place, "too_many_axes", Shape::max_rank, sizes.size());
  return Shape(std::span<const int>(sizes));
}

namespace {

// What an index picks along one axis: `length` places, `step` apart.
struct Range {
  int start, length, step = 1;
  bool keeps_axis = true;
};

// What an index picks: a range along each axis of the tensor, and the shape of the result.
struct Selection {
  std::vector<Range> ranges;
  std::vector<int> shape;
};

std::int64_t whole(const Value& value, std::int64_t fallback, const Place& place) {
  if (value.is<None>()) return fallback;
  if (is_whole(value)) return whole_of(value);
  const auto* tensor = value.as<TypedTensor>();
  if (tensor && tensor->type != Type::real && tensor->tensor.size() == 1)
    return static_cast<std::int64_t>(tensor->tensor.item());
  fail_at(place, "index_is_not_whole", described(value));
}

// Negative places count from the end.
Range one_place(const Subscripted& subscript, int size) {
  const std::int64_t index = whole(subscript.value, 0, subscript.place), at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) fail_at(subscript.place, "index_out_of_range", index, size, size - 1);
  return {static_cast<int>(at), 1, 1, false};
}

// As in Python, a slice ends where the tensor ends.
Range slice_of(const Subscripted& subscript, int size) {
  const auto place = [&](const Value& value, std::int64_t fallback) {
    const std::int64_t at = whole(value, fallback, subscript.place);
    return static_cast<int>(std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size));
  };
  const std::int64_t step = whole(subscript.step, 1, subscript.place);
  if (step < 1) fail_at(subscript.place, "slice_step_below_one");
  const int start = place(subscript.value, 0), stop = place(subscript.stop, size);
  const int step_within = static_cast<int>(std::min<std::int64_t>(step, std::max(size, 1)));
  return {start, std::max(0, (stop - start + step_within - 1) / step_within), step_within};
}

// What a slice picks of a list, whose step may be negative.
std::vector<int> places_of(const Subscripted& slice, int size) {
  const std::int64_t exact_step = whole(slice.step, 1, slice.place),
                     step = std::clamp<std::int64_t>(exact_step, -size - 1, size + 1);
  if (step == 0) fail_at(slice.place, "slice_step_is_zero");
  const int lowest = step > 0 ? 0 : -1, highest = step > 0 ? size : size - 1;
  const auto place = [&](const Value& value, int fallback) {
    const std::int64_t at = whole(value, fallback, slice.place);
    return std::clamp<std::int64_t>(value.is<None>() || at >= 0 ? at : at + size, lowest, std::max(highest, lowest));
  };
  const std::int64_t start = place(slice.value, step > 0 ? 0 : size - 1),
                     stop = place(slice.stop, step > 0 ? size : -1);
  std::vector<int> places;
  for (std::int64_t at = start; step > 0 ? at < stop : at > stop; at += step) places.push_back(static_cast<int>(at));
  return places;
}

Selection select(const Shape& shape, const std::vector<Subscripted>& subscripts, const Place& place) {
  const auto is_new_axis = [](const Subscripted& each) {
    return each.kind == Subscripted::one && each.value.is<None>();
  };
  const auto used = std::count_if(subscripts.begin(), subscripts.end(), [&](const Subscripted& each) {
    return each.kind != Subscripted::ellipsis && !is_new_axis(each);
  });
  const int remaining = shape.rank() - static_cast<int>(used);
  if (remaining < 0) fail_at(place, "too_many_indices", used, sizes(shape), shape.rank());
  Selection selection;
  const auto whole_axis = [&] {
    const int size = shape[static_cast<int>(selection.ranges.size())];
    selection.ranges.push_back({0, size});
    selection.shape.push_back(size);
  };
  bool had_ellipsis = false;
  for (const Subscripted& each : subscripts) {
    if (each.kind == Subscripted::ellipsis) {
      if (had_ellipsis) fail_at(place, "two_ellipses");
      had_ellipsis = true;
      for (int i = 0; i < remaining; ++i) whole_axis();
    } else if (is_new_axis(each)) {
      selection.shape.push_back(1);
    } else {
      if (each.kind == Subscripted::one && each.value.is<bool>())  // in PyTorch a mask, with an axis of its own
        fail_at(each.place, "tensor_index_is_not_whole", described(each.value));
      const int size = shape[static_cast<int>(selection.ranges.size())];
      selection.ranges.push_back(each.kind == Subscripted::one ? one_place(each, size) : slice_of(each, size));
      if (selection.ranges.back().keeps_axis) selection.shape.push_back(selection.ranges.back().length);
    }
  }
  while (static_cast<int>(selection.ranges.size()) < shape.rank()) whole_axis();
  return selection;
}

// The ids, the negative ones counted from the end of an axis of `size` as in Python.
Tensor counted_from_start(const Tensor& ids, int size) {
  if (std::ranges::none_of(ids.values(), [](Scalar id) { return id < 0; })) return ids;
  Tensor counted = ids.copy();
  for (Scalar& id : counted.values())
    if (id < 0 && id >= static_cast<Scalar>(-size)) id += static_cast<Scalar>(size);
  return counted;
}

// The tensor that is the only index, if there is one.
const TypedTensor* ids_in(const std::vector<Subscripted>& subscripts, const Place& place) {
  for (const Subscripted& each : subscripts) {
    const auto* tensor = each.kind == Subscripted::one ? each.value.as<TypedTensor>() : nullptr;
    if (!tensor || (tensor->tensor.rank() == 0 && tensor->type != Type::boolean)) continue;
    if (subscripts.size() > 1) fail_at(place, "index_tensor_not_alone");
    return tensor;
  }
  return nullptr;
}

// Parts of x (n, …) along its first axis, those with these ids: (ids…, …).
Tensor parts_at(const Operand& x, const Tensor& ids, const Place& place) {
  const Shape& from = x.shape();
  std::vector<int> shape(ids.shape().begin(), ids.shape().end());
  shape.insert(shape.end(), from.begin() + 1, from.end());
  const int rows = from[0], length = rows == 0 ? 0 : static_cast<int>(from.size()) / rows;
  const Shape wanted = shape_of(shape, place);
  if (rows > 0 && length == 0) return reshape(forward_operand(x), wanted);  // of no values PyTorch takes any id
  const Tensor table = from.rank() == 2 ? Tensor(x) : reshape(forward_operand(x), {rows, length});
  const Tensor rows_at = gather({table, x.where}, {ids, x.where});
  return rows_at.shape() == wanted ? rows_at : reshape({rows_at, x.where}, wanted);
}

// The parts of x along an axis with these ids (n). The axis becomes the first for that.
Tensor picked(const Operand& x, int axis, const Tensor& ids, const Place& place) {
  if (axis == 0) return parts_at(x, ids, place);
  std::vector<int> order(static_cast<std::size_t>(x.rank()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[static_cast<std::size_t>(axis)]);
  const Tensor turned = permute(forward_operand(x), order);
  return permute({parts_at({turned, x.where}, ids, place), x.where}, order);
}

// Every `step`-th place along an axis.
Tensor every(const Operand& x, int axis, const Range& range, const Place& place) {
  Tensor ids({range.length});
  for (int i = 0; i < range.length; ++i) ids.data()[i] = static_cast<Scalar>(range.start + i * range.step);
  return picked(x, axis, ids, place);
}

Tensor narrowed(const Operand& x, const Selection& selection, const Place& place) {
  Tensor y = x;
  for (std::size_t i = 0; i < selection.ranges.size(); ++i) {
    const Range& range = selection.ranges[i];
    const int axis = static_cast<int>(i);
    if (range.step > 1 && range.length > 1)
      y = every({y, x.where}, axis, range, place);
    else if (range.length != y.shape()[axis])
      y = slice({y, x.where}, axis, range.start, range.length);
  }
  return y;
}

// x[ids]: whole parts along the first axis.
Value gathered(Interpreter& interpreter, const TypedTensor& x, const TypedTensor& ids, const Place& place) {
  if (ids.type == Type::boolean) fail_at(place, "bool_tensor_as_index");
  if (!are_ids(ids)) fail_at(place, "index_tensor_is_not_whole");
  const Tensor places = counted_from_start(ids.tensor, x.tensor.shape()[0]);
  return result_of(interpreter, parts_at({x.tensor, site_of(place)}, places, place), x.type, place);
}

// ── Assignment to a part: x[i, j] = v makes a new tensor of the values of both ───────────────────────────────────────

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

Value indexed(Interpreter& interpreter, const TypedTensor& x, const std::vector<Subscripted>& subscripts,
              const Place& place) {
  if (const TypedTensor* ids = ids_in(subscripts, place)) {
    if (x.tensor.rank() == 0) fail_at(place, "one_value_has_no_index");
    return gathered(interpreter, x, *ids, place);
  }
  const Selection selection = select(x.tensor.shape(), subscripts, place);
  const CallSite site = site_of(place);
  const Tensor y = narrowed({x.tensor, site}, selection, place);
  const Shape shape = shape_of(selection.shape, place);
  const Tensor shaped = y.shape() == shape ? y : reshape({y, site}, shape);
  // The gradient of a part is as large as the whole.
  interpreter.account().values(shaped.size() + (Tape::live() ? x.tensor.size() / 2 : 0), place);
  interpreter.account().operation(place);
  return TypedTensor{shaped, x.type, x.storage, x.is_given};
}

Value part(Interpreter& interpreter, const TypedTensor& x, int i, const Place& place) {
  return indexed(interpreter, x, {{Subscripted::one, std::int64_t{i}, {}, {}, place}}, place);
}

std::size_t position(const std::vector<Subscripted>& subscripts, std::size_t count, const Place& place) {
  if (subscripts.size() != 1 || subscripts[0].kind != Subscripted::one || subscripts[0].value.is<None>())
    fail_at(place, "list_index_is_not_one");
  return static_cast<std::size_t>(one_place(subscripts[0], static_cast<int>(count)).start);
}

Value indexed(Interpreter& interpreter, const std::vector<Value>& items, bool is_tuple,
              const std::vector<Subscripted>& subscripts, const Place& place) {
  if (subscripts.size() != 1 || subscripts[0].kind != Subscripted::slice)
    return items[position(subscripts, items.size(), place)];
  const std::vector<int> places = places_of(subscripts[0], static_cast<int>(items.size()));
  interpreter.account().items(places.size(), place);
  std::vector<Value> picked;
  for (const int at : places) picked.push_back(items[static_cast<std::size_t>(at)]);
  return is_tuple ? tuple_of(std::move(picked)) : list_of(std::move(picked));
}

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
