#include "engine/kernels/thin_gemm.h"

#include <algorithm>

#include "engine/kernels/lanes.h"
#include "engine/kernels/tiled_gemm.h"

namespace unroll::kernels {
namespace {

constexpr int thin_columns = 2 * lane_count;
constexpr int thin_steps = lane_count;  // values of a per iteration

// Rows of b streamed together: few enough not to evict each other from the caches.
constexpr int streamed_rows = 4;

// c (n) += a (4) · b (4, n), b row-major, n a multiple of 8.
UNROLL_HOT void accumulate_rows(int n, const Scalar* a, std::ptrdiff_t a_step, const Scalar* b, std::ptrdiff_t b_stride,
                                Scalar* c) {
  Lanes factor[streamed_rows];
  for (int p = 0; p < streamed_rows; ++p) factor[p] = splat(a[p * a_step]);
  for (int j = 0; j < n; j += thin_columns) {
    Lanes left = load(c + j), right = load(c + j + lane_count);
    for (int p = 0; p < streamed_rows; ++p) {
      left += factor[p] * load(b + p * b_stride + j);
      right += factor[p] * load(b + p * b_stride + j + lane_count);
    }
    store(c + j, left);
    store(c + j + lane_count, right);
  }
}

// c (8) += a (k) · b (k, 8), b column-major, k a multiple of 4: blocks of b are transposed, so that each lane is a sum.
UNROLL_HOT void accumulate_dots(int k, const Scalar* a, const Scalar* b, std::ptrdiff_t b_stride, Scalar* c) {
  Lanes sum[] = {load(c), load(c + lane_count)};
  for (; k > 0; k -= thin_steps, a += thin_steps, b += thin_steps)
    for (int half = 0; half < 2; ++half) {
      const Scalar* x = b + half * lane_count * b_stride;
      Lanes square[4] = {load(x), load(x + b_stride), load(x + 2 * b_stride), load(x + 3 * b_stride)};
      transpose(square);
      for (int i = 0; i < 4; ++i) sum[half] += splat(a[i]) * square[i];
    }
  store(c, sum[0]);
  store(c + lane_count, sum[1]);
}

// c (m, n) += a (m, k) · b (k, n), n a multiple of 8, k of 4.
void multiply_whole(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride) {
  if (b.column_stride == 1)
    for (int p = 0; p < k; p += streamed_rows)
      for (int i = 0; i < m; ++i)
        accumulate_rows(n, at(a, i, p), a.column_stride, at(b, p, 0), b.row_stride, c + i * c_stride);
  else
    for (int j = 0; j < n; j += thin_columns)
      for (int i = 0; i < m; ++i) accumulate_dots(k, at(a, i, 0), at(b, 0, j), b.column_stride, c + i * c_stride + j);
}

// The n mod 8 last columns, n ≥ 8: computes the last eight and drops the sums of those already done.
void accumulate_last_dots(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride) {
  const int left = n % thin_columns, first = n - thin_columns;
  for (int i = 0; left > 0 && i < m; ++i) {
    Scalar sums[thin_columns];
    std::copy_n(c + i * c_stride + first, thin_columns, sums);
    accumulate_dots(k, at(a, i, 0), at(b, 0, first), b.column_stride, sums);
    std::copy_n(sums + thin_columns - left, left, c + i * c_stride + n - left);
  }
}

}  // namespace

bool is_thin(int m, const Matrix& a, const Matrix& b) {
  return b.column_stride == 1 ? m == 1 : m <= 2 && b.row_stride == 1 && a.column_stride == 1;
}

void multiply_thin(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride) {
  const int whole_n = n - n % thin_columns, whole_k = k - k % thin_steps;
  const bool ends_in_dots = b.column_stride != 1 && n >= thin_columns;
  multiply_whole(m, whole_n, whole_k, a, b, c, c_stride);
  if (ends_in_dots) accumulate_last_dots(m, n, whole_k, a, b, c, c_stride);
  const int columns_done = ends_in_dots ? n : whole_n;  // columns that already hold their first whole_k terms
  multiply_tiled(m, columns_done, k - whole_k, from(a, 0, whole_k), from(b, whole_k, 0), c, c_stride, Sums::continued);
  multiply_tiled(m, n - columns_done, k, a, from(b, 0, columns_done), c + columns_done, c_stride, Sums::continued);
}

}  // namespace unroll::kernels
