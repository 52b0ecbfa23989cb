// Values by their places, by the names of PyTorch: gather, scatter, index_select, masked_select, nonzero.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/views.h"
#include "engine/tensor/error.h"

namespace unroll::program {
namespace {

// The ids of argument i, each a place along an axis of `size`.
Operand places_along(const Arguments& a, int i, int size) {
  if (!are_ids(a.typed(i))) a.refuse(i, "a_tensor_of_whole_numbers");
  for (const Scalar id : a.typed(i).tensor.values())
    if (!(id >= 0 && id < static_cast<Scalar>(size)))
      fail_at(a.place, "id_out_of_range", a.callee.name, id, size, size - 1);
  return a.tensor(i);
}

// Elsewhere than along the axis, and if `everywhere` also there, the index may be no larger than the other tensor.
void check_index_fits(const Arguments& a, const Shape& index, const Shape& other, int axis, bool everywhere) {
  bool fits = index.rank() == other.rank();
  for (int i = 0; fits && i < index.rank(); ++i) fits = index[i] <= other[i] || (i == axis && !everywhere);
  if (!fits) fail_at(a.place, "index_does_not_fit", a.callee.name, sizes(index), sizes(other));
}

// What argument i is, for a tensor of x's type.
Operand of_same_type(const Arguments& a, int i) {
  if (a[i].is<TypedTensor>() && a.typed(i).type != a.typed(0).type)
    fail_at(a.place, "tensors_of_two_types", a.callee.name, name_of(a.typed(0).type), name_of(a.typed(i).type));
  if (common_type(a[0], a[i]) != a.typed(0).type)
    fail_at(a.place, "fill_would_be_cut", name_of(a.typed(0).type), described(a[i]));
  return a.tensor(i);
}

// ── Along an axis ────────────────────────────────────────────────────────────────────────────────────────────────────

Value gathered(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank());
  const Operand index = places_along(a, 2, x.shape()[axis]);
  check_index_fits(a, index.shape(), x.shape(), axis, false);
  return a.result(take_along(forward_operand(x), forward_operand(index), axis), a.typed(0).type);
}

// x[ids] along an axis, with ids of the sizes that x has elsewhere, or 1.
Value taken_along(const Arguments& a) {
  const Operand x = a.tensor(0);
  if (a.is_none(2))
    fail_at(a.place, "operation_needs_dim", a.callee.name, a.callee.parameters, std::string_view("dim"));
  const int axis = a.axis(2, x.rank());
  const Operand index = places_along(a, 1, x.shape()[axis]);
  if (index.rank() != x.rank())
    fail_at(a.place, "index_does_not_fit", a.callee.name, sizes(index.shape()), sizes(x.shape()));
  const Shape shape = broadcast("take_along_dim", x.shape().with(axis, 1), index.shape().with(axis, 1));
  const Tensor from = broadcast_to(forward_operand(x), shape.with(axis, x.shape()[axis]));
  const Tensor ids = broadcast_to(forward_operand(index), shape.with(axis, index.shape()[axis]));
  return a.result(take_along(at_call(from, a), at_call(ids, a), axis), a.typed(0).type);
}

// The part of `source` that belongs to the index.
Tensor source_for(const Arguments& a, int i, const Shape& index) {
  Tensor source = of_same_type(a, i);
  for (int axis = 0; axis < index.rank(); ++axis)
    if (source.shape()[axis] != index[axis]) source = slice(at_call(source, a), axis, 0, index[axis]);
  return source;
}

Value scatter_added(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank());
  const Operand index = places_along(a, 2, x.shape()[axis]);
  check_index_fits(a, index.shape(), x.shape(), axis, false);
  check_index_fits(a, index.shape(), a.typed(3).tensor.shape(), axis, true);
  const Tensor source = source_for(a, 3, index.shape());
  const Tensor added = add_along(at_call(source, a), forward_operand(index), axis, x.shape());
  return a.result(add(forward_operand(x), at_call(added, a)), a.typed(0).type);
}

// Of values at one place the last one wins.
Value scattered(const Arguments& a) {
  const int given = a.is_none(3) ? 4 : 3;
  if (a.is_none(given) || (!a.is_none(3) && !a.is_none(4))) fail_at(a.place, "scatter_needs_one_source");
  if (!a.is_none(5) && a.text(5) == "add" && a[given].is<TypedTensor>())
    return scatter_added(Arguments(a.interpreter, a.callee, a.place, {a[0], a[1], a[2], a[given]}));
  if (!a.is_none(5)) fail_at(a.place, "scatter_reduces_by_add");
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank());
  const Operand index = places_along(a, 2, x.shape()[axis]);
  check_index_fits(a, index.shape(), x.shape(), axis, false);
  if (!a[given].is<TypedTensor>())
    return a.result(put_along(forward_operand(x), forward_operand(index), axis, of_same_type(a, given)),
                    a.typed(0).type);
  check_index_fits(a, index.shape(), a.typed(given).tensor.shape(), axis, true);
  const Tensor source = source_for(a, given, index.shape());
  return a.result(put_along(forward_operand(x), forward_operand(index), axis, at_call(source, a)), a.typed(0).type);
}

