#include "engine/nn/layers/embedding.h"
#include "engine/nn/layers/linear.h"
#include "tests/engine/support/test.h"

TEST_CASE("Linear by hand, over any axes") {
  const Linear layer(Tensor({2, 3}, {1, 0, 2, 0, 1, 0}), Tensor({2}, {10, 20}));
  expect(layer(Tensor({3}, {1, 2, 3})), {2}, {17, 22});
  expect(layer(Tensor({1, 1, 3}, {1, 2, 3})), {1, 1, 2}, {17, 22});
  expect(Linear(layer.weight, Tensor())(Tensor({3}, {1, 2, 3})), {2}, {7, 2});
}

TEST_CASE("Linear declares a weight within Glorot's bound and a bias of 0") {
  Parameters parameters(3);
  const Linear layer(parameters, "layer", 20, 30);
  const double bound = std::sqrt(6.0 / 50);
  double largest = 0;
  for (Scalar w : layer.weight.values()) largest = std::max(largest, std::abs(static_cast<double>(w)));
  CHECK(largest <= bound);
  CHECK(largest > 0.95 * bound);
  expect(sum(layer.bias * layer.bias), {}, {0});
  CHECK(parameters.count() == 630);
  CHECK(parameters.find("layer.weight")->value.shape() == Shape{30, 20});
  Parameters others(3);
  CHECK(Linear(others, "layer", 20, 30, false).bias.operator bool() == false);
}

TEST_CASE("a parameter's initial values depend only on the seed and its name") {
  Parameters one(3), two(3), three(4);
  one.declare("first", {2}, normal(1));
  const Tensor a = one.declare("w", {5}, normal(1));
  CHECK(same_bits(a, two.declare("w", {5}, normal(1))));
  CHECK_FALSE(same_bits(a, three.declare("w", {5}, normal(1))));
  CHECK(REFUSAL(internal, one.declare("w", {5}, constant(0))) == "The parameter w is declared twice.");
  CHECK(REFUSAL(config, one.declare("v", {2}, from_values({1, 2, 3}))) ==
        "3 values are given for a tensor of shape (2): give 2.");
  CHECK(one.find("v") == nullptr);
}

TEST_CASE("Embedding looks up rows; the padding row gets no gradient") {
  const Tensor weight({3, 2}, {1, 2, 3, 4, 5, 6});
  expect(Embedding(weight)(Tensor({2, 2}, {2, 0, 0, 1})), {2, 2, 2}, {5, 6, 1, 2, 1, 2, 3, 4});

  LiveTape tape(Tape::Detail::trace);
  const Tensor watched = input("weight", weight, Role::parameter);
  const Tensor y = Embedding(watched, 0)(Tensor({3}, {2, 0, 2}));
  expect(y, {3, 2}, {5, 6, 1, 2, 5, 6});
  backward(sum(y));
  expect(gradient(watched), {3, 2}, {0, 0, 0, 0, 2, 2});
}
