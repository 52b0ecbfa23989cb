#include "engine/kernels/gemm.h"

#include <algorithm>

#include "engine/kernels/lanes.h"
#include "engine/kernels/parallel.h"

namespace unroll::kernels {
namespace {

const Scalar* at(const Matrix& x, int i, int j) { return x.data + i * x.row_stride + j * x.column_stride; }

// The part from row i and column j on.
Matrix from(const Matrix& x, int i, int j) { return {at(x, i, j), x.row_stride, x.column_stride}; }
Matrix transposed(const Matrix& x) { return {x.data, x.column_stride, x.row_stride}; }

// What the sums of a product start from, and what becomes of the values in c.
enum class Sums {
  fresh,      // from 0; they replace c
  continued,  // from c
  added       // from 0; the finished sums are added to c
};

constexpr int quotient_up(int a, int b) { return (a + b - 1) / b; }

// ── Products by tiles of c that are held in registers ───────────────────────────────────────────────────────────────

// Of c: 4 × 2 vectors take eight of the sixteen registers; the others hold operands.
constexpr int tile_rows = 4, tile_columns = 2 * wide_count;

// Largest block of b (depth, columns), which stays in the L2 cache.
constexpr int block_depth = 256, block_columns = 256;

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

// c (m, n) [+]= a (m, k) · b (k, n); sums are added only for k ≤ block_depth. Blocks along k run in order, each
// continuing the sums in c.
void multiply_tiled(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride,
                    Sums sums) {
  for (int p = 0; p < k; p += block_depth, sums = Sums::continued)
    for (int j = 0; j < n; j += block_columns)
      multiply_block({m, std::min(block_columns, n - j), std::min(block_depth, k - p), from(a, 0, p), from(b, p, j),
                      c + j, c_stride, sums});
}

// ── Products with a row or two: b is streamed once, straight from memory ────────────────────────────────────────────

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
  const int remaining = n % thin_columns, first = n - thin_columns;
  for (int i = 0; remaining > 0 && i < m; ++i) {
    Scalar sums[thin_columns];
    std::copy_n(c + i * c_stride + first, thin_columns, sums);
    accumulate_dots(k, at(a, i, 0), at(b, 0, first), b.column_stride, sums);
    std::copy_n(sums + thin_columns - remaining, remaining, c + i * c_stride + n - remaining);
  }
}

// Whether the product of a (m, k) and b is fastest this way.
bool is_thin(int m, const Matrix& a, const Matrix& b) {
  return b.column_stride == 1 ? m == 1 : m <= 2 && b.row_stride == 1 && a.column_stride == 1;
}

// c (m, n) continues its sums with a (m, k) · b (k, n).
void multiply_thin(int m, int n, int k, const Matrix& a, const Matrix& b, Scalar* c, std::ptrdiff_t c_stride) {
  const int whole_n = n - n % thin_columns, whole_k = k - k % thin_steps;
  const bool ends_in_dots = b.column_stride != 1 && n >= thin_columns;
  multiply_whole(m, whole_n, whole_k, a, b, c, c_stride);
  if (ends_in_dots) accumulate_last_dots(m, n, whole_k, a, b, c, c_stride);
  const int columns_done = ends_in_dots ? n : whole_n;  // columns that already hold their first whole_k terms
  multiply_tiled(m, columns_done, k - whole_k, from(a, 0, whole_k), from(b, whole_k, 0), c, c_stride, Sums::continued);
  multiply_tiled(m, n - columns_done, k, a, from(b, 0, columns_done), c + columns_done, c_stride, Sums::continued);
}

// ── Any product, on one thread or several ───────────────────────────────────────────────────────────────────────────

// One for the program, as its threads are: kernels are below Context. A dry run sets it while it lasts.
bool are_products_zero = false;

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

Setting<bool> without_products() { return {are_products_zero, true}; }

void gemm(int m, int n, int k, Matrix a, Matrix b, Scalar* c, std::ptrdiff_t c_stride, bool add) {
  multiply_on_threads(m, n, are_products_zero ? 0 : k, a, b, c, c_stride, add ? Sums::added : Sums::fresh);
}

void gemm_batched(int batch, int m, int n, int k, Matrix a, std::ptrdiff_t a_batch, Matrix b, std::ptrdiff_t b_batch,
                  Scalar* c, std::ptrdiff_t c_stride, std::ptrdiff_t c_batch, bool add) {
  const auto some = [&](std::size_t first, std::size_t last) {
    for (auto i = static_cast<std::ptrdiff_t>(first); i < static_cast<std::ptrdiff_t>(last); ++i)
      gemm(m, n, k, {a.data + i * a_batch, a.row_stride, a.column_stride},
           {b.data + i * b_batch, b.row_stride, b.column_stride}, c + i * c_batch, c_stride, add);
  };
  const auto count = static_cast<std::size_t>(batch);
  if (batch < threads()) return some(0, count);  // each product is split instead
  for_ranges(count, products_in_grain(m, n, k), some);
}

}  // namespace unroll::kernels
