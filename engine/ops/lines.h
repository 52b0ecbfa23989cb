// The lines of a tensor along one of its axes.
#pragma once

#include <cstddef>

#include "engine/tensor/shape.h"

namespace unroll {

// Calls f(first, line, step) for each line: its values are at first + i · step, and it is the line-th in row-major
// order.
template <typename F>
void for_each_line(const Shape& shape, int axis, F f) {
  const AxisSplit parts = split_at(shape, axis);
  for (std::size_t outer = 0; outer < parts.outer; ++outer)
    for (std::size_t inner = 0; inner < parts.inner; ++inner)
      f(outer * parts.length * parts.inner + inner, outer * parts.inner + inner, parts.inner);
}

}  // namespace unroll
