// Where the values of a tensor lie in memory that it shares with others: PyTorch's storage, offset and strides.
//
// The engine's tensors are row by row and never share a part of another, so this is arithmetic alone: it decides what
// view() refuses, and which values of which tensors a write changes.
#pragma once

#include <optional>
#include <vector>

#include "engine/program/interpreter.h"

namespace unroll::program {

using View = TypedTensor::View;
using Strides = std::vector<std::ptrdiff_t>;

// Of a tensor that lies row by row.
Strides row_strides(const Shape& shape);
// Where x lies, also if it fills its storage.
View view_of(const TypedTensor& x);
// Whether the values lie row by row and next to each other. (Axes of size 1 do not matter.)
bool is_contiguous(const Shape& shape, const Strides& strides);
bool is_contiguous(const TypedTensor& x);
// Whether several values lie in one place, as after expand.
bool is_expanded(const Shape& shape, const Strides& strides);
// The strides of the same values in another shape, or nothing if none describe it. (PyTorch's own rule.)
std::optional<Strides> strides_in_shape(const Shape& from, const Strides& strides, const Shape& to);

// Calls take(i, place) for each value of a tensor of that shape, in order: its place in the storage.
template <typename Take>
void for_each_place(const View& view, const Shape& shape, const Take& take) {
  const int rank = shape.rank();
  std::vector<int> at(static_cast<std::size_t>(rank));
  std::ptrdiff_t place = static_cast<std::ptrdiff_t>(view.offset);
  for (std::size_t i = 0, count = shape.size(); i < count; ++i) {
    take(i, static_cast<std::size_t>(place));
    for (int axis = rank - 1; axis >= 0; --axis) {
      const auto a = static_cast<std::size_t>(axis);
      place += view.strides[a];
      if (++at[a] < shape[axis]) break;
      place -= view.strides[a] * shape[axis];
      at[a] = 0;
    }
  }
}

// These places as a tensor of that shape. Throws Error(program) for a storage of more places than it can name.
Tensor places_in(const View& view, const Shape& shape, const Place& place);

// The result of an operation that moves no value: y has the values of x that lie at `view`. Counted.
Value share(Interpreter& interpreter, const TypedTensor& x, const Tensor& y, View view, const Place& place);

// The views of PyTorch. Axes are counted from the first.
Value reshaped(Interpreter& interpreter, const TypedTensor& x, const Shape& shape, const Place& place);  // or a copy
Value permuted(Interpreter& interpreter, const TypedTensor& x, const std::vector<int>& order, const Place& place);
Value expanded(Interpreter& interpreter, const TypedTensor& x, const Shape& shape, const Place& place);
Value narrowed(Interpreter& interpreter, const TypedTensor& x, int axis, int start, int length, const Place& place);
// The same values, apart for gradients: detach() and .data.
TypedTensor detached(const TypedTensor& x, const Tensor& y);
// The same values in memory of their own.
Value copied(Interpreter& interpreter, const TypedTensor& x, const Place& place);

}  // namespace unroll::program
