// The matrix product, which takes nearly all of the training time.
//
// Every element of c is one sum over k in increasing order, in one accumulator of type Scalar. Blocking, vector width,
// layout, batch and the element's position in the matrix do not change its bits.
#pragma once

#include <cstddef>

#include "engine/tensor/scalar.h"
#include "engine/tensor/setting.h"

namespace unroll::kernels {

// A matrix in memory. Element (i, j) is data[i * row_stride + j * column_stride]; swapped strides make the transpose.
// No stride is 0.
struct Matrix {
  const Scalar* data;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
};

// c (m, n) = a (m, k) · b (k, n); c is row-major with row stride c_stride ≥ n and overlaps neither operand.
// c_ij = ((0 + a_i0 b_0j) + a_i1 b_1j) + …; with `add` this sum is added to c_ij once it is complete. Sizes may be 0:
// with k = 0 the sum is 0.
void gemm(int m, int n, int k, Matrix a, Matrix b, Scalar* c, std::ptrdiff_t c_stride, bool add = false);

// The same for each matrix of a batch: matrix i of an operand starts at i * its batch stride (0: all share one).
// The matrices of c do not overlap.
void gemm_batched(int batch, int m, int n, int k, Matrix a, std::ptrdiff_t a_batch, Matrix b, std::ptrdiff_t b_batch,
                  Scalar* c, std::ptrdiff_t c_stride, std::ptrdiff_t c_batch, bool add = false);

// While the result is kept, products are 0: a dry run wants to know what a step takes, not what it gives.
Setting<bool> without_products();

}  // namespace unroll::kernels
