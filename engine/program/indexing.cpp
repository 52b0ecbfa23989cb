#include "engine/program/indexing.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/selection.h"

namespace unroll::program {
namespace {

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

}  // namespace

// The axis becomes the first for that.
Tensor picked(const Operand& x, int axis, const Tensor& ids, const Place& place) {
  if (axis == 0) return parts_at(x, ids, place);
  std::vector<int> order(static_cast<std::size_t>(x.rank()));
  for (int i = 0; i < x.rank(); ++i) order[static_cast<std::size_t>(i)] = i;
  std::swap(order[0], order[static_cast<std::size_t>(axis)]);
  const Tensor turned = permute(forward_operand(x), order);
  return permute({parts_at({turned, x.where}, ids, place), x.where}, order);
}

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

}  // namespace unroll::program
