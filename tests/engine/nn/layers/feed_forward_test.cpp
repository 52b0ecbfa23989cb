#include "engine/nn/layers/feed_forward.h"

#include "tests/engine/support/test.h"

namespace {

const Tensor x({1, 2}, {1, -2});
const Linear W_1(Tensor({3, 2}, {1, 0, 0, 1, 1, 1}), Tensor({3}, {0, 1, 2}));  // W_1 x + b_1 = (1, −1, 1)
const Linear W_2(Tensor({1, 3}, {1, 10, 100}), Tensor({1}, {1000}));

double value(Activation activation) { return FeedForward(activation, W_1, W_2)(x).item(); }

}  // namespace

TEST_CASE("feed-forward networks by hand") {
  CHECK(value(Activation::relu) == 1101);
  CHECK(value(Activation::gelu) == doctest::Approx(1000 + 101 * 0.8413447 - 10 * 0.1586553));
  CHECK(value(Activation::gelu_tanh) == doctest::Approx(1000 + 101 * 0.8411920 - 10 * 0.1588080));
}

TEST_CASE("swiglu by hand: silu of one projection times another") {
  const Linear none_1(W_1.weight, Tensor()), none_2(W_2.weight, Tensor());
  const Linear V(Tensor({3, 2}, {2, 0, 0, 3, 0, 0}), Tensor());  // W_1 x = (1, −2, −1), V x = (2, −6, 0)
  const double silu_of_1 = 0.7310586, silu_of_minus_2 = -0.2384058;
  const Tensor y = FeedForward(Activation::swiglu, none_1, none_2, V)(x);
  CHECK(y.item() == doctest::Approx(2 * silu_of_1 - 60 * silu_of_minus_2));
}

TEST_CASE("the parameters of a feed-forward network") {
  Parameters parameters(1);
  const FeedForward relu(Activation::relu, parameters, "relu", 4, 6);
  CHECK(parameters.count() == 6 * 4 + 6 + 4 * 6 + 4);
  const FeedForward swiglu(Activation::swiglu, parameters, "swiglu", 4, 6);
  CHECK(parameters.count() == 58 + 3 * 4 * 6);
  CHECK(parameters.find("swiglu.V.weight")->value.shape() == Shape{6, 4});
  CHECK(parameters.find("swiglu.W_2.weight")->value.shape() == Shape{4, 6});
  CHECK(parameters.find("swiglu.W_1.bias") == nullptr);
  CHECK(relu(Tensor::full({2, 3, 4}, 1)).shape() == Shape{2, 3, 4});
}
