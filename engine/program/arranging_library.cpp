// Values in other places and in other numbers, by PyTorch's names: roll, repeat, unfold, diag, meshgrid, hstack.
#include <algorithm>
#include <numeric>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

Value called_function(const Arguments& a, std::string_view name, std::vector<Value> arguments) {
  return a.interpreter.call(Value(find_tensor_function(name)), std::move(arguments), a.place);
}

Value in_type_of_x(const Arguments& a, const Tensor& y) { return a.result(y, a.typed(0).type); }

// ── Moved ────────────────────────────────────────────────────────────────────────────────────────────────────────────

// The last `shift` indices along the axis come first.
Tensor rolled_along(const Arguments& a, const Tensor& x, int axis, int shift) {
  const int size = x.shape()[axis];
  if (size == 0 || shift % size == 0) return x;
  const int first = ((-shift) % size + size) % size;
  const Tensor end = slice(at_call(x, a), axis, first, size - first), start = slice(at_call(x, a), axis, 0, first);
  return concat({at_call(end, a), at_call(start, a)}, axis, a.where());
}

// Without dims, along all values in their order.
Value rolled(const Arguments& a) {
  const Shape shape = a.typed(0).tensor.shape();
  const std::vector<int> shifts = a.integers(1);
  if (a.is_none(2)) {
    if (shifts.size() != 1) a.refuse(2, "an_axis_for_each_shift");
    const Tensor line = reshape(a.tensor(0), {static_cast<int>(shape.size())});
    const Tensor moved = rolled_along(a, line, 0, shifts[0]);
    return in_type_of_x(a, reshape(at_call(moved, a), shape));
  }
  const std::vector<int> axes = a.integers(2);
  if (axes.size() != shifts.size()) a.refuse(2, "an_axis_for_each_shift");
  Tensor y = a.tensor(0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < -shape.rank() || axes[i] >= shape.rank())
      fail_at(a.place, "no_such_axis", a.callee.name, axes[i], shape.rank());
    y = rolled_along(a, y, (axes[i] + shape.rank()) % shape.rank(), shifts[i]);
  }
  return in_type_of_x(a, y);
}

template <int axis>
Value flipped_along(const Arguments& a) {
  if (a.typed(0).tensor.rank() <= axis) fail_at(a.place, "no_such_axis", a.callee.name, axis, a.typed(0).tensor.rank());
  return in_type_of_x(a, flip(a.tensor(0), axis));
}

// ── Repeated ─────────────────────────────────────────────────────────────────────────────────────────────────────────

// x as (outer, 1, inner), repeated along the axis in the middle, in another shape.
Tensor repeated_within(const Arguments& a, const Tensor& x, int outer, int times, int inner, const Shape& shape) {
  const Tensor apart = reshape(at_call(x, a), {outer, 1, inner});
  const Tensor all = broadcast_to(at_call(apart, a), {outer, times, inner});
  return reshape(at_call(all, a), shape);
}

// The whole tensor so many times along each axis, the last one last; new axes come first.
Value tiled(const Arguments& a, std::vector<int> times) {
  Tensor x = a.tensor(0);
  for (const int each : times)
    if (each < 0) a.refuse(1, "sizes_of_at_least_0");
  std::vector<int> sizes(x.shape().begin(), x.shape().end());
  if (times.size() > sizes.size()) sizes.insert(sizes.begin(), times.size() - sizes.size(), 1);
  times.insert(times.begin(), sizes.size() - times.size(), 1);
  const Shape shape = shape_of(sizes, a.place);
  if (shape != x.shape()) x = reshape(at_call(x, a), shape);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int count = times[static_cast<std::size_t>(axis)];
    if (count == 1) continue;
    const AxisSplit parts = split_at(x.shape(), axis);
    x = repeated_within(a, x, static_cast<int>(parts.outer), count, static_cast<int>(parts.length * parts.inner),
                        x.shape().with(axis, std::int64_t{count} * x.shape()[axis]));
  }
  return in_type_of_x(a, x);
}
Value repeated_by_sizes(const Arguments& a) {
  const std::vector<int> times = a.rest(1);
  const int rank = a.typed(0).tensor.rank();
  if (static_cast<int>(times.size()) < rank) fail_at(a.place, "repeat_needs_all_axes", times.size(), rank);
  return tiled(a, times);
}
Value repeated_as_tiles(const Arguments& a) { return tiled(a, a.rest(1)); }

// The places 0, 0, 1, 1, 1 for the times 2, 3.
Tensor repeated_places(const Arguments& a, const Tensor& times) {
  double count = 0;
  for (const Scalar each : times.values()) {
    if (!(each >= 0)) a.refuse(1, "sizes_of_at_least_0");
    count += static_cast<double>(each);
  }
  if (count > (1 << 24)) a.refuse(1, "at_most_2_to_24_in_all");
  const Tensor places({static_cast<int>(count)});
  Scalar* next = places.data();
  for (std::size_t i = 0; i < times.size(); ++i)
    next = std::fill_n(next, static_cast<std::size_t>(times.data()[i]), static_cast<Scalar>(i));
  return places;
}

