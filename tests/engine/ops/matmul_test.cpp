#include "tests/engine/support/test.h"

namespace {

const Tensor a({2, 3}, {1, 2, 3, 4, 5, 6}), b({3, 2}, {7, 8, 9, 10, 11, 12});

// The matrix number `index` of a batch that may have fewer axes than `batch`, or repeat along them.
Tensor matrix_of(const Tensor& x, const Shape& batch, int index) {
  const int rows = x.shape()[-2], columns = x.shape()[-1], count = static_cast<int>(batch.size());
  const Tensor all = reshape(broadcast_to(x, joined(batch, {rows, columns})), {count, rows, columns});
  return reshape(slice(all, 0, index, 1), {rows, columns});
}

}  // namespace

TEST_CASE("a product by hand, plain and transposed") {
  expect(matmul(a, b), {2, 2}, {58, 64, 139, 154});
  expect(matmul(a, transpose(b), Transposed::b), {2, 2}, {58, 64, 139, 154});
  expect(matmul(transpose(a), b, Transposed::a), {2, 2}, {58, 64, 139, 154});
}

TEST_CASE("a vector is a row on the left and a column on the right, whatever is transposed") {
  const Tensor v({3}, {1, 0, 2}), w({2}, {1, -1});
  expect(matmul(a, v), {2}, {7, 16});
  expect(matmul(w, a), {3}, {-3, -3, -3});
  expect(matmul(v, v), {}, {5});
  expect(matmul(a, w, Transposed::a), {3}, {-3, -3, -3});
  expect(matmul(a, v, Transposed::b), {2}, {7, 16});
  expect(matmul(w, a, Transposed::a), {3}, {-3, -3, -3});
  expect(matmul(v, a, Transposed::b), {2}, {7, 16});
  expect(matmul(v, v, Transposed::a), {}, {5});
  CHECK(matmul(Tensor::full({4, 1, 2, 3}, 1), v).shape() == Shape{4, 1, 2});
  CHECK(matmul(w, Tensor::full({4, 1, 2, 3}, 1)).shape() == Shape{4, 1, 3});
}

TEST_CASE("batches broadcast: each matrix is the product of its two operands") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Samples random(seed, 4);
    const Shape batch = random.batch(Shape::max_rank - 2);
    Tensor x = random.tensor(joined(batch, {random.size(), 3}));
    Tensor y = random.tensor(joined(random.broadcast_partner(batch), {3, random.size()}));
    const Tensor z = matmul(x, y), swapped = matmul(transpose(y), transpose(x));
    const Shape whole(std::span<const int>(z.shape().begin(), z.shape().end() - 2));
    for (int i = 0; i < static_cast<int>(whole.size()); ++i) {
      CHECK(same_bits(matrix_of(z, whole, i), matmul(matrix_of(x, whole, i), matrix_of(y, whole, i))));
      CHECK(same_bits(matrix_of(swapped, whole, i), transpose(matrix_of(z, whole, i))));
    }
  }
}

TEST_CASE("sizes of 0") {
  expect(matmul(Tensor({2, 0}), Tensor({0, 3})), {2, 3}, {0, 0, 0, 0, 0, 0});
  CHECK(matmul(Tensor({0, 2}), Tensor({2, 3})).shape() == Shape{0, 3});
}

TEST_CASE("operands that do not fit, also vectors, are refused with both shapes and the sizes") {
  const auto refused = [](const Shape& a, const Shape& b, Transposed transposed = Transposed::none) {
    return REFUSAL(shape, matmul(Tensor(a), Tensor(b), transposed));
  };
  CHECK(refused({3, 4}, {5, 2}) == "[matmul] a is (3, 4), b is (5, 2): inner sizes 4 and 5 differ.");
  CHECK(refused({3, 4}, {3, 5}, Transposed::b) == "[matmul] a is (3, 4), b is (3, 5): inner sizes 4 and 5 differ.");
  CHECK(refused({}, {3, 5}) == "[matmul] a is (), b is (3, 5): use multiply for a scalar.");
  CHECK(refused({2, 3, 4}, {5, 4, 3}) ==
        "[matmul] a is (2, 3, 4), b is (5, 4, 3): sizes 2 and 5 along axis -3 differ and neither is 1.");
  CHECK(refused({2, 5, 3, 4}, {4, 4, 3}) ==
        "[matmul] a is (2, 5, 3, 4), b is (4, 4, 3): sizes 5 and 4 along axis -3 differ and neither is 1.");
  CHECK(refused({3}, {5, 2}) == "[matmul] a is (3), b is (5, 2): inner sizes 3 and 5 differ.");
  CHECK(refused({5, 2}, {3}, Transposed::b) == "[matmul] a is (5, 2), b is (3): inner sizes 2 and 3 differ.");
  CHECK(refused({3}, {4}, Transposed::a) == "[matmul] a is (3), b is (4): inner sizes 3 and 4 differ.");
}
