// Views, which share their values with another tensor: in other shapes, with axes in another order.
#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/program/library.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

// Sizes, one of which may be -1: what remains for it.
Shape completed(std::vector<int> sizes, std::size_t count, const Shape& from, const Arguments& a) {
  std::size_t known = 1;
  int* open = nullptr;
  for (int& size : sizes) {
    if (size == -1 && !open)
      open = &size;
    else if (size < 0)
      fail_at(a.place, "size_below_zero");
    else
      known *= static_cast<std::size_t>(size);
    if (known > (std::size_t{1} << 28)) break;
  }
  if (open && known > 0 && count % known == 0) *open = static_cast<int>(count / known), known = count;
  if (known != count || (open && *open < 0))
    fail_at(a.place, "reshape_does_not_fit", unroll::program::sizes(from), count);
  return program::shape_of(sizes, a.place);
}

Shape wanted_sizes(const Arguments& a) {
  const Shape& from = a.typed(0).tensor.shape();
  return completed(a.rest(1), from.size(), from, a);
}

Value reshaped_to(const Arguments& a, const Shape& shape) {
  return reshaped(a.interpreter, a.typed(0), shape, a.place);
}

// A view is refused where the values would have to move.
Value viewed_as(const Arguments& a, const Shape& shape) {
  const TypedTensor& x = a.typed(0);
  if (!strides_in_shape(x.tensor.shape(), view_of(x).strides, shape))
    fail_at(a.place, "view_needs_contiguous", sizes(x.tensor.shape()), sizes(shape));
  return reshaped_to(a, shape);
}

Value reshaped(const Arguments& a) { return reshaped_to(a, wanted_sizes(a)); }
Value viewed(const Arguments& a) { return viewed_as(a, wanted_sizes(a)); }

Shape sizes_of_other(const Arguments& a) {
  const Shape &from = a.typed(0).tensor.shape(), &to = a.typed(1).tensor.shape();
  return completed({to.begin(), to.end()}, from.size(), from, a);
}
Value reshaped_as(const Arguments& a) { return reshaped_to(a, sizes_of_other(a)); }
Value viewed_as_other(const Arguments& a) { return viewed_as(a, sizes_of_other(a)); }

// As in PyTorch, one value has the axis 0 here.
int axis_of(const Arguments& a, int i) {
  const int rank = a.tensor(0).rank();
  return rank == 0 && (a.whole(i) == 0 || a.whole(i) == -1) ? 0 : a.axis(i, rank);
}

Value flattened(const Arguments& a) {
  const Shape& from = a.typed(0).tensor.shape();
  const int first = axis_of(a, 1), last = axis_of(a, 2);
  if (from.rank() == 0) return reshaped_to(a, {1});
  if (first > last) fail_at(a.place, "flatten_axes_reversed", first, last);
  if (first == last) return a[0];
  std::vector<int> sizes(from.begin(), from.begin() + first);
  sizes.push_back(std::accumulate(from.begin() + first, from.begin() + last + 1, 1, std::multiplies<>()));
  sizes.insert(sizes.end(), from.begin() + last + 1, from.end());
  return reshaped_to(a, program::shape_of(sizes, a.place));
}

Value in_one_row(const Arguments& a) { return reshaped_to(a, {static_cast<int>(a.typed(0).tensor.size())}); }

// One axis as several.
Value unflattened(const Arguments& a) {
  const Shape& from = a.typed(0).tensor.shape();
  const int axis = a.axis(1, from.rank());
  const Shape parts = completed(a.integers(2), static_cast<std::size_t>(from[axis]), from, a);
  std::vector<int> sizes(from.begin(), from.begin() + axis);
  sizes.insert(sizes.end(), parts.begin(), parts.end());
  sizes.insert(sizes.end(), from.begin() + axis + 1, from.end());
  return viewed_as(a, program::shape_of(sizes, a.place));
}

std::vector<int> order_of(int rank) {
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Value permuted_to(const Arguments& a, const std::vector<int>& order) {
  return permuted(a.interpreter, a.typed(0), order, a.place);
}

Value swapped(const Arguments& a, int first, int second) {
  std::vector<int> order = order_of(a.typed(0).tensor.rank());
  if (order.empty()) return permuted_to(a, order);
  std::swap(order[static_cast<std::size_t>(first)], order[static_cast<std::size_t>(second)]);
  return permuted_to(a, order);
}
Value transposed(const Arguments& a) { return swapped(a, axis_of(a, 1), axis_of(a, 2)); }
Value transposed_matrix(const Arguments& a) {
  const int rank = a.typed(0).tensor.rank();
  if (rank > 2) fail_at(a.place, "transpose_is_for_matrices", rank);
  return swapped(a, 0, std::max(rank - 1, 0));
}

Value permuted(const Arguments& a) {
  const int rank = a.tensor(0).rank();
  std::vector<int> order = a.rest(1), sorted;
  for (int& axis : order) sorted.push_back(axis < 0 ? axis += rank : axis);
  std::ranges::sort(sorted);
  if (sorted != order_of(rank)) a.refuse(1, "each_axis_once");
  return permuted_to(a, order);
}

// The axes `source` at the places `destination`, the others in their order.
Value moved(const Arguments& a) {
  const int rank = a.tensor(0).rank();
  std::vector<int> from = a.integers(1), to = a.integers(2), order(static_cast<std::size_t>(rank), -1);
  if (from.size() != to.size()) a.refuse(2, "as_many_axes");
  std::vector<char> is_moved(static_cast<std::size_t>(rank));
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (const int axis : {from[i], to[i]})
      if (axis < -rank || axis >= rank) fail_at(a.place, "no_such_axis", a.callee.name, axis, rank);
    const auto source = static_cast<std::size_t>((from[i] + rank) % rank);
    int& target = order[static_cast<std::size_t>((to[i] + rank) % rank)];
    if (std::exchange(is_moved[source], char{1}) || target >= 0) a.refuse(1, "each_axis_once");
    target = static_cast<int>(source);
  }
  std::size_t next = 0;
  for (int& axis : order) {
    if (axis >= 0) continue;
    while (is_moved[next]) ++next;
    axis = static_cast<int>(next++);
  }
  return permuted_to(a, order);
}