// ── Whole parts along an axis, by ids (n) ────────────────────────────────────────────────────────────────────────────

// The ids of argument 2 as a tensor of x's sizes elsewhere: (…, n, …).
Tensor spread_ids(const Arguments& a, const Shape& x, int axis) {
  const Operand index = places_along(a, 2, x[axis]);
  if (index.rank() > 1) a.refuse(2, "a_tensor_of_one_axis");
  const int count = static_cast<int>(index.size());
  std::vector<int> one_line(static_cast<std::size_t>(x.rank()), 1);
  one_line[static_cast<std::size_t>(axis)] = count;
  const Tensor line = reshape(forward_operand(index), Shape(std::span<const int>(one_line)));
  return broadcast_to(at_call(line, a), x.with(axis, count));
}

Value index_selected(const Arguments& a) {
  const int axis = a.axis(1, a.typed(0).tensor.rank());
  const Operand index = places_along(a, 2, a.typed(0).tensor.shape()[axis]);
  if (index.rank() > 1) a.refuse(2, "a_tensor_of_one_axis");
  std::vector<Subscripted> subscripts(static_cast<std::size_t>(axis), {Subscripted::slice, {}, {}, {}, a.place});
  const Tensor line = index.rank() == 0 ? reshape(forward_operand(index), {1}) : Tensor(index);
  subscripts.push_back({Subscripted::one, TypedTensor{line, Type::integer}, {}, {}, a.place});
  return indexed(a.interpreter, a.typed(0), subscripts, a.place);
}

// The source of whole parts, which must have their sizes.
Operand parts_for(const Arguments& a, int i, const Shape& parts) {
  const Operand source = of_same_type(a, i);
  if (source.shape() != parts) fail_at(a.place, "replacement_does_not_fit", sizes(source.shape()), sizes(parts));
  return source;
}

Value index_added(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank());
  const Tensor ids = spread_ids(a, x.shape(), axis);
  Tensor source = parts_for(a, 3, ids.shape());
  if (number_of(a[4]) != 1) source = multiply({a.number(4), a.where()}, at_call(source, a));
  const Tensor added = add_along(at_call(source, a), at_call(ids, a), axis, x.shape());
  return a.result(add(forward_operand(x), at_call(added, a)), a.typed(0).type);
}
Value index_copied(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank());
  const Tensor ids = spread_ids(a, x.shape(), axis);
  return a.result(put_along(forward_operand(x), at_call(ids, a), axis, parts_for(a, 3, ids.shape())), a.typed(0).type);
}
Value index_filled(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank());
  const Tensor ids = spread_ids(a, x.shape(), axis);
  if (a[3].is<TypedTensor>() && a.typed(3).tensor.rank() > 0) a.refuse(3, "one_value");
  return a.result(put_along(forward_operand(x), at_call(ids, a), axis, of_same_type(a, 3)), a.typed(0).type);
}

// ── Among all values ─────────────────────────────────────────────────────────────────────────────────────────────────

// x[indices] = values, of a copy; with accumulate x[indices] + values, also where an index comes twice.
Value index_put(const Arguments& a) {
  const std::vector<Value>* indices = items_of(a[1]);
  if (!indices) a.refuse(1, "a_list_of_tensors");
  std::vector<Subscripted> subscripts;
  for (const Value& each : *indices) subscripts.push_back({Subscripted::one, each, {}, {}, a.place});
  const TypedTensor rows{a.typed(0).tensor, a.typed(0).type};
  const Target target = target_of(a.interpreter, rows, subscripts, a.place);
  const Tensor places = target.places ? target.places : places_in(target.view, target.shape, a.place);
  const Tensor values = broadcast_to(of_same_type(a, 2), target.shape);
  if (!a.flag(3)) return a.result(put(a.tensor(0), at_call(places, a), at_call(values, a)), rows.type);
  const Tensor added = add_at(at_call(values, a), at_call(places, a), rows.tensor.shape());
  return a.result(add(a.tensor(0), at_call(added, a)), rows.type);
}

// Among all values in their order; ids below 0 count from the end.
Value taken(const Arguments& a) {
  const Operand x = a.tensor(0);
  if (!are_ids(a.typed(1))) a.refuse(1, "a_tensor_of_whole_numbers");
  const Tensor ids = a.typed(1).tensor.copy();
  const auto count = static_cast<Scalar>(x.size());
  for (Scalar& id : ids.values()) {
    if (!(id >= -count && id < count)) fail_at(a.place, "id_out_of_range", a.callee.name, id, x.size(), x.size() - 1);
    if (id < 0) id += count;
  }
  return a.result(take(forward_operand(x), at_call(ids, a)), a.typed(0).type);
}

