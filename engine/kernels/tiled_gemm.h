// The matrix product by tiles of c that are held in registers, on one thread.
#pragma once

#include "engine/kernels/lanes.h"
#include "engine/kernels/matrix.h"

namespace unroll::kernels {

// Of c: 4 × 2 vectors take eight of the sixteen registers; the others hold operands.
inline constexpr int tile_rows = 4, tile_columns = 2 * wide_count;

// Largest block of b (depth, columns), which stays in the L2 cache.
inline constexpr int block_depth = 256, block_columns = 256;

// What the sums of a product start from, and what becomes of the values in c.
enum class Sums {
  fresh,      // from 0; they replace c
  continued,  // from c
  added       // from 0; the finished sums are added to c
};

// c (m, n) [+]= a (m, k) · b (k, n); sums are added only for k ≤ block_depth.
void multiply_tiled(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride,
                    Sums sums);

constexpr int quotient_up(int a, int b) { return (a + b - 1) / b; }

}  // namespace unroll::kernels
