#include "engine/kernels/gemm.h"

#include "engine/tensor/hash.h"
#include "tests/engine/support/test.h"

using kernels::gemm, kernels::gemm_batched, kernels::Matrix;
using Numbers = std::vector<Scalar>;

namespace {

// SplitMix64 (Steele, Lea & Flood 2014): random numbers for the test, the same on every machine.
struct SplitMix {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int up_to(int limit) { return static_cast<int>(next() % static_cast<unsigned>(limit)) + 1; }
  bool coin() { return next() >> 63; }
  Numbers values(std::size_t n) {
    Numbers x(n);
    for (Scalar& v : x) v = static_cast<Scalar>(static_cast<double>(next() >> 40) / (1 << 23) - 1);
    return x;
  }
};

enum class Layout { rows, columns, strided };

// A (rows, columns) matrix in memory, starting at data: row-major, column-major, or with gaps between all elements.
Matrix matrix(const Scalar* data, int rows, int columns, Layout layout) {
  if (layout == Layout::rows) return {data, columns, 1};
  if (layout == Layout::columns) return {data, 1, rows};
  return {data, 3 * columns, 3};
}

std::size_t reserved(int rows, int columns) { return std::size_t{3} * rows * columns; }

// The definition: one accumulator, k increasing.
void naive(int m, int n, int k, Matrix a, Matrix b, Scalar* c, std::ptrdiff_t c_stride, bool add) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      Scalar sum = 0;
      for (int p = 0; p < k; ++p)
        sum += a.data[i * a.row_stride + p * a.column_stride] * b.data[p * b.row_stride + j * b.column_stride];
      Scalar& to = c[i * c_stride + j];
      to = add ? to + sum : sum;
    }
}

bool same_bits(const Numbers& x, const Numbers& y) { return bytes_of(x) == bytes_of(y); }

struct Case {
  int m, n, k;
  Layout a, b;
  bool add;
  int gap;  // values between the rows of c that do not belong to it
};

// The result of one product, with all of its memory, so that a write outside the matrix shows.
template <typename Product>
Numbers run(const Case& t, std::uint64_t seed, Product product) {
  SplitMix random{seed};
  const Numbers a = random.values(reserved(t.m, t.k)), b = random.values(reserved(t.k, t.n));
  Numbers c = random.values(static_cast<std::size_t>(t.m + 1) * (t.n + t.gap));
  product(t.m, t.n, t.k, matrix(a.data(), t.m, t.k, t.a), matrix(b.data(), t.k, t.n, t.b), c.data(), t.n + t.gap,
          t.add);
  return c;
}

void check(const Case& t, std::uint64_t seed) {
  INFO("m ", t.m, ", n ", t.n, ", k ", t.k, ", layouts ", static_cast<int>(t.a), " and ", static_cast<int>(t.b),
       ", add ", t.add);
  CHECK(same_bits(run(t, seed, gemm), run(t, seed, naive)));
}

void check_all_layouts(int m, int n, int k, std::uint64_t seed) {
  for (Layout a : {Layout::rows, Layout::columns, Layout::strided})
    for (Layout b : {Layout::rows, Layout::columns, Layout::strided})
      for (bool add : {false, true}) check({m, n, k, a, b, add, 3}, seed);
}

}  // namespace

TEST_CASE("gemm equals the triple loop bit for bit: small, large, thin and empty, in every layout, where blocks end") {
  SplitMix random{1};
  for (int i = 0; i < 200; ++i) check_all_layouts(random.up_to(40), random.up_to(40), random.up_to(40), random.next());
  for (int m : {1, 2, 4, 5, 6, 9, 16, 33})
    for (int n : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64})
      for (int k : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33}) check_all_layouts(m, n, k, m + 100 * n + 10000 * k);
  const int sizes[][3] = {{128, 128, 128}, {129, 257, 130}, {64, 384, 64}, {1, 530, 770}, {2, 300, 513},
                          {4, 270, 259},   {530, 1, 770},   {300, 3, 513}, {7, 600, 300}, {65, 9, 1030}};
  for (const auto& [m, n, k] : sizes) check_all_layouts(m, n, k, m + n + k);
  for (int empty = 1; empty < 8; ++empty)
    check_all_layouts(empty & 1 ? 0 : 5, empty & 2 ? 0 : 9, empty & 4 ? 0 : 3, empty);
}

TEST_CASE("gemm gives an element the same bits wherever it is in whatever matrix") {
  SplitMix random{3};
  const int k = 300;
  const Numbers row = random.values(k), column = random.values(k);
  Scalar alone;
  gemm(1, 1, k, {row.data(), k, 1}, {column.data(), 1, 1}, &alone, 1);
  for (int n : {2, 8, 13, 70})
    for (int m : {2, 5, 11, 70}) {
      Numbers a, b, c(static_cast<std::size_t>(m) * n);
      for (int i = 0; i < m; ++i) a.insert(a.end(), row.begin(), row.end());
      for (int j = 0; j < n; ++j) b.insert(b.end(), column.begin(), column.end());
      gemm(m, n, k, {a.data(), k, 1}, {b.data(), 1, k}, c.data(), n);
      CHECK(same_bits(c, Numbers(c.size(), alone)));
    }
}

TEST_CASE("gemm carries NaN and infinity to their row only, and zero times infinity is NaN") {
  const Scalar a[] = {1, 0, infinity, 1, 1, 1}, b[] = {1, 2, infinity, 3, 4, 0};  // (3, 2) · (2, 3)
  Scalar c[9];
  gemm(3, 3, 2, {a, 2, 1}, {b, 3, 1}, c, 3);
  CHECK(c[0] == 1);
  CHECK(c[2] == infinity);
  CHECK(c[3] == infinity);
  CHECK(c[6] == 4);
  const Scalar zero[] = {0, 0};
  gemm(1, 3, 2, {zero, 2, 1}, {b, 3, 1}, c, 3);
  CHECK(c[0] == 0);
  CHECK(c[2] != c[2]);
}

TEST_CASE("gemm_batched equals the single products, whichever operand is shared") {
  const int batch = 5, m = 16, n = 18, k = 33;
  SplitMix random{4};
  const Numbers a = random.values(batch * m * k), b = random.values(batch * k * n),
                start = random.values(batch * m * n);
  for (int a_batch : {0, m * k})
    for (int b_batch : {0, k * n})
      for (Layout layout : {Layout::rows, Layout::columns})
        for (bool add : {false, true}) {
          Numbers c = start, expected = start;
          gemm_batched(batch, m, n, k, matrix(a.data(), m, k, layout), a_batch, matrix(b.data(), k, n, layout), b_batch,
                       c.data(), n, m * n, add);
          for (int i = 0; i < batch; ++i)
            naive(m, n, k, matrix(a.data() + i * a_batch, m, k, layout), matrix(b.data() + i * b_batch, k, n, layout),
                  expected.data() + i * m * n, n, add);
          CHECK(same_bits(c, expected));
        }
}

TEST_CASE("gemm has the same bits on every machine") {
  SplitMix random{5};
  std::uint64_t hash = hash_of("");
  for (int i = 0; i < 100; ++i) {
    const auto layout = [&] { return random.coin() ? Layout::rows : Layout::columns; };
    const Case t{random.up_to(60), random.up_to(60), random.up_to(300), layout(), layout(), random.coin(), 0};
    hash = hash_of(bytes_of(run(t, random.next(), gemm)), hash);
  }
  CHECK(hash == 8523019571129387282ull);
}
