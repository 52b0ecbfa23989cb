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
  for (int axis : a.rest(1)) {
    if (axis < -x.rank() || axis >= x.rank()) a.refuse(1, "axes_of_the_tensor");
    const auto place = static_cast<std::size_t>(axis < 0 ? axis + x.rank() : axis);
    if (std::exchange(is_flipped[place], char{1})) a.refuse(1, "each_axis_once");
    y = flip({y, a.where()}, axis);
  }
  return a.result(y, a.typed(0).type);
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

}  // namespace

Value sizes_as_tuple(const Shape& shape) {
  std::vector<Value> sizes;
  for (const int size : shape) sizes.push_back(std::int64_t{size});
  return tuple_of(std::move(sizes));
}

namespace {

constexpr Builtin own_functions[] = {
    {"cat", "tensors, dim=0", joined, "tensors joined one after another along an axis"},
    {"concat", "tensors, dim=0", joined, "tensors joined one after another along an axis"},
    {"concatenate", "tensors, dim=0", joined, "tensors joined one after another along an axis"},
    {"stack", "tensors, dim=0", stacked, "tensors side by side along a new axis"},
    {"flip", "x, *dims", flipped, "x in the reverse order along these axes"},
    {"tril", "x, diagonal=0", triangle<true>, "x on and below the diagonal, 0 elsewhere"},
    {"triu", "x, diagonal=0", triangle<false>, "x on and above the diagonal, 0 elsewhere"},
};

std::vector<Builtin> joined(std::initializer_list<std::span<const Builtin>> parts) {
  std::vector<Builtin> all;
  for (const std::span<const Builtin> part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::span<const Builtin> shape_functions() {
  static const std::vector<Builtin> all =
      joined({own_functions, view_functions(), part_functions(), gradient_functions()});
  return all;
}

std::span<const Builtin> shape_methods() {
  static const std::vector<Builtin> all =
      joined({view_methods(), inplace_methods(), random_methods(), gradient_methods()});
  return all;
}

}  // namespace unroll::program