// Each value so many times in a row; without dim, of all values in their order.
Value repeated_each(const Arguments& a) {
  const bool of_all = a.is_none(2);
  const Tensor x = of_all ? reshape(a.tensor(0), {static_cast<int>(a.typed(0).tensor.size())}) : Tensor(a.tensor(0));
  const int axis = of_all ? 0 : a.axis(2, x.rank()), length = x.shape()[axis];
  const auto* each = a[1].as<TypedTensor>();
  if (!each || each->tensor.size() == 1) {
    const int times = each ? a.index(1) : a.whole(1);
    if (times < 0) a.refuse(1, "sizes_of_at_least_0");
    const AxisSplit parts = split_at(x.shape(), axis);
    return in_type_of_x(
        a, repeated_within(a, x, static_cast<int>(parts.outer * parts.length), times, static_cast<int>(parts.inner),
                           x.shape().with(axis, std::int64_t{length} * times)));
  }
  if (!are_ids(*each) || each->tensor.rank() != 1 || each->tensor.shape()[0] != length)
    a.refuse(1, "a_number_for_each");
  const Value places = a.result(repeated_places(a, a.typed(1).tensor), Type::integer);
  return called_function(a, "index_select", {a.result(x, a.typed(0).type), std::int64_t{axis}, places});
}

// Windows of `size` along an axis, `step` apart: the axis counts windows, and a new last axis the values in each.
Value unfolded(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank()), length = x.shape()[axis], size = a.whole(2), step = a.whole(3);
  if (size < 0 || size > length) a.refuse(2, "a_size_within_the_axis");
  if (step < 1) a.refuse(3, "a_number_of_at_least_1");
  const int count = (length - size) / step + 1;
  const Tensor places({count * size});
  for (int i = 0; i < count * size; ++i)
    places.data()[i] = static_cast<Scalar>(i / std::max(size, 1) * step + i % std::max(size, 1));
  const Value all = called_function(a, "index_select", {a[0], std::int64_t{axis}, a.result(places, Type::integer)});
  std::vector<int> sizes(x.shape().begin(), x.shape().end()), order(sizes.size());
  sizes[static_cast<std::size_t>(axis)] = count;
  sizes.insert(sizes.begin() + axis + 1, size);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < order.size(); ++i) ++order[i];
  order.push_back(axis + 1);
  const Tensor split = reshape(operand_of(all, a.place), shape_of(sizes, a.place));
  return in_type_of_x(a, permute(at_call(split, a), order));
}

// ── Diagonals ────────────────────────────────────────────────────────────────────────────────────────────────────────

// The last axis as the diagonal of two, `offset` above the middle; zeros elsewhere.
Value embedded_diagonal(const Arguments& a, const Tensor& x, int offset) {
  const int length = x.shape()[-1], size = length + std::abs(offset);
  const Shape shape = x.shape().inserted(x.rank()).with(-2, size).with(-1, size);
  const Tensor places(x.shape());
  const int row = std::max(-offset, 0), column = std::max(offset, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t block = i / static_cast<std::size_t>(length), at = i % static_cast<std::size_t>(length);
    const std::size_t start = block * static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    places.data()[i] =
        static_cast<Scalar>(start + (at + static_cast<std::size_t>(row)) * static_cast<std::size_t>(size) + at +
                            static_cast<std::size_t>(column));
  }
  return in_type_of_x(a, add_at(at_call(x, a), at_call(places, a), shape));
}
// Of a vector the matrix with this diagonal, of a matrix its diagonal.
Value diagonal_or_matrix(const Arguments& a) {
  const int rank = a.typed(0).tensor.rank();
  if (rank == 2) return called_function(a, "diagonal", {a[0], a[1]});
  if (rank != 1) a.refuse(0, "a_vector_or_a_matrix");
  return embedded_diagonal(a, a.tensor(0), a.whole(1));
}
Value matrix_of_last_axis(const Arguments& a) {
  if (a.typed(0).tensor.rank() == 0) a.refuse(0, "a_vector_or_a_matrix");
  return embedded_diagonal(a, a.tensor(0), a.whole(1));
}
Value matrix_of_all(const Arguments& a) {
  const Tensor line = reshape(a.tensor(0), {static_cast<int>(a.typed(0).tensor.size())});
  return embedded_diagonal(a, line, a.whole(1));
}

// ── Several tensors ──────────────────────────────────────────────────────────────────────────────────────────────────

// The tensors of *tensors, or of the only list among them.
std::vector<Value> tensors_given(const Arguments& a) {
  std::vector<Value> all = a.values(0);
  if (all.size() == 1 && items_of(all[0])) all = std::vector<Value>(*items_of(all[0]));
  if (all.empty()) a.refuse(0, "tensors");
  for (const Value& each : all)
    if (!each.is<TypedTensor>()) a.refuse(0, "tensors");
  return all;
}

