#include "tests/bench/bench.h"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "engine/kernels/functions.h"
#include "engine/kernels/gemm.h"
#include "engine/kernels/lanes.h"
#include "engine/kernels/parallel.h"
#include "engine/tensor/pool.h"

namespace {

constexpr int columns = 2, rows = 4, readers = 8;

// Sums of products, as many at a time as in a tile of the matrix product, which stay in registers; the operands, which
// change in every round, are read from the nearest cache.
UNROLL_HOT float in_registers(int rounds) {
  using unroll::WideLanes;
  WideLanes operands[2][columns + rows];
  for (auto& round : operands)
    for (WideLanes& each : round) each = WideLanes{} + 1.0f / rounds;
  WideLanes sums[columns][rows] = {};
  for (; rounds > 0; --rounds) {
    const WideLanes *x = operands[rounds & 1], *y = x + columns;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) sums[j][i] += x[j] * y[i];
  }
  float sum = 0;
  for (const auto& column : sums)
    for (const WideLanes& each : column) sum += each[0];
  return sum;
}

Work& as_work(void* work) { return *static_cast<Work*>(work); }

}  // namespace

extern "C" {

float bench_run(void* work) { return as_work(work).run(); }
const float* bench_values(void* work, int i) { return as_work(work).values.at(i).data(); }
int bench_count(void* work) { return static_cast<int>(as_work(work).values.size()); }
int bench_size(void* work, int i) { return static_cast<int>(as_work(work).values.at(i).size()); }
double bench_multiply_adds(void* work) { return as_work(work).multiply_adds(); }
void bench_delete(void* work) { delete &as_work(work); }

float bench_read_values(void* work) {
  float sum = 0;
  for (const unroll::Tensor& value : as_work(work).values)
    sum += bench_read(value.data(), static_cast<int>(value.size()));
  return sum;
}

double bench_bytes() { return static_cast<double>(unroll::pool_stats().reserved); }

void bench_gemm(int batch, int m, int k, int n, int transposed_a, int transposed_b, const float* a, const float* b,
                float* c) {
  using unroll::kernels::Matrix;
  const Matrix left = transposed_a ? Matrix{a, 1, m} : Matrix{a, k, 1};
  const Matrix right = transposed_b ? Matrix{b, 1, k} : Matrix{b, n, 1};
  unroll::kernels::gemm_batched(batch, m, n, k, left, m * k, right, k * n, c, n, m * n);
}

void bench_exp(int n, const float* x, float* y) { unroll::kernels::exp(x, y, n); }

void bench_set_threads(int count) { unroll::set_threads(count); }

int bench_multiply_adds_in_round() { return columns * rows * unroll::wide_count; }

float bench_registers(int rounds) {
  const int threads = unroll::threads();
  float sums[unroll::max_threads] = {};
  unroll::for_each_row(threads, 1, 0, [&](std::size_t i) { sums[i] = in_registers(rounds / threads); });
  return std::accumulate(sums, sums + threads, 0.0f);
}

float bench_read(const float* x, int n) {
  constexpr int step = readers * unroll::wide_count;
  unroll::WideLanes sums[readers] = {};
  for (const float* const end = x + n / step * step; x != end; x += step)
    for (int i = 0; i < readers; ++i) sums[i] += unroll::load<unroll::WideLanes>(x + i * unroll::wide_count);
  for (int i = 1; i < readers; ++i) sums[0] += sums[i];
  float sum = 0;
  for (int lane = 0; lane < unroll::wide_count; ++lane) sum += sums[0][lane];
  return sum;
}

// The standard library's, one value at a time.
void bench_exp_libm(int n, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}
}
