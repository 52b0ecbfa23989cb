#include "engine/tensor/gemm.h"

#include <algorithm>
#include <utility>

#include "engine/tensor/lanes.h"

// A browser goes on with its slow first translation of a function until the function is called again, so each loop that
// does the work is a function of its own that is called often.
#define UNROLL_HOT __attribute__((noinline))

namespace unroll::kernels {
namespace {

// A tile of c stays in registers: 5 × 8 floats fill ten of the sixteen there are, the rest holds operands.
constexpr int tile_rows = 5;
constexpr int tile_columns = 2 * lane_count;

// b is used in blocks of 256 × 256 values, for the second-level cache, and panels of 256 × 8, for the first-level one.
constexpr int block_depth = 256;
constexpr int block_columns = 256;

constexpr int group = 4;

alignas(64) thread_local Scalar packed_a[block_depth * tile_rows * group];
alignas(64) thread_local Scalar packed_b[block_depth * block_columns];

const Scalar* at(const Matrix& x, int i, int j) { return x.data + i * x.row_stride + j * x.column_stride; }
Matrix from(const Matrix& x, int i, int j) { return {at(x, i, j), x.row_stride, x.column_stride}; }
Matrix transposed(const Matrix& x) { return {x.data, x.column_stride, x.row_stride}; }

// ---- The tile: all products of many rows
// -----------------------------------------------------------------------------

// c (rows, 8) = [c +] a (rows, k) · b (k, 8). a is row-major with rows a_stride apart, or column-major with columns
// a_stride apart; b is row-major with rows b_stride apart.
template <int rows, bool column_major>
UNROLL_HOT void tile(int k, const Scalar* a, std::ptrdiff_t a_stride, const Scalar* b, std::ptrdiff_t b_stride,
                     Scalar* c, std::ptrdiff_t c_stride, bool accumulate) {
  const std::ptrdiff_t a_row = column_major ? 1 : a_stride, a_step = column_major ? a_stride : 1;
  Lanes left[rows], right[rows];
  for (int i = 0; i < rows; ++i) {
    left[i] = accumulate ? load(c + i * c_stride) : Lanes{};
    right[i] = accumulate ? load(c + i * c_stride + lane_count) : Lanes{};
  }
  for (; k > 0; --k, a += a_step, b += b_stride) {
    const Lanes b_left = load(b), b_right = load(b + lane_count);
    for (int i = 0; i < rows; ++i) {
      const Lanes a_i = splat(a[i * a_row]);
      left[i] += a_i * b_left;
      right[i] += a_i * b_right;
    }
  }
  for (int i = 0; i < rows; ++i) {
    store(c + i * c_stride, left[i]);
    store(c + i * c_stride + lane_count, right[i]);
  }
}

using Tile = decltype(&tile<1, false>);
constexpr Tile tiles[2][tile_rows] = {{tile<1, false>, tile<2, false>, tile<3, false>, tile<4, false>, tile<5, false>},
                                      {tile<1, true>, tile<2, true>, tile<3, true>, tile<4, true>, tile<5, true>}};

// Turns four rows into four columns.
void transpose(Lanes (&r)[4]) {
  const Lanes a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5), b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  const Lanes c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7), d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5), r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5), r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

// out (k, 8), row-major = b (k, 8), row-major.
UNROLL_HOT void pack_rows(int k, const Matrix& b, Scalar* out) {
  for (int p = 0; p < k; ++p, out += tile_columns) {
    store(out, load(at(b, p, 0)));
    store(out + lane_count, load(at(b, p, lane_count)));
  }
}

// out (k, 8), row-major = b (k, columns) of any layout, filled up with zeros.
UNROLL_HOT void pack_values(int k, int columns, const Matrix& b, Scalar* out) {
  for (int p = 0; p < k; ++p, out += tile_columns) {
    for (int j = 0; j < columns; ++j) out[j] = *at(b, p, j);
    for (int j = columns; j < tile_columns; ++j) out[j] = 0;
  }
}

// out (k, 8), row-major = b (k, 8), column-major: squares of 4 × 4.
UNROLL_HOT void pack_columns(int k, const Matrix& b, Scalar* out) {
  int p = 0;
  for (; p + 4 <= k; p += 4)
    for (int j = 0; j < tile_columns; j += lane_count) {
      Lanes square[4] = {load(at(b, p, j)), load(at(b, p, j + 1)), load(at(b, p, j + 2)), load(at(b, p, j + 3))};
      transpose(square);
      for (int i = 0; i < 4; ++i) store(out + (p + i) * tile_columns + j, square[i]);
    }
  pack_values(k - p, tile_columns, from(b, p, 0), out + p * tile_columns);
}