Value unsqueezed(const Arguments& a) {
  const Shape& from = a.typed(0).tensor.shape();
  const int axis = a.axis(1, from.rank() + 1);
  std::vector<int> sizes(from.begin(), from.end());
  sizes.insert(sizes.begin() + axis, 1);
  return reshaped_to(a, program::shape_of(sizes, a.place));
}

// Without the axis if its size is 1; with None, without all such axes.
Value squeezed(const Arguments& a) {
  const Shape& from = a.typed(0).tensor.shape();
  constexpr int all = -1;
  const int axis = a.is_none(1) ? all : axis_of(a, 1);
  std::vector<int> sizes;
  for (int i = 0; i < from.rank(); ++i)
    if (from[i] != 1 || (axis != all && axis != i)) sizes.push_back(from[i]);
  return reshaped_to(a, program::shape_of(sizes, a.place));
}

Value expanded_to(const Arguments& a, std::vector<int> sizes) {
  const Shape& from = a.typed(0).tensor.shape();
  const int added = static_cast<int>(sizes.size()) - from.rank();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (const int axis = static_cast<int>(i) - added; sizes[i] == -1 && axis >= 0) sizes[i] = from[axis];
  if (std::ranges::any_of(sizes, [](int size) { return size < 0; })) fail_at(a.place, "size_below_zero");
  for (int axis = 0; axis < from.rank(); ++axis)
    if (added < 0 || (from[axis] != 1 && from[axis] != sizes[static_cast<std::size_t>(axis + added)]))
      fail_at(a.place, "expand_does_not_fit", unroll::program::sizes(from),
              unroll::program::sizes(program::shape_of(sizes, a.place)));
  return expanded(a.interpreter, a.typed(0), program::shape_of(sizes, a.place), a.place);
}

// Sizes of -1 stay as they are.
Value expanded(const Arguments& a) { return expanded_to(a, a.rest(1)); }
Value expanded_as(const Arguments& a) {
  const Shape& to = a.typed(1).tensor.shape();
  return expanded_to(a, {to.begin(), to.end()});
}

Value contiguous(const Arguments& a) {
  return is_contiguous(a.typed(0)) ? a[0] : copied(a.interpreter, a.typed(0), a.place);
}
Value contiguity(const Arguments& a) { return is_contiguous(a.typed(0)); }
Value strides_of(const Arguments& a) {
  const Strides strides = view_of(a.typed(0)).strides;
  if (!a.is_none(1)) return std::int64_t{strides[static_cast<std::size_t>(a.axis(1, a.typed(0).tensor.rank()))]};
  std::vector<Value> all;
  for (const std::ptrdiff_t each : strides) all.push_back(std::int64_t{each});
  return tuple_of(std::move(all));
}
Value cloned(const Arguments& a) { return copied(a.interpreter, a.typed(0), a.place); }

}  // namespace

std::span<const Builtin> view_functions() {
  static constexpr Builtin all[] = {
      {"transpose", "x, dim0, dim1", transposed, "x with two axes swapped"},
      {"swapaxes", "x, axis0, axis1", transposed, "x with two axes swapped"},
      {"swapdims", "x, dim0, dim1", transposed, "x with two axes swapped"},
      {"movedim", "x, source, destination", moved, "x with some of its axes at other places"},
      {"moveaxis", "x, source, destination", moved, "x with some of its axes at other places"},
      {"t", "x", transposed_matrix, "a matrix with its axes swapped"},
      {"unsqueeze", "x, dim", unsqueezed, "x with a new axis of size 1"},
      {"squeeze", "x, dim=None", squeezed, "x without axes of size 1"},
      {"flatten", "x, start_dim=0, end_dim=-1", flattened, "x with several axes made one"},
      {"ravel", "x", in_one_row, "the values of x in one row"},
      {"unflatten", "x, dim, sizes", unflattened, "x with one axis made several"},
      {"reshape", "x, *shape", reshaped, "the same values in another shape"},
      {"permute", "x, *dims", permuted, "x with its axes in another order"},
      {"broadcast_to", "x, *size", expanded, "x repeated along axes of size 1"},
      {"clone", "x", cloned, "a copy of x, through which gradients flow"},
  };
  return all;
}

std::span<const Builtin> view_methods() {
  static constexpr Builtin all[] = {
      {"view", "x, *shape", viewed, "the same values in another shape"},
      {"view_as", "x, other", viewed_as_other, "the same values in the shape of another tensor"},
      {"reshape_as", "x, other", reshaped_as, "the same values in the shape of another tensor"},
      {"expand", "x, *sizes", expanded, "x repeated along axes of size 1"},
      {"expand_as", "x, other", expanded_as, "x repeated to the sizes of another tensor"},
      {"contiguous", "x", contiguous, "x, its values in a row"},
      {"is_contiguous", "x", contiguity, "whether the values of x are in a row"},
      {"stride", "x, dim=None", strides_of, "how many values apart neighbours along each axis are"},
  };
  return all;
}

}  // namespace unroll::program
