#include "engine/linalg/linalg.h"

#include "tests/engine/linalg/numpy_values.h"
#include "tests/engine/support/test.h"

namespace {

const std::vector<Shape> shapes = {{1, 1}, {1, 5}, {6, 1}, {3, 3}, {7, 4}, {4, 7}, {40, 24}, {64, 64}};

Tensor matrix(const Shape& shape, const std::vector<double>& values) {
  return {shape, std::vector<Scalar>(values.begin(), values.end())};
}

// Its rank is 2: the last row is the sum of the others.
Tensor deficient() { return matrix({3, 4}, {1, 2, 3, 4, 2, -1, 0, 5, 3, 1, 3, 9}); }

Tensor identity(int n) {
  Tensor I = Tensor::full({n, n}, 0);
  for (int i = 0; i < n; ++i) I.data()[i * n + i] = 1;
  return I;
}

void expect_orthonormal_columns(const Tensor& Q) { expect_near(matmul(Q, Q, Transposed::a), identity(Q.shape()[1])); }

void expect_falling(const Tensor& values) {
  for (std::size_t i = 1; i < values.size(); ++i) CHECK(values.data()[i - 1] >= values.data()[i]);
  CHECK(values.values().back() >= 0);
}

// U · diag(sigma) · Vᵀ
Tensor product(const SVD& found) { return matmul(found.U * found.sigma, found.V, Transposed::b); }

double sum_of_squares(const Tensor& x) { return norm(x) * norm(x); }

}  // namespace

TEST_CASE("QR: Q has orthonormal columns, R is upper triangular with a diagonal of 0 or more, and Q R is A") {
  Samples samples(1);
  for (const Shape& shape : shapes) {
    CAPTURE(text_of(shape));
    const Tensor A = samples.tensor(shape);
    const auto [Q, R] = qr(A);
    const int k = std::min(shape[0], shape[1]);
    CHECK(Q.shape() == Shape{shape[0], k});
    CHECK(R.shape() == Shape{k, shape[1]});
    expect_orthonormal_columns(Q);
    expect_near(matmul(Q, R), A, 2e-6);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j <= i; ++j) CHECK((j < i ? R.data()[i * shape[1] + j] == 0 : R.data()[i * shape[1] + i] >= 0));
  }
}

TEST_CASE("SVD: orthonormal columns, falling singular values, whose product is A, and a sign that V fixes") {
  Samples samples(2);
  for (const Shape& shape : shapes) {
    CAPTURE(text_of(shape));
    const Tensor A = samples.tensor(shape);
    const SVD found = svd(A);
    const int k = std::min(shape[0], shape[1]);
    CHECK(found.U.shape() == Shape{shape[0], k});
    CHECK(found.V.shape() == Shape{shape[1], k});
    expect_orthonormal_columns(found.U);
    expect_orthonormal_columns(found.V);
    expect_falling(found.sigma);
    expect_near(product(found), A, 2e-6);
    expect_near(singular_values(A), found.sigma);
    expect_near(svdvals(A), found.sigma, 0);
    const Tensor largest = max(abs(found.V), 0), highest = max(found.V, 0);
    expect_near(largest, highest, 0);
  }
}

TEST_CASE("the largest singular value is the most by which A makes a vector longer, the smallest the least") {
  Samples samples(3);
  const Tensor A = samples.tensor({5, 5}), sigma = singular_values(A);
  for (int i = 0; i < 200; ++i) {
    const Tensor x = samples.tensor({5});
    const double factor = norm(matmul(A, x)) / norm(x);
    CHECK(factor <= static_cast<double>(sigma.data()[0]) + 1e-6);
    CHECK(factor >= static_cast<double>(sigma.data()[4]) - 1e-6);
  }
  const SVD found = svd(A);
  const Tensor most = slice(transpose(found.V), 0, 0, 1).reshaped({5});
  CHECK(norm(matmul(A, most)) == doctest::Approx(static_cast<double>(sigma.data()[0])));
}

