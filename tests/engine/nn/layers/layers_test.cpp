#include "engine/nn/layers/position_wise.h"
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

TEST_CASE("a norm starts as plain layer_norm or rms_norm, with and without a bias") {
  const Tensor x({2, 3}, {1, 2, 3, -1, 0, 4}), ones = Tensor::full({3}, 1), zeros = Tensor::full({3}, 0);
  Parameters parameters(1);
  const Norm layer(NormKind::layer, parameters, "layer", 3), rms(NormKind::rms, parameters, "rms", 3);
  CHECK(same_bits(layer(x), layer_norm(x, ones, zeros)));
  CHECK(same_bits(rms(x), rms_norm(x, ones)));
  CHECK(parameters.count() == 9);
  CHECK(parameters.find("layer.bias") != nullptr);
  CHECK(parameters.find("rms.bias") == nullptr);
}

namespace {

const Tensor x({1, 2}, {1, -2});
const Linear W_1(Tensor({3, 2}, {1, 0, 0, 1, 1, 1}), Tensor({3}, {0, 1, 2}));  // W_1 x + b_1 = (1, −1, 1)
const Linear W_2(Tensor({1, 3}, {1, 10, 100}), Tensor({1}, {1000}));

double value(Activation activation) { return FeedForward(activation, W_1, W_2)(x).item(); }

const Tensor ones = Tensor::full({50, 40}, 1);

Tensor dropped(std::uint64_t seed, int step, double rate = 0.25) {
  const DropoutStep dropping(seed, step);
  return dropout(ones, rate);
}

}  // namespace

TEST_CASE("feed-forward networks by hand, swiglu as silu of one projection times another, and their parameters") {
  CHECK(value(Activation::relu) == 1101);
  CHECK(value(Activation::gelu) == doctest::Approx(1000 + 101 * 0.8413447 - 10 * 0.1586553));
  CHECK(value(Activation::gelu_tanh) == doctest::Approx(1000 + 101 * 0.8411920 - 10 * 0.1588080));
  const Linear none_1(W_1.weight, Tensor()), none_2(W_2.weight, Tensor());
  const Linear V(Tensor({3, 2}, {2, 0, 0, 3, 0, 0}), Tensor());  // W_1 x = (1, −2, −1), V x = (2, −6, 0)
  const double silu_of_1 = 0.7310586, silu_of_minus_2 = -0.2384058;
  const Tensor y = FeedForward(Activation::swiglu, none_1, none_2, V)(x);
  CHECK(y.item() == doctest::Approx(2 * silu_of_1 - 60 * silu_of_minus_2));
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

TEST_CASE("outside a training step, and at rate 0, nothing is dropped; what is kept in one has the gradient") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", ones);
  const std::size_t before = tape.nodes().size();
  CHECK(same_bits(dropout(x, 0.5), ones));
  {
    const DropoutStep dropping(1, 1);
    CHECK(same_bits(dropout(x, 0), ones));
  }
  CHECK(same_bits(dropout(x, 0.5), ones));
  CHECK(tape.nodes().size() == before);
  LiveTape training(Tape::Detail::training);
  const DropoutStep dropping(3, 7);
  const Tensor w = input("w", ones, Role::parameter), y = dropout(w, 0.25);
  backward(sum(y));
  CHECK(same_bits(gradient(w), y));
}

TEST_CASE("a fraction of the values is 0, by seed, step and place alone, and the others grow to keep the mean") {
  const Tensor y = dropped(3, 7);
  const auto zeros = std::ranges::count(y.values(), Scalar(0)), kept = std::ranges::count(y.values(), Scalar(1 / 0.75));
  CHECK(zeros + kept == 2000);
  CHECK(zeros > 420);  // expected: 500, standard deviation 19
  CHECK(zeros < 580);
  CHECK(same_bits(dropped(3, 7), dropped(3, 7)));
  CHECK(!same_bits(dropped(3, 7), dropped(4, 7)));
  CHECK(!same_bits(dropped(3, 7), dropped(3, 8)));
  const DropoutStep dropping(3, 7);
  const Tensor first = dropout(ones, 0.25), second = dropout(ones, 0.25);
  CHECK(same_bits(first, dropped(3, 7)));
  CHECK(!same_bits(first, second));
  const DropoutStep anew(3, 7);
  dropout(Tensor::full({2}, 1), 0.25);  // whatever the size of the previous one
  CHECK(same_bits(dropout(ones, 0.25), second));
}
