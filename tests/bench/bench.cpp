#include "tests/bench/bench.h"

#include <cmath>

#include "engine/kernels/functions.h"
#include "engine/kernels/gemm.h"

extern "C" {

void bench_gemm(int batch, int m, int k, int n, int transposed_a, int transposed_b, const float* a, const float* b,
                float* c) {
  using unroll::kernels::Matrix;
  const Matrix left = transposed_a ? Matrix{a, 1, m} : Matrix{a, k, 1};
  const Matrix right = transposed_b ? Matrix{b, 1, k} : Matrix{b, n, 1};
  unroll::kernels::gemm_batched(batch, m, n, k, left, m * k, right, k * n, c, n, m * n);
}

void bench_exp(int n, const float* x, float* y) { unroll::kernels::exp(x, y, n); }

// The standard library's, one value at a time.
void bench_exp_libm(int n, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}
}
