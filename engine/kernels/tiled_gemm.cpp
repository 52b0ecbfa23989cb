#include "engine/kernels/tiled_gemm.h"

#include <algorithm>

namespace unroll::kernels {
namespace {

// The kernel: a tile of c held in registers.

// `count` strips of a, each (rows, k), in the layout of the kernel: column-major with columns `stride` apart, so that
// one address serves all rows. (WebAssembly spends an instruction on every other address.) Strips are `next` apart.
struct Strips {
  int count;
  const Scalar* data;
  std::ptrdiff_t stride, next;
};

// c (count · rows, tile_columns) [+]= a · b, strip by strip; b (k, tile_columns) is row-major with rows b_stride apart.
template <int rows>
UNROLL_HOT void tile(int k, const Strips& a, const Scalar* b, std::ptrdiff_t b_stride, Scalar* c,
                     std::ptrdiff_t c_stride, Sums sums) {
  for (int strip = 0; strip < a.count; ++strip, c += rows * c_stride) {
    const Scalar *a_at = a.data + strip * a.next, *b_at = b;
    WideLanes left[rows], right[rows];
#pragma GCC unroll 4  // otherwise g++ keeps the sums in memory
    for (int i = 0; i < rows; ++i) {
      left[i] = sums == Sums::continued ? load<WideLanes>(c + i * c_stride) : WideLanes{};
      right[i] = sums == Sums::continued ? load<WideLanes>(c + i * c_stride + wide_count) : WideLanes{};
    }
    for (const Scalar* b_end = b + k * b_stride; b_at != b_end; a_at += a.stride, b_at += b_stride) {
      const WideLanes b_left = load<WideLanes>(b_at), b_right = load<WideLanes>(b_at + wide_count);
      for (int i = 0; i < rows; ++i) {
        left[i] += a_at[i] * b_left;
        right[i] += a_at[i] * b_right;
      }
    }
#pragma GCC unroll 4
    for (int i = 0; i < rows; ++i) {
      if (sums == Sums::added) {
        left[i] = load<WideLanes>(c + i * c_stride) + left[i];
        right[i] = load<WideLanes>(c + i * c_stride + wide_count) + right[i];
      }
      store(c + i * c_stride, left[i]);
      store(c + i * c_stride + wide_count, right[i]);
    }
  }
}

// Packing: copies operands into the layout that the kernel reads.

// out (k, tile_columns), row-major = b (k, columns), zero-padded; copied by rows, 4 × 4 blocks or single values.
UNROLL_HOT void pack_panel(int k, int columns, const Matrix& b, Scalar* out) {
  int p = 0;
  if (columns < tile_columns) std::fill_n(out, k * tile_columns, Scalar{0});
  if (columns == tile_columns && b.column_stride == 1)
    for (; p < k; ++p) std::copy_n(at(b, p, 0), tile_columns, out + p * tile_columns);
  if (b.row_stride == 1 && columns % lane_count == 0)
    for (; p + 4 <= k; p += 4)
      for (int j = 0; j < columns; j += lane_count) {
        Lanes square[4] = {load(at(b, p, j)), load(at(b, p, j + 1)), load(at(b, p, j + 2)), load(at(b, p, j + 3))};
        transpose(square);
        for (int i = 0; i < 4; ++i) store(out + (p + i) * tile_columns + j, square[i]);
      }
  for (; p < k; ++p)
    for (int j = 0; j < columns; ++j) out[p * tile_columns + j] = *at(b, p, j);
}

// out (rows, k), column-major = a (rows, k); copied by columns, 4 × 4 blocks or single values.
template <int rows>
UNROLL_HOT void pack_strip(int k, const Matrix& a, Scalar* out) {
  int p = 0;
  if (rows == lane_count && a.row_stride == 1)
    for (; p < k; ++p) store(out + p * rows, load(at(a, 0, p)));
  if (rows == lane_count && a.column_stride == 1)
    for (; p + 4 <= k; p += 4) {
      Lanes square[4] = {load(at(a, 0, p)), load(at(a, 1, p)), load(at(a, 2, p)), load(at(a, 3, p))};
      transpose(square);
      for (int i = 0; i < 4; ++i) store(out + (p + i) * rows, square[i]);
    }
  for (; p < k; ++p)
    for (int i = 0; i < rows; ++i) out[p * rows + i] = *at(a, i, p);
}

// Blocking: data that is reused soon stays in cache.

// A block of b, in panels of 256 × tile_columns, stays in the L2 cache; a panel and a group of strips of a, 4 × (4 ×
// 256) values, in L1.
constexpr int group_strips = 4;
// Each thread's own buffers, filled and read within one call.
alignas(64) thread_local Scalar packed_a[group_strips * tile_rows * block_depth];
alignas(64) thread_local Scalar packed_b[block_columns * block_depth];

// c (m, n) [+]= a (m, k) · b (k, n), k ≤ block_depth, n ≤ block_columns.
struct Block {
  int m, n, k;
  Matrix a, b;
  Scalar* c;
  std::ptrdiff_t c_stride;
  Sums sums;
};

// An operand this small stays in the L1 cache, whatever its layout.
bool small(int rows, int columns) { return rows * columns <= 4096; }

// `count` strips of a from `row` on, packed unless the kernel can read them in place.
template <int rows>
Strips strips_of(const Block& x, int row, int count) {
  const Matrix a = from(x.a, row, 0);
  if (rows == 1 || (a.row_stride == 1 && small(x.m, x.k))) return {count, a.data, a.column_stride, rows * a.row_stride};
  for (int i = 0; i < count; ++i) pack_strip<rows>(x.k, from(a, i * rows, 0), packed_a + i * rows * x.k);
  return {count, packed_a, rows, rows * x.k};
}

// Where c has fewer than tile_columns left, the tile goes through a copy.
template <int rows>
void multiply_ragged(const Block& x, const Strips& a, const Scalar* panel, Scalar* c, int columns) {
  Scalar copy[group_strips * rows * tile_columns] = {};
  for (int i = 0; i < a.count * rows; ++i) std::copy_n(c + i * x.c_stride, columns, copy + i * tile_columns);
  tile<rows>(x.k, a, panel, tile_columns, copy, tile_columns, x.sums);
  for (int i = 0; i < a.count * rows; ++i) std::copy_n(copy + i * tile_columns, columns, c + i * x.c_stride);
}

// `count` strips of equal height from `row` on, in groups: each panel of b is multiplied with all strips of a group.
// The first `in_place` columns of b are read without packing.
template <int rows>
void multiply_strips(const Block& x, int row, int count, int in_place) {
  for (; count > 0; count -= group_strips, row += group_strips * rows) {
    const Strips a = strips_of<rows>(x, row, std::min(count, group_strips));
    for (int j = 0; j < x.n; j += tile_columns) {
      const bool is_unpacked = j < in_place;
      const Scalar* b = is_unpacked ? at(x.b, 0, j) : packed_b + (j - in_place) * x.k;
      Scalar* c = x.c + row * x.c_stride + j;
      if (x.n - j >= tile_columns)
        tile<rows>(x.k, a, b, is_unpacked ? x.b.row_stride : tile_columns, c, x.c_stride, x.sums);
      else
        multiply_ragged<rows>(x, a, b, c, x.n - j);
    }
  }
}
constexpr decltype(&multiply_strips<1>) multiply_strips_of[] = {nullptr, multiply_strips<1>, multiply_strips<2>,
                                                                multiply_strips<3>, multiply_strips<4>};

// A row-major b that is small or used by one strip only is not worth packing, except for its ragged last panel.
int columns_in_place(const Block& x) {
  const bool is_unpacked = x.b.column_stride == 1 && (small(x.k, x.n) || x.m <= tile_rows);
  return is_unpacked ? x.n - x.n % tile_columns : 0;
}

void multiply_block(const Block& x) {
  const int in_place = columns_in_place(x);
  for (int j = in_place; j < x.n; j += tile_columns)
    pack_panel(x.k, std::min(tile_columns, x.n - j), from(x.b, 0, j), packed_b + (j - in_place) * x.k);

  // As few strips as possible, of heights as equal as possible: 17 rows are 4 + 4 and 3 + 3 + 3.
  int row = 0;
  for (int strips = quotient_up(x.m, tile_rows); strips > 0;) {
    const int rows = quotient_up(x.m - row, strips), count = x.m - row - strips * (rows - 1);
    multiply_strips_of[rows](x, row, count, in_place);
    row += count * rows, strips -= count;
  }
}

}  // namespace

// Blocks along k run in order, each continuing the sums in c.
void multiply_tiled(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride,
                    Sums sums) {
  for (int p = 0; p < k; p += block_depth, sums = Sums::continued)
    for (int j = 0; j < n; j += block_columns)
      multiply_block({m, std::min(block_columns, n - j), std::min(block_depth, k - p), from(a, 0, p), from(b, p, j),
                      c + j, c_stride, sums});
}

}  // namespace unroll::kernels
