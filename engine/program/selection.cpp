#include "engine/program/selection.h"

#include <algorithm>

#include "engine/program/arithmetic.h"
#include "engine/program/views.h"

namespace unroll::program {

std::int64_t whole_in(const Value& value, std::int64_t fallback, const Place& place) {
  if (value.is<None>()) return fallback;
  if (is_whole(value)) return whole_of(value);
  const auto* tensor = value.as<TypedTensor>();
  if (tensor && tensor->type != Type::real && tensor->tensor.size() == 1)
    return static_cast<std::int64_t>(tensor->tensor.item());
  fail_at(place, "index_is_not_whole", described(value));
}

Range one_place(const Subscripted& subscript, int size) {
  const std::int64_t index = whole_in(subscript.value, 0, subscript.place), at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) fail_at(subscript.place, "index_out_of_range", index, size, size - 1);
  return {static_cast<int>(at), 1, 1, false};
}

Range slice_of(const Subscripted& subscript, int size) {
  const auto place = [&](const Value& value, std::int64_t fallback) {
    const std::int64_t at = whole_in(value, fallback, subscript.place);
    return static_cast<int>(std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size));
  };
  const std::int64_t step = whole_in(subscript.step, 1, subscript.place);
  if (step < 1) fail_at(subscript.place, "slice_step_below_one");
  const int start = place(subscript.value, 0), stop = place(subscript.stop, size);
  const int step_within = static_cast<int>(std::min<std::int64_t>(step, std::max(size, 1)));
  return {start, std::max(0, (stop - start + step_within - 1) / step_within), step_within};
}

namespace {

// The numbers of lists within lists.
void collect(Interpreter& interpreter, const Value& value, std::size_t depth, std::vector<int>& shape,
             std::vector<Scalar>& numbers, Type& type, const Place& place) {
  const std::vector<Value>* items = items_of(value);
  if (!items) {
    if (depth != shape.size()) fail_at(place, "index_list_is_uneven");
    numbers.push_back(static_cast<Scalar>(whole_in(value, 0, place)));
    return void(type = std::min(type, common_type(value, value)));
  }
  if (depth >= Shape::max_rank) fail_at(place, "too_many_axes", Shape::max_rank, depth + 1);
  const int length = static_cast<int>(items->size());
  if (numbers.empty() && depth == shape.size()) shape.push_back(length);
  if (depth >= shape.size() || shape[depth] != length) fail_at(place, "index_list_is_uneven");
  interpreter.account().items(items->size() + 1, place);
  for (const Value& each : *items) collect(interpreter, each, depth + 1, shape, numbers, type, place);
}

// A list as an index is a tensor.
TypedTensor ids_of_list(Interpreter& interpreter, const Value& list, const Place& place) {
  std::vector<int> shape;
  std::vector<Scalar> numbers;
  Type type = Type::boolean;
  collect(interpreter, list, 0, shape, numbers, type, place);
  const Shape sizes = program::shape_of(shape, place);
  return {Tensor(sizes, std::span<const Scalar>(numbers)), numbers.empty() ? Type::integer : type};
}

// The ids, the negative ones counted from the end of an axis of that size.
Tensor counted_from_start(const Tensor& ids, int size, const Place& place) {
  bool any_negative = false;
  for (const Scalar id : ids.values()) {
    if (id < static_cast<Scalar>(-size) || id >= static_cast<Scalar>(size))
      fail_at(place, "index_out_of_range", id, size, size - 1);
    any_negative = any_negative || id < 0;
  }
  if (!any_negative) return ids;
  Tensor counted = ids.copy();
  for (Scalar& id : counted.values())
    if (id < 0) id += static_cast<Scalar>(size);
  return counted;
}

// Reads the subscripts from left to right.
class Selecting {
 public:
  Selecting(Interpreter& interpreter, const Shape& shape) : interpreter_(interpreter), shape_(shape) {}