TEST_CASE(
    "singular values: their squares sum to those of A; those of a product with an orthogonal matrix are the same") {
  Samples samples(4);
  const Tensor A = samples.tensor({6, 4}), sigma = singular_values(A);
  CHECK(sum_of_squares(sigma) == doctest::Approx(sum_of_squares(A)));
  const Tensor Q = qr(samples.tensor({6, 6})).Q;
  expect_near(singular_values(matmul(Q, A)), sigma, 2e-6);
  expect_near(singular_values(transpose(A)), sigma);
  expect_near(singular_values(3 * Q), Tensor::full({6}, 3), 2e-6);
}

TEST_CASE("a matrix of less than full rank, one of zeros, and very large and very small values") {
  const SVD found = svd(deficient());
  CHECK(std::abs(found.sigma.data()[2]) < 1e-6);
  CHECK(found.sigma.data()[1] > 1);
  expect_near(product(found), deficient(), 2e-6);
  const auto [Q, R] = qr(deficient());
  expect_orthonormal_columns(Q);
  expect_near(matmul(Q, R), deficient(), 2e-6);

  const Tensor zero = Tensor::full({3, 2}, 0);
  expect(singular_values(zero), {2}, {0, 0}, 0);
  expect_orthonormal_columns(svd(zero).U);
  expect(qr(zero).R, {2, 2}, {0, 0, 0, 0}, 0);
  expect(eigenvalues(Tensor::full({2, 2}, 0)).absolute, {2}, {0, 0}, 0);
  expect(principal_axes(zero, 2).points, {3, 2}, {0, 0, 0, 0, 0, 0}, 0);
  expect(principal_axes(zero, 2).shares, {2}, {0, 0}, 0);

  for (const Scalar scale : {Scalar(1e-30), Scalar(1e30)}) {
    const Tensor A = scale * deficient();
    expect_near(singular_values(A) / scale, found.sigma, 2e-6);
    expect_near(eigenvalues(scale * identity(2)).absolute / scale, Tensor::full({2}, 1));
  }
}

TEST_CASE("eigenvalues: of a diagonal, a rotation, a defective and a companion matrix; trace and determinant") {
  const Eigenvalues diagonal = eigenvalues(matrix({3, 3}, {2, 0, 0, 0, -5, 0, 0, 0, 0.5}));
  expect(diagonal.real, {3}, {-5, 2, 0.5});
  expect(diagonal.absolute, {3}, {5, 2, 0.5});
  const Eigenvalues turn = eigenvalues(matrix({2, 2}, {0.6, -0.8, 0.8, 0.6}));  // cos ± i sin
  expect(turn.real, {2}, {0.6, 0.6});
  expect(turn.imaginary, {2}, {0.8, -0.8});
  expect(turn.absolute, {2}, {1, 1});
  expect(eigenvalues(matrix({2, 2}, {1, 1, 0, 1})).real, {2}, {1, 1});
  // x³ − 6x² + 11x − 6 = (x − 1)(x − 2)(x − 3)
  expect(eigenvalues(matrix({3, 3}, {6, -11, 6, 1, 0, 0, 0, 1, 0})).real, {3}, {3, 2, 1}, 1e-5);
  Samples samples(5);
  const Tensor A = samples.tensor({7, 7});
  CHECK(sum(eigenvalues(A).real).item() == doctest::Approx(sum(A * identity(7)).item()).epsilon(1e-5));
  CHECK(sum(eigenvalues(A).imaginary).item() == doctest::Approx(0));
  double largest = 1, singular = 1;  // |det A| is the product of either
  for (int i = 0; i < 7; ++i) {
    largest *= static_cast<double>(eigenvalues(A).absolute.data()[i]);
    singular *= static_cast<double>(singular_values(A).data()[i]);
  }
  CHECK(largest == doctest::Approx(singular).epsilon(1e-4));
}