void pack_panel(int k, int columns, const Matrix& b, Scalar* out) {
  if (columns == tile_columns && b.column_stride == 1) return pack_rows(k, b, out);
  if (columns == tile_columns && b.row_stride == 1) return pack_columns(k, b, out);
  pack_values(k, columns, b, out);
}

// out (rows, k), column-major = a (rows, k) of any layout.
UNROLL_HOT void pack_tile(int rows, int k, const Matrix& a, Scalar* out) {
  for (int p = 0; p < k; ++p, out += rows)
    for (int i = 0; i < rows; ++i) out[i] = *at(a, i, p);
}

// c (m, n) = [c +] a (m, k) · b (k, n), k ≤ block_depth, n ≤ block_columns.
struct Block {
  int m, n, k;
  Matrix a, b;
  Scalar* c;
  std::ptrdiff_t c_stride;
  bool accumulate;
};

// Columns of b from here on are read from packed panels; before it, where they lie: a small b fits into the cache
// anyway.
int first_packed(const Block& x) {
  const bool small = x.k * x.n <= 4096 || x.m <= tile_rows;
  return small && x.b.column_stride == 1 ? x.n - x.n % tile_columns : 0;
}

// The tile goes through a copy where c has less than 8 columns left.
void ragged_tile(Tile run, int rows, int columns, int k, const Scalar* a, std::ptrdiff_t a_stride, const Scalar* b,
                 Scalar* c, std::ptrdiff_t c_stride, bool accumulate) {
  Scalar copy[tile_rows * tile_columns] = {};
  for (int i = 0; i < rows; ++i) std::copy_n(c + i * c_stride, columns, copy + i * tile_columns);
  run(k, a, a_stride, b, tile_columns, copy, tile_columns, accumulate);
  for (int i = 0; i < rows; ++i) std::copy_n(copy + i * tile_columns, columns, c + i * c_stride);
}

// Up to 5 rows of a, ready for the kernel that takes so many.
struct Strip {
  Tile run;
  int row, rows;
  const Scalar* a;
  std::ptrdiff_t a_stride;
};

Strip strip(const Block& x, int row, int rows, Scalar* packed) {
  const bool column_major = x.a.column_stride != 1;
  if (!column_major) return {tiles[0][rows - 1], row, rows, at(x.a, row, 0), x.a.row_stride};
  pack_tile(rows, x.k, from(x.a, row, 0), packed);
  return {tiles[1][rows - 1], row, rows, packed, rows};
}

// Each panel of b meets the strips of a group one after the other.
void multiply_group(const Block& x, const Strip* strips, int count, int packed) {
  const Scalar* panel = packed_b;
  for (int j = 0; j < x.n; j += tile_columns) {
    const bool in_place = j < packed;
    const Scalar* b = in_place ? x.b.data + j : panel;
    const std::ptrdiff_t b_stride = in_place ? x.b.row_stride : tile_columns;
    for (int i = 0; i < count; ++i) {
      const Strip& s = strips[i];
      Scalar* c = x.c + s.row * x.c_stride + j;
      if (x.n - j >= tile_columns)
        s.run(x.k, s.a, s.a_stride, b, b_stride, c, x.c_stride, x.accumulate);
      else
        ragged_tile(s.run, s.rows, x.n - j, x.k, s.a, s.a_stride, b, c, x.c_stride, x.accumulate);
    }
    if (!in_place) panel += x.k * tile_columns;
  }
}

void multiply_block(const Block& x) {
  const int packed = first_packed(x);
  Scalar* panel = packed_b;
  for (int j = packed; j < x.n; j += tile_columns, panel += x.k * tile_columns)
    pack_panel(x.k, std::min(tile_columns, x.n - j), from(x.b, 0, j), panel);
  // As few strips as possible, of as equal heights as possible: 16 rows are 4 + 4 + 4 + 4.
  Strip strips[group];
  int count = 0;
  for (int row = 0, left = (x.m + tile_rows - 1) / tile_rows; left > 0; --left) {
    const int rows = (x.m - row + left - 1) / left;
    strips[count] = strip(x, row, rows, packed_a + count * tile_rows * block_depth);
    row += rows;
    if (++count == group || left == 1) multiply_group(x, strips, count, packed), count = 0;
  }
}

// ---- Thin products: b is used once or a few times, so it is not worth a copy
// ------------------------------------------

constexpr int thin_rows = 4;

