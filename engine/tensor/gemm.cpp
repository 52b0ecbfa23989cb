#include "engine/tensor/gemm.h"

#include <algorithm>

#include "engine/tensor/lanes.h"

// A browser keeps running the slow first translation of a function until the function is called again, so the loops
// that do the work are functions of their own that are called often.
#define UNROLL_HOT __attribute__((noinline))

namespace unroll::kernels {
namespace {

// A tile of c is held in registers: 5 × 8 floats are ten of the sixteen there are, and leave room for operands.
constexpr int tile_rows = 5;
constexpr int tile_columns = 2 * lane_count;

// b is copied in blocks of 256 × 256 (the second-level cache), and used in panels of 256 × 8 (the first-level cache).
constexpr int depth = 256;
constexpr int width = 256;

alignas(64) thread_local Scalar packed_b[depth * width];
alignas(64) thread_local Scalar packed_a[depth * tile_rows];

const Scalar* at(const Matrix& x, int i, int j) { return x.data + i * x.row_stride + j * x.column_stride; }

// c (rows, 8) += a (rows, k) · b (k, 8), where one stride of a is 1: a_row if `interleaved`, else a_step.
template <int rows, bool interleaved>
UNROLL_HOT void tile(int k, const Scalar* a, std::ptrdiff_t a_stride, const Scalar* b, std::ptrdiff_t b_step, Scalar* c,
                     std::ptrdiff_t c_row, bool accumulate) {
  const std::ptrdiff_t a_row = interleaved ? 1 : a_stride, a_step = interleaved ? a_stride : 1;
  Lanes left[rows], right[rows];
  for (int i = 0; i < rows; ++i) {
    left[i] = accumulate ? load(c + i * c_row) : Lanes{};
    right[i] = accumulate ? load(c + i * c_row + lane_count) : Lanes{};
  }
  for (int p = 0; p < k; ++p, a += a_step, b += b_step) {
    const Lanes b_left = load(b), b_right = load(b + lane_count);
    for (int i = 0; i < rows; ++i) {
      const Lanes a_i = splat(a[i * a_row]);
      left[i] += a_i * b_left;
      right[i] += a_i * b_right;
    }
  }
  for (int i = 0; i < rows; ++i) {
    store(c + i * c_row, left[i]);
    store(c + i * c_row + lane_count, right[i]);
  }
}

using Tile = void (*)(int k, const Scalar* a, std::ptrdiff_t a_stride, const Scalar* b, std::ptrdiff_t b_step,
                      Scalar* c, std::ptrdiff_t c_row, bool accumulate);
constexpr Tile tiles[2][tile_rows] = {{tile<1, false>, tile<2, false>, tile<3, false>, tile<4, false>, tile<5, false>},
                                      {tile<1, true>, tile<2, true>, tile<3, true>, tile<4, true>, tile<5, true>}};

// Copies b (k, n) into panels of 8 columns, each (k, 8) row-major; the last is filled up with zeros.
UNROLL_HOT void pack_b(int k, int n, const Matrix& b) {
  Scalar* out = packed_b;
  for (int j = 0; j < n; j += tile_columns) {
    const int columns = std::min(tile_columns, n - j);
    for (int p = 0; p < k; ++p, out += tile_columns) {
      for (int q = 0; q < columns; ++q) out[q] = *at(b, p, j + q);
      for (int q = columns; q < tile_columns; ++q) out[q] = 0;
    }
  }
}

UNROLL_HOT void pack_a(int rows, int k, const Matrix& a) {
  Scalar* out = packed_a;
  for (int p = 0; p < k; ++p)
    for (int i = 0; i < rows; ++i) *out++ = *at(a, i, p);
}

}  // namespace

void gemm(int m, int n, int k, Matrix a, Matrix b, Scalar* c, std::ptrdiff_t c_stride, bool accumulate) {
  if (k == 0 && !accumulate)
    for (int i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, Scalar{0});
  for (int p = 0; p < k; p += depth, accumulate = true) {
    const int kc = std::min(depth, k - p);
    for (int j = 0; j < n; j += width) {
      const int nc = std::min(width, n - j);
      pack_b(kc, nc, {at(b, p, j), b.row_stride, b.column_stride});
      const int blocks = (m + tile_rows - 1) / tile_rows;
      int i = 0;
      for (int block = 0; block < blocks; ++block) {
        const int rows = (m - i + blocks - block - 1) / (blocks - block);
        Matrix a_tile{at(a, i, p), a.row_stride, a.column_stride};
        if (a.column_stride != 1) {
          pack_a(rows, kc, a_tile);
          a_tile = {packed_a, 1, rows};
        }
        const bool interleaved = a.column_stride != 1;
        for (int q = 0; q < nc; q += tile_columns) {
          const Scalar* panel = packed_b + q * kc;
          Scalar* out = c + i * c_stride + j + q;
          const Tile run = tiles[interleaved][rows - 1];
          const std::ptrdiff_t stride = interleaved ? a_tile.column_stride : a_tile.row_stride;
          if (nc - q >= tile_columns) {
            run(kc, a_tile.data, stride, panel, tile_columns, out, c_stride, accumulate);
            continue;
          }
          Scalar edge[tile_rows * tile_columns] = {};
          for (int r = 0; r < rows && accumulate; ++r) std::copy_n(out + r * c_stride, nc - q, edge + r * tile_columns);
          run(kc, a_tile.data, stride, panel, tile_columns, edge, tile_columns, accumulate);
          for (int r = 0; r < rows; ++r) std::copy_n(edge + r * tile_columns, nc - q, out + r * c_stride);
        }
        i += rows;
      }
    }
  }
}

void gemm_batched(int batch, int m, int n, int k, Matrix a, std::ptrdiff_t a_batch, Matrix b, std::ptrdiff_t b_batch,
                  Scalar* c, std::ptrdiff_t c_stride, std::ptrdiff_t c_batch, bool accumulate) {
  for (int i = 0; i < batch; ++i, a.data += a_batch, b.data += b_batch, c += c_batch)
    gemm(m, n, k, a, b, c, c_stride, accumulate);
}

}  // namespace unroll::kernels
