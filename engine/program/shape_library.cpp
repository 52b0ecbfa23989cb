// Moving the values of tensors and reading their properties, by their names in PyTorch.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

// A result that shares its values with x in PyTorch.
Value view_of(const Arguments& a, const Tensor& y) {
  const TypedTensor& x = a.typed(0);
  a.interpreter.account().values(y.shape(), a.place);
  a.interpreter.account().operation(a.place);
  return TypedTensor{y, x.type, x.storage, x.is_given};
}

// Sizes, one of which may be -1: what remains for it.
Shape completed(std::vector<int> sizes, const Arguments& a) {
  const std::size_t count = a.typed(0).tensor.size();
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
    fail_at(a.place, "reshape_does_not_fit", unroll::program::sizes(a.typed(0).tensor.shape()), count);
  return shape_of(sizes, a.place);
}

Value reshaped(const Arguments& a) { return view_of(a, reshape(a.tensor(0), completed(a.rest(1), a))); }

// As in PyTorch, one value has the axis 0 here.
int axis_of(const Arguments& a, int i) {
  const int rank = a.tensor(0).rank();
  return rank == 0 && (a.whole(i) == 0 || a.whole(i) == -1) ? 0 : a.axis(i, rank);
}

Value flattened(const Arguments& a) {
  const Shape& from = a.typed(0).tensor.shape();
  const int first = axis_of(a, 1), last = axis_of(a, 2);
  if (from.rank() == 0) return view_of(a, reshape(a.tensor(0), {1}));
  if (first > last) fail_at(a.place, "flatten_axes_reversed", first, last);
  std::vector<int> sizes(from.begin(), from.begin() + first);
  sizes.push_back(std::accumulate(from.begin() + first, from.begin() + last + 1, 1, std::multiplies<>()));
  sizes.insert(sizes.end(), from.begin() + last + 1, from.end());
  return view_of(a, reshape(a.tensor(0), shape_of(sizes, a.place)));
}