// Each tensor along its own axis, repeated along those of the others.
Value grid_of(const Arguments& a) {
  const bool swapped = a.text(1) == "xy";
  if (!swapped && a.text(1) != "ij") a.refuse(1, "ij_or_xy");
  std::vector<Value> all = tensors_given(a), grids;
  std::vector<int> sizes;
  for (const Value& each : all) {
    const Shape& shape = each.as<TypedTensor>()->tensor.shape();
    if (shape.rank() > 1) a.refuse(0, "tensors_of_one_axis");
    sizes.push_back(static_cast<int>(shape.size()));
  }
  if (swapped && sizes.size() > 1) std::swap(sizes[0], sizes[1]);
  const Shape whole = shape_of(sizes, a.place);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t axis = swapped && i < 2 && all.size() > 1 ? 1 - i : i;
    std::vector<int> own(sizes.size(), 1);
    own[axis] = sizes[axis];
    const Tensor line = reshape(operand_of(all[i], a.place), Shape(std::span<const int>(own)));
    grids.push_back(a.result(broadcast_to(at_call(line, a), whole), all[i].as<TypedTensor>()->type));
  }
  return tuple_of(std::move(grids));
}

// Every combination of one value of each tensor, as rows.
Value combinations_of(const Arguments& a) {
  const std::vector<Value> all = tensors_given(a);
  if (all.size() == 1) return all[0];
  const Value grids = grid_of(Arguments(a.interpreter, a.callee, a.place, {tuple_of(all), std::string("ij")}));
  const Value rows = called_function(a, "stack", {grids, std::int64_t{-1}});
  return called_function(a, "reshape", {rows, std::int64_t{-1}, static_cast<std::int64_t>(all.size())});
}

// Side by side along the second axis, or of vectors along the first.
Value joined_in_row(const Arguments& a) {
  const std::vector<Value> all = tensors_given(a);
  const std::int64_t axis = all[0].as<TypedTensor>()->tensor.rank() > 1 ? 1 : 0;
  return called_function(a, "cat", {list_of(all), axis});
}
// Below each other, vectors as rows; as columns, vectors beside each other.
Value joined_as_rows(const Arguments& a, bool as_columns) {
  std::vector<Value> all = tensors_given(a);
  for (Value& each : all) {
    const Tensor& x = each.as<TypedTensor>()->tensor;
    const int count = static_cast<int>(x.size());
    if (x.rank() < 2)
      each = a.result(reshape(operand_of(each, a.place), as_columns ? Shape{count, 1} : Shape{1, count}),
                      each.as<TypedTensor>()->type);
  }
  return called_function(a, "cat", {list_of(std::move(all)), std::int64_t{as_columns ? 1 : 0}});
}
Value joined_in_column(const Arguments& a) { return joined_as_rows(a, false); }
Value joined_as_columns(const Arguments& a) { return joined_as_rows(a, true); }

}  // namespace

std::span<const Builtin> arranging_functions() {
  static constexpr Builtin all[] = {
      {"roll", "x, shifts, dims=None", rolled, "x with its values moved along an axis, the last ones first"},
      {"fliplr", "x", flipped_along<1>, "x in the reverse order along the second axis"},
      {"flipud", "x", flipped_along<0>, "x in the reverse order along the first axis"},
      {"tile", "x, *dims", repeated_as_tiles, "x so many times along each axis"},
      {"repeat_interleave", "x, repeats, dim=None, output_size=None", repeated_each,
       "each value so many times in a row"},
      {"diag", "x, diagonal=0", diagonal_or_matrix, "the diagonal of a matrix, or the matrix with this diagonal"},
      {"diag_embed", "x, offset=0", matrix_of_last_axis, "matrices with the last axis as their diagonal"},
      {"diagflat", "x, offset=0", matrix_of_all, "a matrix with all values as its diagonal"},
      {"meshgrid", "*tensors, indexing=\"ij\"", grid_of,
       "each tensor along an axis of its own, repeated along the others"},
      {"cartesian_prod", "*tensors", combinations_of, "all combinations of one value of each tensor"},
      {"hstack", "*tensors", joined_in_row, "tensors joined side by side"},
      {"vstack", "*tensors", joined_in_column, "tensors joined below each other"},
      {"row_stack", "*tensors", joined_in_column, "tensors joined below each other"},
      {"column_stack", "*tensors", joined_as_columns, "vectors as the columns of a matrix"},
  };
  return all;
}

std::span<const Builtin> arranging_methods() {
  static constexpr Builtin all[] = {
      {"repeat", "x, *sizes", repeated_by_sizes, "x so many times along each axis"},
      {"unfold", "x, dimension, size, step", unfolded,
       "windows along an axis, the values of each along a new last axis"},
  };
  return all;
}

}  // namespace unroll::program