// The places of all values that are not 0, in their order.
Tensor nonzero_places(const Tensor& x) {
  if (x.size() > std::size_t{1} << 24)
    fail(ErrorCode::shape, "op_too_many_places", std::string_view("nonzero"), x.shape());
  const auto count = static_cast<int>(x.size()) - static_cast<int>(std::ranges::count(x.values(), Scalar(0)));
  const Tensor places({count});
  Scalar* next = places.data();
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x.data()[i] != 0) *next++ = static_cast<Scalar>(i);
  return places;
}

// The result of operations that the tape need not show.
Tensor unrecorded(const auto& operations) {
  const RecordingGuard pause(nullptr);
  return operations();
}

Value mask_selected(const Arguments& a) {
  if (a.typed(1).type != Type::boolean) fail_at(a.place, "condition_is_not_bool", a.callee.name);
  const Shape shape = broadcast("masked_select", a.typed(0).tensor.shape(), a.typed(1).tensor.shape());
  const Tensor x = broadcast_to(a.tensor(0), shape);
  const Tensor mask = unrecorded([&] { return broadcast_to(a.tensor(1), shape); });
  return a.result(take(at_call(x, a), at_call(nonzero_places(mask), a)), a.typed(0).type);
}

// The values of the source, one after another, where the mask holds.
Value mask_scattered(const Arguments& a) {
  const Operand x = a.tensor(0);
  if (a.typed(1).type != Type::boolean) fail_at(a.place, "condition_is_not_bool", a.callee.name);
  if (a.typed(1).tensor.shape() != x.shape()) a.refuse(1, "a_tensor_of_the_same_sizes");
  const Tensor places = nonzero_places(a.typed(1).tensor);
  const Operand source = of_same_type(a, 2);
  if (source.size() < places.size()) fail_at(a.place, "masked_scatter_lacks_values", places.size(), source.size());
  const Tensor flat = reshape(forward_operand(source), {static_cast<int>(source.size())});
  const Tensor values = slice(at_call(flat, a), 0, 0, static_cast<int>(places.size()));
  return a.result(put(forward_operand(x), at_call(places, a), at_call(values, a)), a.typed(0).type);
}

// The indices of values that are not 0: a row for each, or as a tuple one tensor for each axis.
Value nonzero_of(const Arguments& a, const Tensor& x, bool as_tuple) {
  const Tensor places = nonzero_places(x);
  const int count = static_cast<int>(places.size()), rank = x.rank();
  const auto index_of = [&](int i, int axis) {
    const AxisSplit parts = split_at(x.shape(), axis);
    return static_cast<Scalar>(static_cast<std::size_t>(places.data()[i]) / parts.inner % parts.length);
  };
  std::vector<Value> columns;
  for (int axis = 0; as_tuple && axis < rank; ++axis) {
    const Tensor column({count});
    for (int i = 0; i < count; ++i) column.data()[i] = index_of(i, axis);
    columns.push_back(a.result(column, Type::integer));
  }
  if (as_tuple) return tuple_of(std::move(columns));
  const Tensor rows({count, rank});
  for (int i = 0; i < count; ++i)
    for (int axis = 0; axis < rank; ++axis) rows.data()[i * rank + axis] = index_of(i, axis);
  return a.result(rows, Type::integer);
}
Value nonzero(const Arguments& a) { return nonzero_of(a, a.typed(0).tensor, a.flag(1)); }
Value rows_of_nonzero(const Arguments& a) { return nonzero_of(a, a.typed(0).tensor, false); }

}  // namespace

Value places_where(const Arguments& a) { return nonzero_of(a, a.typed(0).tensor, true); }

std::span<const Builtin> gather_functions() {
  static constexpr Builtin all[] = {
      {"gather", "x, dim, index, sparse_grad=False", gathered, "x[index[i, j], j] for dim 0, likewise for others",
       "index"},
      {"take_along_dim", "x, indices, dim=None", taken_along, "as gather, but sizes of 1 are repeated", "indices"},
      {"scatter", "x, dim, index, src=None, value=None, reduce=None", scattered,
       "x with values at the places that gather would read", "index"},
      {"scatter_add", "x, dim, index, src", scatter_added, "x plus values at the places that gather would read",
       "index"},
      {"index_select", "x, dim, index", index_selected, "the parts of x along an axis with these indices", "index"},
      {"index_add", "x, dim, index, source, alpha=1", index_added, "x plus parts at these indices along an axis",
       "index"},
      {"index_copy", "x, dim, index, source", index_copied, "x with parts at these indices along an axis", "index"},
      {"index_fill", "x, dim, index, value", index_filled, "x with one value at these indices along an axis", "index"},
      {"index_put", "x, indices, values, accumulate=False", index_put, "x with values at these indices", "indices"},
      {"take", "x, index", taken, "values of x by their places among all", "index"},
      {"masked_select", "x, mask", mask_selected, "the values of x where the mask holds", "mask"},
      {"masked_scatter", "x, mask, source", mask_scattered, "x with the values of source where the mask holds", "mask"},
      {"nonzero", "x, as_tuple=False", nonzero, "the indices of values that are not 0"},
      {"argwhere", "x", rows_of_nonzero, "the indices of values that are not 0"},
  };
  return all;
}

}  // namespace unroll::program
