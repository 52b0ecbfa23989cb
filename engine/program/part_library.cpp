// Views of a part: along an axis, of a diagonal. By their names in PyTorch.
#include <algorithm>
#include <utility>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/program/library.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

Value part_along(const Arguments& a, int axis, int start, int length) {
  return narrowed(a.interpreter, a.typed(0), axis, start, length, a.place);
}

// Parts of these lengths, one after another.
Value parts_along(const Arguments& a, int axis, const std::vector<int>& lengths) {
  std::vector<Value> parts;
  int start = 0;
  a.count_items(lengths.size());
  for (const int length : lengths) parts.push_back(part_along(a, axis, std::exchange(start, start + length), length));
  return tuple_of(std::move(parts));
}

// A length of at most `most` for each part of an axis of that size.
std::vector<int> equal_lengths(int size, int most) {
  std::vector<int> lengths(static_cast<std::size_t>((size + most - 1) / most), most);
  if (size % most != 0) lengths.back() = size % most;
  return lengths;
}

Value chunked(const Arguments& a) {
  const int count = a.whole(1), rank = a.tensor(0).rank(), axis = a.axis(2, rank);
  const int size = a.tensor(0).shape()[axis];
  if (count < 1) a.refuse(1, "a_number_of_at_least_1");
  a.count_items(size == 0 ? static_cast<std::size_t>(count) : 0);
  if (size == 0) return parts_along(a, axis, std::vector<int>(static_cast<std::size_t>(count), 0));
  return parts_along(a, axis, equal_lengths(size, (size - 1) / count + 1));
}

Value split_of(const Arguments& a) {
  const int rank = a.tensor(0).rank(), axis = a.axis(2, rank), size = a.tensor(0).shape()[axis];
  if (!items_of(a[1])) {
    if (a.whole(1) < 1) a.refuse(1, "a_number_of_at_least_1");
    return parts_along(a, axis, size == 0 ? std::vector<int>{0} : equal_lengths(size, a.whole(1)));
  }
  const std::vector<int> lengths = a.integers(1);
  std::int64_t sum = 0;
  for (const int length : lengths) {
    if (length < 0) a.refuse(1, "sizes_of_at_least_0");
    sum += length;
  }
  if (sum != size) fail_at(a.place, "split_sizes_differ", sum, size, axis);
  return parts_along(a, axis, lengths);
}

Value unbound(const Arguments& a) {
  const int rank = a.tensor(0).rank(), axis = a.axis(1, rank);
  std::vector<Subscripted> subscripts(static_cast<std::size_t>(axis) + 1, {Subscripted::slice, {}, {}, {}, a.place});
  std::vector<Value> parts;
  const int size = a.tensor(0).shape()[axis];
  for (int i = 0; i < size; ++i) {
    subscripts.back() = {Subscripted::one, std::int64_t{i}, {}, {}, a.place};
    parts.push_back(indexed(a.interpreter, a.typed(0), subscripts, a.place));
  }
  return tuple_of(std::move(parts));
}

Value narrowed_to(const Arguments& a) {
  const int axis = a.axis(1, a.tensor(0).rank()), size = a.tensor(0).shape()[axis], length = a.whole(3);
  const int start = a.whole(2) < 0 ? a.whole(2) + size : a.whole(2);
  if (start < 0 || length < 0 || start > size || length > size - start)
    fail_at(a.place, "narrow_out_of_range", a.whole(2), length, size);
  return part_along(a, axis, start, length);
}

Value selected(const Arguments& a) {
  const int axis = a.axis(1, a.tensor(0).rank());
  std::vector<Subscripted> subscripts(static_cast<std::size_t>(axis), {Subscripted::slice, {}, {}, {}, a.place});
  subscripts.push_back({Subscripted::one, std::int64_t{a.whole(2)}, {}, {}, a.place});
  return indexed(a.interpreter, a.typed(0), subscripts, a.place);
}

// The values whose second index is larger by `offset`, along a new last axis.
View diagonal_of(View view, Shape& shape, int first, int second, int offset) {
  const auto f = static_cast<std::size_t>(first), s = static_cast<std::size_t>(second);
  const int rows = shape[first] - std::max(-offset, 0), columns = shape[second] - std::max(offset, 0);
  const int length = std::max(std::min(rows, columns), 0);
  if (length > 0)
    view.offset += static_cast<std::size_t>(offset >= 0 ? offset * view.strides[s] : -offset * view.strides[f]);
  const std::ptrdiff_t step = view.strides[f] + view.strides[s];
  std::vector<int> sizes;
  Strides strides;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis == first || axis == second) continue;
    sizes.push_back(shape[axis]);
    strides.push_back(view.strides[static_cast<std::size_t>(axis)]);
  }
  sizes.push_back(length), strides.push_back(step);
  shape = Shape(std::span<const int>(sizes));
  view.strides = std::move(strides);
  return view;
}

Value diagonal(const Arguments& a) {
  const TypedTensor& x = a.typed(0);
  const int rank = x.tensor.rank(), first = a.axis(2, rank), second = a.axis(3, rank);
  if (first == second) a.refuse(3, "each_axis_once");
  Shape shape = x.tensor.shape(), same = shape;
  const View rows{0, row_strides(shape), shape};
  const View in_rows = diagonal_of(rows, shape, first, second, a.whole(1));
  const Tensor y = take(a.tensor(0), {places_in(in_rows, shape, a.place), a.where()});
  return share(a.interpreter, x, y, diagonal_of(view_of(x), same, first, second, a.whole(1)), a.place);
}

}  // namespace

std::span<const Builtin> part_functions() {
  static constexpr Builtin all[] = {
      {"chunk", "x, chunks, dim=0", chunked, "x in so many parts along an axis"},
      {"split", "x, split_size, dim=0", split_of, "x in parts of these sizes along an axis"},
      {"unbind", "x, dim=0", unbound, "the parts of x along an axis, without it"},
      {"narrow", "x, dim, start, length", narrowed_to, "a part of x along an axis"},
      {"select", "x, dim, index", selected, "one part of x along an axis, without it"},
      {"diagonal", "x, offset=0, dim1=0, dim2=1", diagonal, "the diagonal of two axes, as the last axis"},
  };
  return all;
}

}  // namespace unroll::program
