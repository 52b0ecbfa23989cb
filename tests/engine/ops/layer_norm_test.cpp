#include "tests/engine/support/test.h"

TEST_CASE("layer_norm by hand: mean 2, variance 2/3") {
  const double unit = 1 / std::sqrt(2.0 / 3 + 1e-5);
  const Tensor weight({3}, {1, 2, 3}), bias({3}, {0, 0, 1});
  expect(layer_norm(Tensor({2, 3}, {1, 2, 3, 5, 5, 5}), weight, bias), {2, 3}, {-unit, 0, 3 * unit + 1, 0, 0, 1});
}

TEST_CASE("layer_norm over several axes is layer_norm of the joined axis") {
  const Tensor x({1, 2, 2}, {1, 2, 3, 6}), ones = Tensor::full({2, 2}, 1), zeros = Tensor::full({2, 2}, 0);
  const Tensor joined = layer_norm(reshape(x, {1, 4}), reshape(ones, {4}), reshape(zeros, {4}));
  CHECK(same_bits(layer_norm(x, ones, zeros), reshape(joined, {1, 2, 2})));
}

TEST_CASE("a weight that is not the end of x is refused") {
  CHECK(REFUSAL(shape, layer_norm(Tensor({2, 3}), Tensor({2}), Tensor({2}))) ==
        "[layer_norm] x is (2, 3), weight is (2), bias is (2): weight and bias must have the last sizes of x.");
  CHECK(REFUSAL(shape, layer_norm(Tensor({3}), Tensor({2, 3}), Tensor({2, 3}))).starts_with("[layer_norm]"));
}