  void whole_axis() { range({0, next_size()}); }
  void new_axis() {
    selection_.shape.push_back(1);
    selection_.axes.push_back(Selection::new_axis);
  }
  void range(const Range& range) {
    if (range.keeps_axis) {
      selection_.shape.push_back(range.length);
      selection_.axes.push_back(static_cast<int>(selection_.ranges.size()));
    }
    selection_.ranges.push_back(range);
  }
  void tensor(const TypedTensor& ids, const Place& place) {
    interpreter_.account().values(ids.tensor.shape(), place);
    if (ids.type == Type::boolean) return mask(ids.tensor, place);
    if (!are_ids(ids)) fail_at(place, "index_tensor_is_not_whole");
    const int size = next_size();
    // Of no values PyTorch takes any id.
    const bool has_values = shape_.size() > 0 || size == 0;
    const Tensor counted =
        has_values ? counted_from_start(ids.tensor, size, place) : Tensor::full(ids.tensor.shape(), 0);
    selection_.ids.push_back({static_cast<int>(selection_.shape.size()), counted});
    whole_axis();
  }
  int next_size() const { return shape_[static_cast<int>(selection_.ranges.size())]; }
  const Selection& done() {
    while (static_cast<int>(selection_.ranges.size()) < shape_.rank()) whole_axis();
    return selection_;
  }

 private:
  // Where a mask holds, as ids along each of its axes.
  void mask(const Tensor& mask, const Place& place) {
    const int first = static_cast<int>(selection_.ranges.size()), rank = mask.rank();
    if (rank == 0) fail_at(place, "mask_has_no_axis");
    for (int axis = 0; axis < rank; ++axis)
      if (mask.shape()[axis] != shape_[first + axis])
        fail_at(place, "mask_does_not_fit", sizes(mask.shape()), mask.shape()[axis], shape_[first + axis], axis);
    const int count = static_cast<int>(std::ranges::count_if(mask.values(), [](Scalar holds) { return holds != 0; }));
    for (int axis = 0; axis < rank; ++axis) {
      const AxisSplit split = split_at(mask.shape(), axis);
      Tensor ids({count});
      Scalar* next = ids.data();
      for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask.data()[i] != 0) *next++ = static_cast<Scalar>(i / split.inner % split.length);
      selection_.ids.push_back({static_cast<int>(selection_.shape.size()), ids});
      whole_axis();
    }
  }

  Interpreter& interpreter_;
  const Shape& shape_;
  Selection selection_;
};

// Whether one subscript stands for several: x[(0, 1)] is x[0, 1], and so is a list with more than numbers in it.
bool is_several(const Subscripted& subscript) {
  if (subscript.kind != Subscripted::one) return false;
  if (subscript.value.is<Tuple>()) return true;
  const auto* list = subscript.value.as<List>();
  return list && std::ranges::any_of((*list)->all(), [](const Value& each) { return !is_number(each); });
}

std::vector<Subscripted> unpacked(const std::vector<Subscripted>& subscripts) {
  if (subscripts.size() != 1 || !is_several(subscripts[0])) return subscripts;
  std::vector<Subscripted> all;
  for (const Value& each : *items_of(subscripts[0].value))
    all.push_back({Subscripted::one, each, {}, {}, subscripts[0].place});
  return all;
}

// A tensor of one value is an index like a number, unless it is a truth value.
const TypedTensor* ids_in(const Subscripted& subscript) {
  const auto* tensor = subscript.kind == Subscripted::one ? subscript.value.as<TypedTensor>() : nullptr;
  return tensor && (tensor->tensor.rank() > 0 || tensor->type == Type::boolean) ? tensor : nullptr;
}

// How many axes of the tensor a subscript is about.
int axes_of(const Subscripted& subscript) {
  if (subscript.kind == Subscripted::ellipsis) return 0;
  if (subscript.kind == Subscripted::one && subscript.value.is<None>()) return 0;
  const TypedTensor* ids = ids_in(subscript);
  return ids && ids->type == Type::boolean ? ids->tensor.rank() : 1;
}

}  // namespace

