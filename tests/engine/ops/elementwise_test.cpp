#include "tests/engine/support/test.h"

namespace {

// The value that x, broadcast to y by NumPy's rule, has at y's flat index.
Scalar at_place(const Tensor& x, const Shape& y, std::size_t flat) {
  std::size_t place = 0, step = 1;
  for (int back = 1; back <= y.rank(); ++back) {
    const std::size_t index = flat % static_cast<std::size_t>(y[-back]);
    flat /= static_cast<std::size_t>(y[-back]);
    if (back > x.rank()) continue;
    if (x.shape()[-back] != 1) place += index * step;
    step *= static_cast<std::size_t>(x.shape()[-back]);
  }
  return x.data()[place];
}

const Tensor x({5}, {-2, -0.5, 0, 0.5, 2});

std::vector<double> mapped(double (*f)(double)) {
  std::vector<double> y;
  for (Scalar value : x.values()) y.push_back(f(static_cast<double>(value)));
  return y;
}

}  // namespace

TEST_CASE("a matrix with a row, a column and a number; empty operands give empty results") {
  const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
  expect(x + Tensor({3}, {10, 20, 30}), {2, 3}, {11, 22, 33, 14, 25, 36});
  expect(x - Tensor({2, 1}, {1, 2}), {2, 3}, {0, 1, 2, 2, 3, 4});
  expect(2 * x, {2, 3}, {2, 4, 6, 8, 10, 12});
  expect(x / 2, {2, 3}, {0.5, 1, 1.5, 2, 2.5, 3});
  expect(-x, {2, 3}, {-1, -2, -3, -4, -5, -6});
  CHECK((Tensor({0, 3}) + Tensor({3}, {1, 2, 3})).shape() == Shape{0, 3});
  CHECK((Tensor({2, 0}) * 3).shape() == Shape{2, 0});
}

TEST_CASE("a bias is added to every row, and is as long as a row") {
  expect(add_bias(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}), Tensor({3}, {10, 20, 30})), {2, 3}, {11, 22, 33, 14, 25, 36});
  CHECK(REFUSAL(shape, add_bias(Tensor({2, 3}), Tensor({2}))) ==
        "[add_bias] product is (2, 3), bias is (2): bias must have the last size of product.");
  CHECK(REFUSAL(shape, add_bias(Tensor({3}), Tensor({1, 3}))) ==
        "[add_bias] product is (3), bias is (1, 3): bias must have the last size of product.");
}

TEST_CASE("every pair of shapes broadcasts as in a loop that follows NumPy's rule") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Samples random(seed, 4);
    const Shape shape = random.shape(0, Shape::max_rank);
    Tensor a = random.tensor(shape), b = random.tensor(random.broadcast_partner(shape));
    for (int axis = 0; axis < a.rank(); ++axis)
      if (axis >= a.rank() - b.rank() && random.below(4) == 0)
        a = random.tensor(a.shape().with(axis, 1));  // now both may broadcast
    if (random.coin()) std::swap(a, b);
    const Tensor y = a - b;
    CHECK(y.shape() == broadcast("subtract", a.shape(), b.shape()));
    for (std::size_t i = 0; i < y.size(); ++i)
      CHECK(y.data()[i] == at_place(a, y.shape(), i) - at_place(b, y.shape(), i));
  }
}

TEST_CASE("relations give 1 and 0") {
  const Tensor x({3}, {1, 2, 3});
  expect(equal(x, 2), {3}, {0, 1, 0});
  expect(greater(x, 2), {3}, {0, 0, 1});
}

TEST_CASE("where takes nothing from the operand that is not chosen, not even infinity") {
  const Tensor condition({3}, {1, 0, 1}), a({3}, {1, infinity, 3}), b({3}, {-infinity, 5, 6});
  expect(where(condition, a, b), {3}, {1, 5, 3});
  expect(where(Tensor({2, 1}, {0, 1}), Tensor({2}, {1, 2}), 9), {2, 2}, {9, 9, 1, 2});
}

TEST_CASE("operands that do not fit are refused by name") {
  const Tensor a({2, 3}), b({4});
  const std::string rest = "] a is (2, 3), b is (4): sizes 3 and 4 along axis -1 differ and neither is 1.";
  CHECK(REFUSAL(shape, a + b) == "[add" + rest);
  CHECK(REFUSAL(shape, a - b) == "[subtract" + rest);
  CHECK(REFUSAL(shape, a * b) == "[multiply" + rest);
  CHECK(REFUSAL(shape, a / b) == "[divide" + rest);
  CHECK(REFUSAL(shape, where(1, a, b)) == "[where" + rest);
  CHECK(REFUSAL(shape, where(b, a, Tensor({3}))) ==
        "[where] condition is (4), its choice is (2, 3): sizes 4 and 3 along axis -1 differ and neither is 1.");
}

TEST_CASE("functions of one value") {
  expect(exp(x), {5}, mapped(std::exp));
  expect(tanh(x), {5}, mapped(std::tanh));
  expect(erf(x), {5}, mapped(std::erf));
  expect(log(exp(x)), {5}, {-2, -0.5, 0, 0.5, 2});
  expect(sqrt(square(x)), {5}, {2, 0.5, 0, 0.5, 2});
  expect(sigmoid(x), {5}, mapped([](double x) { return 1 / (1 + std::exp(-x)); }));
}

TEST_CASE("activations, the two forms of gelu as published") {
  expect(relu(x), {5}, {0, 0, 0, 0.5, 2});
  expect(gelu(x), {5}, mapped([](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }));
  expect(gelu_tanh(x), {5}, mapped([](double x) {
           return 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.141592653589793) * (x + 0.044715 * x * x * x)));
         }));
  expect(silu(x), {5}, mapped([](double x) { return x / (1 + std::exp(-x)); }));
  expect(elu(x, 0.5), {5}, mapped([](double x) { return x > 0 ? x : 0.5 * std::expm1(x); }));
  expect(softplus(x), {5}, mapped([](double x) { return std::log1p(std::exp(x)); }));
  expect(gelu(Tensor({2}, {1, -1})), {2}, {0.8413447461, -0.1586552539});
  expect(gelu_tanh(Tensor({2}, {1, -1})), {2}, {0.8411919906, -0.1588080094});
}

TEST_CASE("large values neither overflow nor become NaN, and relu keeps NaN, so that a mistake shows") {
  const Tensor large({2}, {-200, 200});
  expect(softplus(large), {2}, {0, 200});
  expect(elu(large), {2}, {-1, 200});
  expect(silu(large), {2}, {0, 200});
  expect(gelu(large), {2}, {0, 200});
  expect(sigmoid(large), {2}, {0, 1});
  CHECK(std::isnan(relu(Tensor::scalar(std::numeric_limits<Scalar>::quiet_NaN())).item()));
}
