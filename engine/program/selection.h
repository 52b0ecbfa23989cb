// What the subscripts of an index pick of a tensor.
#pragma once

#include "engine/program/indexing.h"

namespace unroll::program {

// What a subscript picks along one axis: `length` places, `step` apart.
struct Range {
  int start, length, step = 1;
  bool keeps_axis = true;
};

// Ids along one axis of what the ranges leave.
struct AxisIds {
  int axis;
  Tensor ids;  // whole numbers from 0 to below the size
};

// A range along each axis of the tensor, and the shape of what they leave, with new axes. Of this, ids pick values.
struct Selection {
  static constexpr int new_axis = -1;

  std::vector<Range> ranges;
  std::vector<int> shape;
  std::vector<int> axes{};  // of the tensor, one for each of `shape`, or new_axis
  std::vector<AxisIds> ids{};
};
Selection select(Interpreter& interpreter, const Shape& shape, const std::vector<Subscripted>& subscripts,
                 const Place& place);

// The values that ids pick, in the order of a tensor of `shape`: the axes of the ids, broadcast, stand in the place of
// the axes that they index, or first if these are not side by side (NumPy's rule).
struct Pick {
  Shape shape;
  int first;  // of the axes of the ids
  Shape of_ids;
};
Pick pick_of(const Selection& selection, const Place& place);
// Their places in memory where what the ranges leave has these strides.
Tensor places_of(const Selection& selection, const Pick& pick, const TypedTensor::View& view, const Place& place);

// A whole number, or `fallback` for None.
std::int64_t whole_in(const Value& value, std::int64_t fallback, const Place& place);
// Negative places count from the end.
Range one_place(const Subscripted& subscript, int size);
// As in Python, a slice ends where the tensor ends.
Range slice_of(const Subscripted& subscript, int size);

}  // namespace unroll::program