std::vector<int> order_of(int rank) {
  std::vector<int> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Value transposed_of(const Arguments& a) {
  const Operand x = a.tensor(0);
  std::vector<int> order = order_of(x.rank());
  std::swap(order[static_cast<std::size_t>(a.axis(1, x.rank()))], order[static_cast<std::size_t>(a.axis(2, x.rank()))]);
  return view_of(a, permute(forward_operand(x), order));
}

Value permuted(const Arguments& a) {
  const Operand x = a.tensor(0);
  std::vector<int> order = a.rest(1), sorted;
  for (int& axis : order) sorted.push_back(axis < 0 ? axis += x.rank() : axis);
  std::sort(sorted.begin(), sorted.end());
  if (sorted != order_of(x.rank())) a.refuse(1, "each_axis_once");
  return view_of(a, permute(forward_operand(x), order));
}

Value unsqueezed(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int rank = x.rank() + 1, axis = a.axis(1, rank);
  std::vector<int> sizes(x.shape().begin(), x.shape().end());
  sizes.insert(sizes.begin() + axis, 1);
  return view_of(a, reshape(forward_operand(x), shape_of(sizes, a.place)));
}

// Without the axis if its size is 1; with None, without all such axes.
Value squeezed(const Arguments& a) {
  const Operand x = a.tensor(0);
  constexpr int all = -1;
  const int axis = a.is_none(1) ? all : axis_of(a, 1);
  std::vector<int> sizes;
  for (int i = 0; i < x.rank(); ++i)
    if (x.shape()[i] != 1 || (axis != all && axis != i)) sizes.push_back(x.shape()[i]);
  return view_of(a, reshape(forward_operand(x), shape_of(sizes, a.place)));
}

// Sizes of -1 stay as they are.
Value expanded(const Arguments& a) {
  const Operand x = a.tensor(0);
  std::vector<int> sizes = a.rest(1);
  const int added = static_cast<int>(sizes.size()) - x.rank();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (const int axis = static_cast<int>(i) - added; sizes[i] == -1 && axis >= 0) sizes[i] = x.shape()[axis];
  return view_of(a, broadcast_to(forward_operand(x), shape_of(sizes, a.place)));
}

// Several tensors in a list or tuple, and the type of what they make together.
std::vector<Operand> tensors_of(const Arguments& a, int i, Type& type) {
  const std::vector<Value>* items = items_of(a[i]);
  if (!items || items->empty()) a.refuse(i, "a_list_of_tensors");
  std::vector<Operand> all;
  type = Type::boolean;
  for (const Value& each : *items) {
    if (!each.is<TypedTensor>()) fail_at(a.place, "list_item_is_no_tensor", a.callee.name, all.size(), described(each));
    type = std::min(type, each.as<TypedTensor>()->type);
    a.interpreter.account().values(each.as<TypedTensor>()->tensor.size() + 1, a.place);
    all.push_back(operand_of(each, a.place));
  }
  return all;
}

Value joined(const Arguments& a) {
  Type type;
  const std::vector<Operand> parts = tensors_of(a, 0, type);
  const Shape& first = parts.front().shape();
  const int axis = a.axis(1, first.rank());
  for (const Operand& each : parts)
    if (each.rank() != first.rank() || each.shape().without(axis) != first.without(axis))
      fail_at(a.place, "cat_sizes_differ", axis, sizes(first), sizes(each.shape()));
  return a.result(concat(parts, axis, a.where()), type);
}

Value stacked(const Arguments& a) {
  Type type;
  const std::vector<Operand> parts = tensors_of(a, 0, type);
  const int axis = a.axis(1, parts.front().rank() + 1);
  std::vector<Operand> raised;
  for (const Operand& each : parts) {
    if (each.shape() != parts.front().shape()) a.refuse(0, "tensors_of_equal_sizes");
    raised.push_back({reshape(forward_operand(each), each.shape().inserted(axis)), a.where()});
  }
  return a.result(concat(raised, axis, a.where()), type);
}

Value flipped(const Arguments& a) {
  Operand x = a.tensor(0);
  Tensor y = x;
  std::vector<char> is_flipped(static_cast<std::size_t>(x.rank()));
  for (int axis : a.integers(1)) {
    if (axis < -x.rank() || axis >= x.rank()) a.refuse(1, "axes_of_the_tensor");
    const auto place = static_cast<std::size_t>(axis < 0 ? axis + x.rank() : axis);
    if (std::exchange(is_flipped[place], char{1})) a.refuse(1, "each_axis_once");
    y = flip({y, a.where()}, axis);
  }
  return a.result(y, a.typed(0).type);
}

Value chunked(const Arguments& a) {
  const Operand x = a.tensor(0);
  const int count = a.whole(1), axis = a.axis(2, x.rank()), size = x.shape()[axis];
  if (count < 1) a.refuse(1, "a_number_of_at_least_1");
  const int length = std::max((size + count - 1) / count, 1);
  std::vector<Value> parts;
  for (int i = 0; size == 0 && i < count; ++i) {
    a.count_items(1);
    parts.push_back(view_of(a, x));
  }
  for (int at = 0; at < size; at += length)
    parts.push_back(view_of(a, slice(forward_operand(x), axis, at, std::min(length, size - at))));
  return tuple_of(std::move(parts));
}

// x where row − column is at least / at most −diagonal, else 0.
template <bool is_lower>
Value triangle(const Arguments& a) {
  const Operand x = a.tensor(0);
  if (x.rank() < 2) a.refuse(0, "a_matrix");
  const int rows = x.shape()[-2], columns = x.shape()[-1], diagonal = a.whole(1);
  Tensor mask({rows, columns});
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) mask.data()[i * columns + j] = is_lower ? j - i <= diagonal : j - i >= diagonal;
  return a.result(where({mask, a.where()}, forward_operand(x), {0, a.where()}), a.typed(0).type);
}

