// A matrix in memory, for the kernels.
#pragma once

#include <cstddef>

#include "engine/tensor/scalar.h"

namespace unroll::kernels {

// Element (i, j) is data[i * row_stride + j * column_stride]; swapped strides make the transpose. No stride is 0.
struct Matrix {
  const Scalar* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
};

inline const Scalar* at(const Matrix& x, int i, int j) { return x.data + i * x.row_stride + j * x.column_stride; }

// The part from row i and column j on.
inline Matrix from(const Matrix& x, int i, int j) { return {at(x, i, j), x.row_stride, x.column_stride}; }
inline Matrix transposed(const Matrix& x) { return {x.data, x.column_stride, x.row_stride}; }

}  // namespace unroll::kernels
