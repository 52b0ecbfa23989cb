#include "tests/engine/support/test.h"

namespace {

const Tensor x({5}, {-2, -0.5, 0, 0.5, 2});

std::vector<double> mapped(double (*f)(double)) {
  std::vector<double> y;
  for (Scalar value : x.values()) y.push_back(f(static_cast<double>(value)));
  return y;
}

}  // namespace

TEST_CASE("functions of one value") {
  expect(exp(x), {5}, mapped(std::exp));
  expect(tanh(x), {5}, mapped(std::tanh));
  expect(erf(x), {5}, mapped(std::erf));
  expect(log(exp(x)), {5}, {-2, -0.5, 0, 0.5, 2});
  expect(sqrt(square(x)), {5}, {2, 0.5, 0, 0.5, 2});
  expect(sigmoid(x), {5}, mapped([](double x) { return 1 / (1 + std::exp(-x)); }));
}

TEST_CASE("activations") {
  expect(relu(x), {5}, {0, 0, 0, 0.5, 2});
  expect(gelu(x), {5}, mapped([](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }));
  expect(gelu_tanh(x), {5}, mapped([](double x) {
           return 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.141592653589793) * (x + 0.044715 * x * x * x)));
         }));
  expect(silu(x), {5}, mapped([](double x) { return x / (1 + std::exp(-x)); }));
  expect(elu(x, 0.5), {5}, mapped([](double x) { return x > 0 ? x : 0.5 * std::expm1(x); }));
  expect(softplus(x), {5}, mapped([](double x) { return std::log1p(std::exp(x)); }));
}

TEST_CASE("the two forms of gelu, as published") {
  expect(gelu(Tensor({2}, {1, -1})), {2}, {0.8413447461, -0.1586552539});
  expect(gelu_tanh(Tensor({2}, {1, -1})), {2}, {0.8411919906, -0.1588080094});
}

TEST_CASE("large values neither overflow nor become NaN") {
  const Tensor large({2}, {-200, 200});
  expect(softplus(large), {2}, {0, 200});
  expect(elu(large), {2}, {-1, 200});
  expect(silu(large), {2}, {0, 200});
  expect(gelu(large), {2}, {0, 200});
  expect(sigmoid(large), {2}, {0, 1});
}

TEST_CASE("relu keeps NaN, so that a mistake shows") {
  CHECK(std::isnan(relu(Tensor::scalar(std::numeric_limits<Scalar>::quiet_NaN())).item()));
}
