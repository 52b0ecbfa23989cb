#include "engine/kernels/gemm.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/parallel.h"
#include "engine/kernels/thin_gemm.h"
#include "engine/kernels/tiled_gemm.h"

namespace unroll::kernels {
namespace {

bool without_products = false;

void add_by_blocks(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride);

// c (m, n) [+]= a (m, k) · b (k, n), on this thread.
void multiply_here(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride,
                   Sums sums) {
  const bool thin = is_thin(m, a, b);
  if (sums == Sums::added && (thin || k > block_depth)) return add_by_blocks(m, n, k, a, b, c, c_stride);
  if (sums == Sums::fresh && (thin || k == 0))
    for (int i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, Scalar{0});
  if (thin)
    multiply_thin(m, n, k, a, b, c, c_stride);
  else
    multiply_tiled(m, n, k, a, b, c, c_stride, sums);
}

// Finishes the sums of a block of c elsewhere before it adds them.
void add_by_blocks(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride) {
  constexpr int rows = 64;
  thread_local Scalar sums[rows * block_columns];
  for (int i = 0; i < m; i += rows)
    for (int j = 0; j < n; j += block_columns) {
      const int height = std::min(rows, m - i), width = std::min(block_columns, n - j);
      multiply_here(height, width, k, from(a, i, 0), from(b, 0, j), sums, width, Sums::fresh);
      for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
          c[(i + row) * c_stride + j + column] += sums[row * width + column];
    }
}

// The number of products of this size that are worth a range of their own.
std::size_t products_in_grain(int m, int n, int k) {
  const std::size_t each = static_cast<std::size_t>(m) * static_cast<std::size_t>(n) * static_cast<std::size_t>(k);
  return multiply_adds / std::max<std::size_t>(each, 1) + 1;
}

// Splits `size` rows or columns among threads in multiples of `step`: multiply(first, count).
template <typename F>
void for_tiles(int size, int step, std::size_t grain, const F& multiply) {
  for_ranges(static_cast<std::size_t>(quotient_up(size, step)), grain, [&](std::size_t first, std::size_t last) {
    const int start = static_cast<int>(first) * step;
    multiply(start, std::min(size, static_cast<int>(last) * step) - start);
  });
}

// Splits the product among threads along its longer side: each packs its part of one operand and all of the smaller.
void multiply_on_threads(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride,
                         Sums sums) {
  // Compute a column as a row, cᵀ = bᵀ · aᵀ: multiplication commutes, so the bits are the same.
  if (n == 1 && m > 1 && c_stride == 1) return multiply_on_threads(1, m, k, transposed(b), transposed(a), c, m, sums);
  if (n >= m)
    return for_tiles(n, tile_columns, products_in_grain(m, tile_columns, k), [&](int column, int count) {
      multiply_here(m, count, k, a, from(b, 0, column), c + column, c_stride, sums);
    });
  for_tiles(m, tile_rows, products_in_grain(tile_rows, n, k), [&](int row, int count) {
    multiply_here(count, n, k, from(a, row, 0), b, c + row * c_stride, c_stride, sums);
  });
}

}  // namespace

WithoutProducts::WithoutProducts() : outer_(std::exchange(without_products, true)) {}
WithoutProducts::~WithoutProducts() { without_products = outer_; }

void gemm(int m, int n, int k, Matrix a, Matrix b, Scalar* c, std::ptrdiff_t c_stride, bool add) {
  multiply_on_threads(m, n, without_products ? 0 : k, a, b, c, c_stride, add ? Sums::added : Sums::fresh);
}

void gemm_batched(int batch, int m, int n, int k, Matrix a, std::ptrdiff_t a_batch, Matrix b, std::ptrdiff_t b_batch,
                  Scalar* c, std::ptrdiff_t c_stride, std::ptrdiff_t c_batch, bool add) {
  const auto multiply = [&](std::ptrdiff_t i) {
    const Matrix a_i{a.data + i * a_batch, a.row_stride, a.column_stride};
    const Matrix b_i{b.data + i * b_batch, b.row_stride, b.column_stride};
    gemm(m, n, k, a_i, b_i, c + i * c_batch, c_stride, add);
  };
  const auto some = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) multiply(static_cast<std::ptrdiff_t>(i));
  };
  const auto count = static_cast<std::size_t>(batch);
  if (batch < threads()) return some(0, count);  // each product is split instead
  for_ranges(count, products_in_grain(m, n, k), some);
}

}  // namespace unroll::kernels