Selection select(Interpreter& interpreter, const Shape& shape, const std::vector<Subscripted>& given,
                 const Place& place) {
  std::vector<Subscripted> subscripts = unpacked(given);
  int remaining = shape.rank();
  for (Subscripted& each : subscripts) {
    if (each.kind == Subscripted::one && items_of(each.value))
      each.value = ids_of_list(interpreter, each.value, each.place);
    remaining -= axes_of(each);
  }
  if (remaining < 0) fail_at(place, "too_many_indices", shape.rank() - remaining, sizes(shape), shape.rank());
  Selecting selecting(interpreter, shape);
  bool had_ellipsis = false;
  for (const Subscripted& each : subscripts) {
    if (each.kind == Subscripted::ellipsis) {
      if (std::exchange(had_ellipsis, true)) fail_at(place, "two_ellipses");
      for (int i = 0; i < remaining; ++i) selecting.whole_axis();
    } else if (each.kind == Subscripted::slice) {
      selecting.range(slice_of(each, selecting.next_size()));
    } else if (each.value.is<None>()) {
      selecting.new_axis();
    } else if (const TypedTensor* ids = ids_in(each)) {
      selecting.tensor(*ids, each.place);
    } else {
      if (each.value.is<bool>())  // in PyTorch a mask, with an axis of its own
        fail_at(each.place, "tensor_index_is_not_whole", described(each.value));
      selecting.range(one_place(each, selecting.next_size()));
    }
  }
  return selecting.done();
}

Pick pick_of(const Selection& selection, const Place& place) {
  Shape of_ids;
  for (const AxisIds& each : selection.ids) {
    if (clash_of(of_ids, each.ids.shape()) != 0)
      fail_at(place, "index_tensors_do_not_fit", sizes(of_ids), sizes(each.ids.shape()));
    of_ids = broadcast("index", of_ids, each.ids.shape());
  }
  const int first = selection.ids.front().axis, last = selection.ids.back().axis;
  const bool adjacent = last - first + 1 == static_cast<int>(selection.ids.size());
  std::vector<int> rest = selection.shape;
  for (auto each = selection.ids.rbegin(); each != selection.ids.rend(); ++each) rest.erase(rest.begin() + each->axis);
  const int start = adjacent ? first : 0;
  rest.insert(rest.begin() + start, of_ids.begin(), of_ids.end());
  return {program::shape_of(rest, place), start, of_ids};
}

Tensor places_of(const Selection& selection, const Pick& pick, const View& view, const Place& place) {
  if (view.whole.size() > std::size_t{1} << 24) fail_at(place, "too_large_to_write_into", sizes(view.whole));
  // What each set of ids adds to a place.
  std::vector<std::ptrdiff_t> added(pick.of_ids.size());
  std::vector<int> before, after;
  View outer{view.offset, {}, {}}, inner{0, {}, {}};
  for (int axis = 0; axis < static_cast<int>(selection.shape.size()); ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const std::ptrdiff_t stride = view.strides[a];
    const auto ids = std::ranges::find(selection.ids, axis, &AxisIds::axis);
    if (ids == selection.ids.end()) {
      const bool is_before = static_cast<int>(before.size()) < pick.first;
      (is_before ? before : after).push_back(selection.shape[a]);
      (is_before ? outer : inner).strides.push_back(stride);
      continue;
    }
    const Shape& from = ids->ids.shape();
    Strides steps(static_cast<std::size_t>(pick.of_ids.rank()));
    const Strides own = row_strides(from);
    for (int i = 1; i <= from.rank(); ++i)
      if (from[-i] > 1)
        steps[steps.size() - static_cast<std::size_t>(i)] = own[own.size() - static_cast<std::size_t>(i)];
    for_each_place({0, steps, from}, pick.of_ids, [&](std::size_t i, std::size_t at) {
      added[i] += stride * static_cast<std::ptrdiff_t>(ids->ids.data()[at]);
    });
  }
  Tensor places(pick.shape);
  Scalar* next = places.data();
  const Shape outer_shape{std::span<const int>(before)}, inner_shape{std::span<const int>(after)};
  for_each_place(outer, outer_shape, [&](std::size_t, std::size_t start) {
    for (const std::ptrdiff_t more : added) {
      inner.offset = start + static_cast<std::size_t>(more);
      for_each_place(inner, inner_shape, [&](std::size_t, std::size_t at) { *next++ = static_cast<Scalar>(at); });
    }
  });
  return places;
}

}  // namespace unroll::program
