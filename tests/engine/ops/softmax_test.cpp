#include "tests/engine/support/test.h"

const Tensor scores({5}, {1, 5, 2, 1, 1});

TEST_CASE("the five weights of the first lesson") {
  expect(softmax(scores), {5}, {0.016579, 0.905195, 0.045067, 0.016579, 0.016579}, 5e-7);
  expect(sum(softmax(scores)), {}, {1});
}

TEST_CASE("temperature: 0 is the argmax, small is nearly so, large is nearly uniform") {
  expect(softmax(scores, -1, 0), {5}, {0, 1, 0, 0, 0}, 0);
  expect(softmax(scores, -1, 0.1), {5}, {std::exp(-40.0), 1, std::exp(-30.0), std::exp(-40.0), std::exp(-40.0)});
  expect(softmax(scores, -1, 1000), {5}, {0.1998, 0.2006, 0.2, 0.1998, 0.1998}, 1e-4);
  expect(softmax(Tensor({3}, {2, 2, 1}), -1, 0), {3}, {0.5, 0.5, 0}, 0);
}

TEST_CASE("no temperature gives NaN, however small") {
  for (double temperature : {1e-3, 1e-30, 1e-40, 1e-300})
    expect(softmax(scores, -1, temperature), {5}, {0, 1, 0, 0, 0});
}

TEST_CASE("scores of any size stay finite") {
  expect(softmax(Tensor({3}, {1e6, -1e6, 1e6})), {3}, {0.5, 0, 0.5});
  expect(log_softmax(Tensor({2}, {1e6, 0})), {2}, {0, -1e6});
  expect(logsumexp(Tensor({2}, {1e6, 1e6})), {}, {1e6 + std::log(2.0)});
}

TEST_CASE("a row of −∞ gives zeros at every temperature") {
  const Tensor masked({2, 2}, {-infinity, -infinity, 0, -infinity});
  for (double temperature : {0.0, 0.5, 1.0, 1000.0}) expect(softmax(masked, -1, temperature), {2, 2}, {0, 0, 1, 0}, 0);
  expect(log_softmax(masked), {2, 2}, {-HUGE_VAL, -HUGE_VAL, 0, -HUGE_VAL});
  expect(logsumexp(masked), {2}, {-HUGE_VAL, 0});
}

TEST_CASE("no NaN flows back through a row of −∞") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", Tensor({2, 2}, {1, 2, 3, 4}));
  const Tensor masked = x + Tensor({2, 2}, {-infinity, -infinity, 0, -infinity});
  backward(sum(softmax(masked) * Tensor({2}, {1, 2})) + sum(exp(logsumexp(masked))));
  expect(gradient(x), {2, 2}, {0, 0, std::exp(3.0), 0});
}

TEST_CASE("softmax along another axis is softmax of the transposed") {
  Samples random(1);
  const Tensor x = random.tensor({4, 3});
  const Tensor turned = transpose(softmax(transpose(x), 1));
  expect(softmax(x, 0), {4, 3}, {turned.values().begin(), turned.values().end()});
}

TEST_CASE("log_softmax is the logarithm of softmax; logsumexp is what it subtracts") {
  Samples random(2);
  const Tensor x = random.tensor({3, 4});
  const Tensor weights = softmax(x);
  expect(exp(log_softmax(x)), {3, 4}, {weights.values().begin(), weights.values().end()});
  const Tensor difference = x - logsumexp(x, -1, true), direct = log_softmax(x);
  expect(difference, {3, 4}, {direct.values().begin(), direct.values().end()});
}

TEST_CASE("an invalid temperature is refused") {
  CHECK(REFUSAL(config, softmax(scores, -1, -1)) ==
        "[softmax] temperature is -1: use 0 (the argmax) or any positive number.");
  CHECK(REFUSAL(config, softmax(scores, -1, NAN)).starts_with("[softmax] temperature is NaN"));
  CHECK(REFUSAL(config, softmax(scores, -1, HUGE_VAL)).starts_with("[softmax] temperature is ∞"));
}
