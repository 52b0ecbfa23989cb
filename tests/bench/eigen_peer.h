#pragma once

// Like bench_gemm, but by Eigen with every instruction of this machine.
void eigen_gemm(int batch, int m, int k, int n, int transposed_a, int transposed_b, const float* a, const float* b,
                float* c);
