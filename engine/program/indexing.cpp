#include "engine/program/indexing.h"

#include <algorithm>
#include <numeric>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/selection.h"
#include "engine/program/views.h"

namespace unroll::program {

Shape shape_of(const std::vector<int>& sizes, const Place& place) {
  if (sizes.size() > Shape::max_rank) fail_at(place, "too_many_axes", Shape::max_rank, sizes.size());
  return Shape(std::span<const int>(sizes));
}

namespace {

// What a slice names in a list, whose step may be negative.
std::vector<int> positions(const Subscripted& slice, int size) {
  const std::int64_t exact_step = whole_in(slice.step, 1, slice.place),
                     step = std::clamp<std::int64_t>(exact_step, -size - 1, size + 1);
  if (step == 0) fail_at(slice.place, "slice_step_is_zero");
  const int lowest = step > 0 ? 0 : -1, highest = step > 0 ? size : size - 1;
  const auto place = [&](const Value& value, int fallback) {
    const std::int64_t at = whole_in(value, fallback, slice.place);
    return std::clamp<std::int64_t>(value.is<None>() || at >= 0 ? at : at + size, lowest, std::max(highest, lowest));
  };
  const std::int64_t start = place(slice.value, step > 0 ? 0 : size - 1),
                     stop = place(slice.stop, step > 0 ? size : -1);
  std::vector<int> places;
  for (std::int64_t at = start; step > 0 ? at < stop : at > stop; at += step) places.push_back(static_cast<int>(at));
  return places;
}

// Parts of x (n, …) along its first axis, those with these ids: (ids…, …).
Tensor parts_at(const Operand& x, const Tensor& ids, const Place& place) {
  const Shape& from = x.shape();
  std::vector<int> shape(ids.shape().begin(), ids.shape().end());
  shape.insert(shape.end(), from.begin() + 1, from.end());
  const int rows = from[0], length = rows == 0 ? 0 : static_cast<int>(from.size()) / rows;
  const Shape wanted = shape_of(shape, place);
  if (rows > 0 && length == 0) return reshape(forward_operand(x), wanted);
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

// The values that the ranges leave, in the shape that they leave.
Tensor ranged(const Operand& x, const Selection& selection, const Place& place) {
  Tensor y = x;
  for (std::size_t i = 0; i < selection.ranges.size(); ++i) {
    const Range& range = selection.ranges[i];
    const int axis = static_cast<int>(i);
    if (range.step > 1 && range.length > 1)
      y = every({y, x.where}, axis, range, place);
    else if (range.length != y.shape()[axis])
      y = slice({y, x.where}, axis, range.start, range.length);
  }
  const Shape shape = shape_of(selection.shape, place);
  return y.shape() == shape ? y : reshape({y, x.where}, shape);
}

// Where they lie.
View ranged(View view, const Selection& selection) {
  for (std::size_t i = 0; i < selection.ranges.size(); ++i)
    view.offset += static_cast<std::size_t>(selection.ranges[i].start * view.strides[i]);
  Strides strides(selection.shape.size());
  std::ptrdiff_t of_new = 1;  // as PyTorch has it: what the next axis takes in all
  for (std::size_t i = strides.size(); i-- > 0; of_new = strides[i] * selection.shape[i])
    strides[i] = selection.axes[i] == Selection::new_axis
                     ? of_new
                     : view.strides[static_cast<std::size_t>(selection.axes[i])] *
                           selection.ranges[static_cast<std::size_t>(selection.axes[i])].step;
  view.strides = std::move(strides);
  return view;
}

// What the ids pick of the values that the ranges leave.
Tensor gathered(const Tensor& x, const Selection& selection, const Place& place) {
  const CallSite site = site_of(place);
  const Pick pick = pick_of(selection, place);
  const AxisIds& first = selection.ids.front();
  if (selection.ids.size() == 1 && (first.axis == 0 || first.ids.rank() == 1))
    return picked({x, site}, first.axis, first.ids, place);
  const View view{0, row_strides(x.shape()), x.shape()};
  return unroll::take({x, site}, {places_of(selection, pick, view, place), site});
}

}  // namespace

Value indexed(Interpreter& interpreter, const TypedTensor& x, const std::vector<Subscripted>& subscripts,
              const Place& place) {
  const Selection selection = select(interpreter, x.tensor.shape(), subscripts, place);
  const Tensor y = ranged({x.tensor, site_of(place)}, selection, place);
  if (!selection.ids.empty()) {
    Value result = result_of(interpreter, gathered(y, selection, place), x.type, place);
    result.as<Value::Tensors>()->get()->takes_gradient = x.takes_gradient && interpreter.records();
    return result;
  }
  // The gradient of a part is as large as the whole.
  interpreter.account().values(Tape::live() ? x.tensor.size() / 2 : 0, place);
  return share(interpreter, x, y, ranged(view_of(x), selection), place);
}

Value indexed(Interpreter& interpreter, const Value& x, const std::vector<Subscripted>& subscripts,
              const Place& place) {
  return indexed(interpreter, *x.as<TypedTensor>(), subscripts, place);
}

Value part(Interpreter& interpreter, const TypedTensor& x, int i, const Place& place) {
  return indexed(interpreter, x, {{Subscripted::one, std::int64_t{i}, {}, {}, place}}, place);
}

std::size_t position(const std::vector<Subscripted>& subscripts, std::size_t count, const Place& place) {
  if (subscripts.size() != 1 || subscripts[0].kind != Subscripted::one || subscripts[0].value.is<None>())
    fail_at(place, "list_index_is_not_one");
  return static_cast<std::size_t>(one_place(subscripts[0], static_cast<int>(count)).start);
}

namespace {

bool is_slice(const std::vector<Subscripted>& subscripts) {
  return subscripts.size() == 1 && subscripts[0].kind == Subscripted::slice;
}

// Where each character of a text begins, and its end. (In UTF-8 all bytes of a character but its first are 10xxxxxx.)
std::vector<std::size_t> beginnings_in(const std::string& text) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) all.push_back(i);
  all.push_back(text.size());
  return all;
}

}  // namespace