TEST_CASE("principal axes: means of 0, variance shares as in the data, and the same points from a turned cloud") {
  Samples samples(6);
  const Tensor A = samples.tensor({9, 4}) * matrix({4}, {3, 1, 0.3, 0.1}) + 7;
  const auto [points, shares] = principal_axes(A, 2);
  expect_near(mean(points, 0), Tensor::full({2}, 0), 1e-5);
  const Tensor centred = A - mean(A, 0);
  for (int axis = 0; axis < 2; ++axis)
    CHECK(sum_of_squares(slice(points, 1, axis, 1)) / sum_of_squares(centred) ==
          doctest::Approx(static_cast<double>(shares.data()[axis])).epsilon(1e-4));
  const Tensor Q = qr(samples.tensor({4, 4})).Q, turned = principal_axes(matmul(A, Q), 2).points;
  expect_near(abs(turned), abs(points), 2e-5);
  const auto [line, all] = principal_axes(matrix({3, 1}, {1, 2, 6}), 2);  // one axis only
  expect(line, {3, 2}, {-2, 0, -1, 0, 3, 0});
  expect(all, {2}, {1, 0});
  expect(principal_axes(matrix({1, 3}, {1, 2, 3}), 2).points, {1, 2}, {0, 0});
}

TEST_CASE("the values of NumPy") {
  const Tensor tall = matrix({5, 3}, numpy::tall), square = matrix({4, 4}, numpy::square);
  expect(qr(tall).Q, {5, 3}, numpy::tall_Q, 1e-6);
  expect(qr(tall).R, {3, 3}, numpy::tall_R, 1e-6);
  expect(singular_values(tall), {3}, numpy::tall_singular_values, 1e-6);
  expect(principal_axes(tall, 2).points, {5, 2}, numpy::tall_points, 1e-6);
  expect(principal_axes(tall, 2).shares, {2}, numpy::tall_shares, 1e-6);
  expect(singular_values(square), {4}, numpy::square_singular_values, 1e-6);
  expect(eigenvalues(square).real, {4}, numpy::square_eigenvalues_real, 1e-6);
  expect(eigenvalues(square).imaginary, {4}, numpy::square_eigenvalues_imaginary, 1e-6);
  expect(eigenvalues(square).absolute, {4}, numpy::square_eigenvalues_absolute, 1e-6);
  Tensor large({40, 24});
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 24; ++j) large.data()[24 * i + j] = static_cast<Scalar>((7 * i + 3 * j + i * j) % 97 - 5);
  expect(singular_values(large), {24}, numpy::long_singular_values, 1e-6);
  expect(principal_axes(large, 2).points, {40, 2}, numpy::long_points, 1e-6);
  expect(principal_axes(large, 2).shares, {2}, numpy::long_shares, 1e-6);
}

TEST_CASE("what is no matrix, too large, not square or not finite is refused in a sentence") {
  CHECK(REFUSAL(shape, qr(Tensor({3}))) ==
        "[qr] A is (3): use a matrix with 1 to 4096 rows and columns, the fewer of them at most 256.");
  CHECK(REFUSAL(shape, svd(Tensor({0, 3}))).starts_with("[svd] A is (0, 3): use a matrix with 1 to 4096"));
  CHECK(REFUSAL(shape, singular_values(Tensor({257, 257}))).starts_with("[singular_values] A is (257, 257): use"));
  CHECK(REFUSAL(shape, principal_axes(Tensor({4097, 2}), 2)).starts_with("[principal_axes] A is (4097, 2): use"));
  CHECK(REFUSAL(shape, eigenvalues(Tensor::full({2, 3}, 1))) == "[eigenvalues] A is (2, 3): it must be square.");
  CHECK(REFUSAL(shape, svdvals(Tensor({2, 3, 4}))).starts_with("[svdvals] A is (2, 3, 4): use a matrix"));
  Tensor A = Tensor::full({2, 3}, 1);
  A.data()[5] = NAN;
  CHECK(REFUSAL(input, svd(A)) == "[svd] A[1, 2] is NaN: use a matrix whose values are all finite.");
  A.data()[1] = infinity;
  CHECK(REFUSAL(input, qr(A)) == "[qr] A[0, 1] is ∞: use a matrix whose values are all finite.");
}
