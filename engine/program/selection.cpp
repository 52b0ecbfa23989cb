#include "engine/program/selection.h"

#include <algorithm>

namespace unroll::program {
namespace {

std::int64_t whole(const Value& value, std::int64_t fallback, const Place& place) {
  if (value.is<None>()) return fallback;
  if (is_whole(value)) return whole_of(value);
  const auto* tensor = value.as<TypedTensor>();
  if (tensor && tensor->type != Type::real && tensor->tensor.size() == 1)
    return static_cast<std::int64_t>(tensor->tensor.item());
  fail_at(place, "index_is_not_whole", described(value));
}

}  // namespace

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

Shape shape_of(const std::vector<int>& sizes, const Place& place) {
  if (sizes.size() > Shape::max_rank) fail_at(place, "too_many_axes", Shape::max_rank, sizes.size());
  return Shape(std::span<const int>(sizes));
}

Tensor counted_from_start(const Tensor& ids, int size) {
  if (std::ranges::none_of(ids.values(), [](Scalar id) { return id < 0; })) return ids;
  Tensor counted = ids.copy();
  for (Scalar& id : counted.values())
    if (id < 0 && id >= static_cast<Scalar>(-size)) id += static_cast<Scalar>(size);
  return counted;
}

const TypedTensor* ids_in(const std::vector<Subscripted>& subscripts, const Place& place) {
  for (const Subscripted& each : subscripts) {
    const auto* tensor = each.kind == Subscripted::one ? each.value.as<TypedTensor>() : nullptr;
    if (!tensor || (tensor->tensor.rank() == 0 && tensor->type != Type::boolean)) continue;
    if (subscripts.size() > 1) fail_at(place, "index_tensor_not_alone");
    return tensor;
  }
  return nullptr;
}

}  // namespace unroll::program