std::pair<std::ptrdiff_t, std::ptrdiff_t> positions(const std::vector<Subscripted>& subscripts, std::size_t count,
                                                    const Place& place) {
  if (!is_slice(subscripts)) return {static_cast<std::ptrdiff_t>(position(subscripts, count, place)), 1};
  const Subscripted& slice = subscripts[0];
  if (whole_in(slice.step, 1, slice.place) != 1) fail_at(slice.place, "list_slice_has_step");
  const std::vector<int> places = positions(slice, static_cast<int>(count));
  // Of no items: where they would be.
  if (places.empty()) return {slice_of(slice, static_cast<int>(count)).start, 0};
  return {places.front(), static_cast<std::ptrdiff_t>(places.size())};
}

Value indexed(Interpreter& interpreter, const std::vector<Value>& items, bool is_tuple,
              const std::vector<Subscripted>& subscripts, const Place& place) {
  if (!is_slice(subscripts)) return items[position(subscripts, items.size(), place)];
  const std::vector<int> places = positions(subscripts[0], static_cast<int>(items.size()));
  interpreter.account().items(places.size(), place);
  std::vector<Value> picked;
  for (const int at : places) picked.push_back(items[static_cast<std::size_t>(at)]);
  return is_tuple ? tuple_of(std::move(picked)) : list_of(std::move(picked));
}

Value indexed(Interpreter& interpreter, const std::string& text, const std::vector<Subscripted>& subscripts,
              const Place& place) {
  interpreter.account().items(text.size() + 1, place);
  const std::vector<std::size_t> begins = beginnings_in(text);
  const std::size_t count = begins.size() - 1;
  std::string picked;
  const auto add = [&](std::size_t at) { picked += text.substr(begins[at], begins[at + 1] - begins[at]); };
  if (!is_slice(subscripts)) {
    add(position(subscripts, count, place));
  } else {
    for (const int at : positions(subscripts[0], static_cast<int>(count))) add(static_cast<std::size_t>(at));
  }
  return picked;
}

Target target_of(Interpreter& interpreter, const TypedTensor& x, const std::vector<Subscripted>& subscripts,
                 const Place& place) {
  const Selection selection = select(interpreter, x.tensor.shape(), subscripts, place);
  View view = ranged(view_of(x), selection);
  if (selection.ids.empty()) return {shape_of(selection.shape, place), std::move(view)};
  const Pick pick = pick_of(selection, place);
  interpreter.account().values(pick.shape, place);
  return {pick.shape, view, places_of(selection, pick, view, place)};
}

}  // namespace unroll::program
