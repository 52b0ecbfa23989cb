#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numeric>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/linalg/linalg.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

using Matrix = Eigen::MatrixXd;
// The first step, a QR of the longer side, without pivots: a third of the code, and the rotations mend what it leaves.
using JacobiSVD = Eigen::JacobiSVD<Matrix, Eigen::HouseholderQRPreconditioner>;

constexpr int most_rows = 4096, most_axes = 256;

bool decomposable(const Shape& shape) {
  if (shape.rank() != 2) return false;
  const auto [fewer, more] = std::minmax({shape[0], shape[1]});
  return fewer >= 1 && fewer <= most_axes && more <= most_rows;
}

void require_matrix(std::string_view operation, const Tensor& A) {
  const Shape& shape = A.shape();
  if (!decomposable(shape)) fail(ErrorCode::shape, "matrix_size_refused", operation, shape, most_rows, most_axes);
  const auto bad = std::ranges::find_if_not(A.values(), [](Scalar value) { return std::isfinite(value); });
  if (bad == A.values().end()) return;
  const auto position = static_cast<std::size_t>(bad - A.values().begin());
  fail(ErrorCode::input, "matrix_value_not_finite", operation, value_name("A", shape, position), *bad);
}

Matrix matrix_of(const Tensor& A) { return Tensor::Matrix(A.data(), A.shape()[0], A.shape()[1]).cast<double>(); }

Tensor tensor_of(const Matrix& values) {
  const Tensor result({static_cast<int>(values.rows()), static_cast<int>(values.cols())});
  Tensor::Matrix(result.data(), values.rows(), values.cols()) = values.cast<Scalar>();
  return result;
}

Tensor tensor_of(const Eigen::VectorXd& values) {
  return tensor_of(Matrix(values)).reshaped({static_cast<int>(values.size())});
}

// The index of the value farthest from 0, the first of several.
Eigen::Index farthest_from_zero(const Eigen::VectorXd& values) {
  Eigen::Index index = 0;
  values.cwiseAbs().maxCoeff(&index);
  return index;
}

struct Decomposed {
  Matrix U, V;
  Eigen::VectorXd sigma;
};

Decomposed decompose(const Matrix& A) {
  const JacobiSVD found(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Decomposed result{found.matrixU(), found.matrixV(), found.singularValues()};
  for (Eigen::Index axis = 0; axis < result.sigma.size(); ++axis) {
    if (result.V(farthest_from_zero(result.V.col(axis)), axis) >= 0) continue;
    result.V.col(axis) *= -1;
    result.U.col(axis) *= -1;
  }
  return result;
}

}  // namespace

QR qr(const Tensor& A) {
  require_matrix("qr", A);
  const Eigen::HouseholderQR<Matrix> found(matrix_of(A));
  const Eigen::Index n = A.shape()[0], k = std::min(A.shape()[0], A.shape()[1]);
  Matrix Q = found.householderQ() * Matrix::Identity(n, k);
  Matrix R = found.matrixQR().topRows(k).triangularView<Eigen::Upper>();
  for (Eigen::Index i = 0; i < k; ++i) {
    if (R(i, i) >= 0) continue;
    R.row(i) *= -1;
    Q.col(i) *= -1;
  }
  return {tensor_of(Q), tensor_of(R)};
}

SVD svd(const Tensor& A) {
  require_matrix("svd", A);
  const Decomposed found = decompose(matrix_of(A));
  return {tensor_of(found.U), tensor_of(found.sigma), tensor_of(found.V)};
}

Tensor singular_values(const Tensor& A) {
  require_matrix("singular_values", A);
  return tensor_of(Eigen::VectorXd(JacobiSVD(matrix_of(A)).singularValues()));
}

Tensor svdvals(Operand A) {
  require_matrix("svdvals", A);
  const auto [U, sigma, V] = svd(A);
  return record({"svdvals", "reduce", "σ({0})"}, sigma,
                Input{A, [U = U, V = V](const Tensor& dy) { return matmul(U * dy, V, Transposed::b); }});
}

Eigenvalues eigenvalues(const Tensor& A) {
  require_matrix("eigenvalues", A);
  if (A.shape()[0] != A.shape()[1]) fail(ErrorCode::shape, "matrix_must_be_square", A.shape());
  const Eigen::VectorXcd found = Eigen::EigenSolver<Matrix>(matrix_of(A), false).eigenvalues();
  // √(re² + im²): of float32 values no square overflows in double.
  const Eigen::VectorXd absolute = found.cwiseAbs2().cwiseSqrt();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(found.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](Eigen::Index i) { return absolute[i]; });
  return {tensor_of(Eigen::VectorXd(found.real()(order))), tensor_of(Eigen::VectorXd(found.imag()(order))),
          tensor_of(Eigen::VectorXd(absolute(order)))};
}

PrincipalAxes principal_axes(const Tensor& A, int count) {
  require_matrix("principal_axes", A);
  const Matrix rows = matrix_of(A);
  const Decomposed found = decompose(rows.rowwise() - rows.colwise().mean());
  const Eigen::VectorXd variances = found.sigma.cwiseAbs2();
  const double total = variances.sum();
  const Eigen::Index axes = std::min<Eigen::Index>(count, found.sigma.size());
  Matrix points = Matrix::Zero(rows.rows(), count);
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(count);
  points.leftCols(axes) = found.U.leftCols(axes) * found.sigma.head(axes).asDiagonal();
  if (total > 0) shares.head(axes) = variances.head(axes) / total;
  return {tensor_of(points), tensor_of(shares)};
}

}  // namespace unroll
