// Which part of a tensor or list an index picks.
#pragma once

#include <vector>

#include "engine/program/indexing.h"

namespace unroll::program {

// What an index picks along one axis: `length` places, `step` apart.
struct Range {
  int start, length, step = 1;
  bool keeps_axis = true;
};

// What an index picks: a range along each axis of the tensor, and the shape of the result.
struct Selection {
  std::vector<Range> ranges;
  std::vector<int> shape;
};

Range one_place(const Subscripted& subscript, int size);
Range slice_of(const Subscripted& subscript, int size);
// What a slice picks of a list, whose step may be negative.
std::vector<int> places_of(const Subscripted& slice, int size);
Selection select(const Shape& shape, const std::vector<Subscripted>& subscripts, const Place& place);

// The ids, the negative ones counted from the end of an axis of `size` as in Python.
Tensor counted_from_start(const Tensor& ids, int size);

// The tensor that is the only index, if there is one.
const TypedTensor* ids_in(const std::vector<Subscripted>& subscripts, const Place& place);

// Throws Error(program) for more axes than a tensor may have.
Shape shape_of(const std::vector<int>& sizes, const Place& place);

}  // namespace unroll::program