// c (n) += a (steps) · b (steps, n), b row-major, n a multiple of 8: `steps` rows of b pass by at a time.
template <int steps>
UNROLL_HOT void add_rows(int n, const Scalar* a, std::ptrdiff_t a_step, const Scalar* b, std::ptrdiff_t b_stride,
                         Scalar* c) {
  Lanes factor[steps];
  for (int p = 0; p < steps; ++p) factor[p] = splat(a[p * a_step]);
  for (int j = 0; j < n; j += tile_columns) {
    Lanes left = load(c + j), right = load(c + j + lane_count);
    for (int p = 0; p < steps; ++p) {
      left += factor[p] * load(b + p * b_stride + j);
      right += factor[p] * load(b + p * b_stride + j + lane_count);
    }
    store(c + j, left);
    store(c + j + lane_count, right);
  }
}

// c (16) += b (16, k) · a (k), both row-major: 4 × 4 squares of b are turned in registers, so that a lane is a sum.
UNROLL_HOT void add_dots(int k, const Scalar* a, const Scalar* b, std::ptrdiff_t b_stride, Scalar* c) {
  constexpr int groups = 4;
  Lanes sum[groups];
  for (int g = 0; g < groups; ++g) sum[g] = load(c + g * lane_count);
  int p = 0;
  for (; p + 4 <= k; p += 4) {
    const Scalar* corner = b + p;
    for (int g = 0; g < groups; ++g, corner += lane_count * b_stride) {
      Lanes square[4] = {load(corner), load(corner + b_stride), load(corner + 2 * b_stride),
                         load(corner + 3 * b_stride)};
      transpose(square);
      for (int i = 0; i < 4; ++i) sum[g] += splat(a[p + i]) * square[i];
    }
  }
  for (int g = 0; g < groups; ++g) store(c + g * lane_count, sum[g]);
  for (; p < k; ++p)
    for (int j = 0; j < groups * lane_count; ++j) c[j] += a[p] * b[p + j * b_stride];
}

// Computes the first columns of c, and says how many.
int multiply_thin(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride,
                  bool accumulate) {
  const bool by_rows = b.column_stride == 1, by_dots = b.row_stride == 1 && a.column_stride == 1;
  if (m > thin_rows || !(by_rows || by_dots)) return 0;
  const int done = n - n % (by_rows ? tile_columns : 4 * lane_count);
  for (int i = 0; i < m && !accumulate; ++i) std::fill_n(c + i * c_stride, done, Scalar{0});
  if (by_rows) {
    int p = 0;
    for (; p + 8 <= k; p += 8)
      for (int i = 0; i < m; ++i)
        add_rows<8>(done, at(a, i, p), a.column_stride, at(b, p, 0), b.row_stride, c + i * c_stride);
    for (; p < k; ++p)
      for (int i = 0; i < m; ++i)
        add_rows<1>(done, at(a, i, p), a.column_stride, at(b, p, 0), b.row_stride, c + i * c_stride);
  } else {
    for (int j = 0; j < done; j += 4 * lane_count)
      for (int i = 0; i < m; ++i) add_dots(k, at(a, i, 0), at(b, 0, j), b.column_stride, c + i * c_stride + j);
  }
  return done;
}

}  // namespace

void gemm(int m, int n, int k, Matrix a, Matrix b, Scalar* c, std::ptrdiff_t c_stride, bool accumulate) {
  // A column is computed as a row; factors may change places, a product of two numbers has the same bits.
  if (n == 1 && m > 1 && c_stride == 1) return gemm(1, m, k, transposed(b), transposed(a), c, m, accumulate);
  if (k == 0 && !accumulate)
    for (int i = 0; i < m; ++i) std::fill_n(c + i * c_stride, n, Scalar{0});
  const int done = multiply_thin(m, n, k, a, b, c, c_stride, accumulate);
  // Blocks along k come in order and go on with the sums that c holds.
  for (int p = 0; p < k; p += block_depth)
    for (int j = done; j < n; j += block_columns)
      multiply_block({m, std::min(block_columns, n - j), std::min(block_depth, k - p), from(a, 0, p), from(b, p, j),
                      c + j, c_stride, accumulate || p > 0});
}

void gemm_batched(int batch, int m, int n, int k, Matrix a, std::ptrdiff_t a_batch, Matrix b, std::ptrdiff_t b_batch,
                  Scalar* c, std::ptrdiff_t c_stride, std::ptrdiff_t c_batch, bool accumulate) {
  for (int i = 0; i < batch; ++i, a.data += a_batch, b.data += b_batch, c += c_batch)
    gemm(m, n, k, a, b, c, c_stride, accumulate);
}

}  // namespace unroll::kernels