template <Type type>
Value as_type(const Arguments& a) {
  const TypedTensor& x = a.typed(0);
  if (x.type == type || (type == Type::integer && x.type == Type::boolean) || type == Type::real)
    return TypedTensor{x.tensor, type, x.storage, x.is_given};
  Tensor y(x.tensor.shape());
  for (std::size_t i = 0; i < y.size(); ++i)
    y.data()[i] = type == Type::boolean ? x.tensor.data()[i] != 0 : std::trunc(x.tensor.data()[i]);
  return a.result(y, type);
}

Value item_of(const Arguments& a) {
  const TypedTensor& x = a.typed(0);
  if (x.tensor.size() != 1) fail_at(a.place, "item_of_several_values", described(a[0]));
  const Scalar value = x.tensor.item();
  if (x.type == Type::real) return static_cast<double>(value);
  if (x.type == Type::boolean) return value != 0;
  return static_cast<std::int64_t>(value);
}

Value size_of(const Arguments& a) {
  const Operand x = a.tensor(0);
  if (!a.is_none(1)) return std::int64_t{x.shape()[a.axis(1, x.rank())]};
  return sizes_as_tuple(x.shape());
}
Value rank_of(const Arguments& a) { return std::int64_t{a.tensor(0).rank()}; }
Value count_of(const Arguments& a) { return static_cast<std::int64_t>(a.tensor(0).size()); }
Value detached(const Arguments& a) { return view_of(a, detach(a.tensor(0))); }

}  // namespace

Value sizes_as_tuple(const Shape& shape) {
  std::vector<Value> sizes;
  for (const int size : shape) sizes.push_back(std::int64_t{size});
  return tuple_of(std::move(sizes));
}

std::span<const Builtin> shape_functions() {
  static constexpr Builtin all[] = {
      {"cat", "tensors, dim=0", joined, "tensors joined one after another along an axis"},
      {"stack", "tensors, dim=0", stacked, "tensors side by side along a new axis"},
      {"flip", "x, dims", flipped, "x in the reverse order along these axes"},
      {"chunk", "x, chunks, dim=0", chunked, "x in so many parts along an axis"},
      {"tril", "x, diagonal=0", triangle<true>, "x on and below the diagonal, 0 elsewhere"},
      {"triu", "x, diagonal=0", triangle<false>, "x on and above the diagonal, 0 elsewhere"},
      {"transpose", "x, dim0, dim1", transposed_of, "x with two axes swapped"},
      {"unsqueeze", "x, dim", unsqueezed, "x with a new axis of size 1"},
      {"squeeze", "x, dim=None", squeezed, "x without axes of size 1"},
      {"flatten", "x, start_dim=0, end_dim=-1", flattened, "x with several axes made one"},
      {"reshape", "x, *shape", reshaped, "the same values in another shape"},
      {"permute", "x, *dims", permuted, "x with its axes in another order"},
  };
  return all;
}

std::span<const Builtin> shape_methods() {
  static constexpr Builtin all[] = {
      {"view", "x, *shape", reshaped, "the same values in another shape"},
      {"expand", "x, *sizes", expanded, "x repeated along axes of size 1"},
      {"float", "x", as_type<Type::real>, "the same values as floats"},
      {"long", "x", as_type<Type::integer>, "the values as whole numbers, cut at the point"},
      {"int", "x", as_type<Type::integer>, "the values as whole numbers, cut at the point"},
      {"bool", "x", as_type<Type::boolean>, "whether each value is not 0"},
      {"item", "x", item_of, "the only value, as a number of Python"},
      {"size", "x, dim=None", size_of, "the sizes, or one of them"},
      {"dim", "x", rank_of, "how many axes there are"},
      {"numel", "x", count_of, "how many values there are"},
      {"detach", "x", detached, "the values, without a gradient"},
      {"contiguous", "x", [](const Arguments& a) { return a[0]; }, "x itself"},
  };
  return all;
}

}  // namespace unroll::program
