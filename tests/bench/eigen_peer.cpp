// A peer of native.cpp: products by Eigen.

// The engine's Eigen is compiled without vectorisation; another namespace keeps the two apart in one program.
#define Eigen EigenPeer
#include <Eigen/Core>

using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In = Eigen::Map<const Rows>;

void eigen_gemm(int batch, int m, int k, int n, int transposed_a, int transposed_b, const float* a, const float* b,
                float* c) {
  for (int i = 0; i < batch; ++i, a += m * k, b += k * n, c += m * n) {
    Eigen::Map<Rows> out(c, m, n);
    if (transposed_a)
      out.noalias() = In(a, k, m).transpose() * In(b, k, n);
    else if (transposed_b)
      out.noalias() = In(a, m, k) * In(b, n, k).transpose();
    else
      out.noalias() = In(a, m, k) * In(b, k, n);
  }
}
