#include "engine/train/optimiser.h"

#include "tests/engine/support/test.h"

namespace {

// The parameter (1, −2) after each of `steps` steps with the gradient (0.5, −4).
Tensor after(Optimiser& optimiser, int steps) {
  const Tensor w({2}, {1, -2});
  for (int i = 0; i < steps; ++i) optimiser.step({w}, {Tensor({2}, {0.5, -4})});
  return w;
}
Tensor after(Optimiser&& optimiser, int steps) { return after(optimiser, steps); }

Schedule schedule(const char* kind, double warmup, double steps) {
  return Schedule(Config{{"schedule", kind}, {"warmup", warmup}, {"steps", steps}});
}

}  // namespace

TEST_CASE("gradient descent: w − η g; with momentum the second step is 1 + μ times as long, and Nesterov looks ahead") {
  expect(after(Sgd(0.1), 1), {2}, {0.95, -1.6});
  expect(after(Sgd(0.1), 2), {2}, {0.9, -1.2});
  expect(after(Sgd(0.1, 0.9), 1), {2}, {0.95, -1.6});
  expect(after(Sgd(0.1, 0.9), 2), {2}, {0.95 - 0.095, -1.6 + 0.76});
  expect(after(Sgd(0.1, 0.9, true), 1), {2}, {1 - 0.1 * 1.9 * 0.5, -2 + 0.1 * 1.9 * 4});
  expect(after(Sgd(0.1, 0.9, true), 2), {2}, {1 - 0.1 * (1.9 + 2.71) * 0.5, -2 + 0.1 * (1.9 + 2.71) * 4});
}

TEST_CASE("Adam: with a constant gradient each step has length η; it decays through the gradient, AdamW directly") {
  expect(after(Adam(0.1), 1), {2}, {0.9, -1.9});
  expect(after(Adam(0.1), 5), {2}, {0.5, -1.5}, 1e-5);
  expect(after(AdamW(0.1, 0.9, 0.999, 1e-8, 0.5), 1), {2}, {0.95 - 0.1, -1.9 + 0.1});
  expect(after(Adam(0.1, 0.9, 0.999, 1e-8, 0.5), 1), {2}, {0.9, -1.9});
  expect(after(Sgd(0.1, 0, false, 0.5), 1), {2}, {1 - 0.1 * (0.5 + 0.5), -2 + 0.1 * (4 + 1)});
}

TEST_CASE("RMSProp and Adagrad: the step is scaled by past gradients") {
  expect(after(RmsProp(0.1, 0.75), 1), {2}, {1 - 0.2, -2 + 0.2});
  expect(after(Adagrad(0.1), 1), {2}, {0.9, -1.9});
  expect(after(Adagrad(0.1), 2), {2}, {0.9 - 0.1 / std::sqrt(2), -1.9 + 0.1 / std::sqrt(2)});
}

TEST_CASE("without a gradient a parameter does not change; the others keep their state") {
  const Tensor a({1}, {1}), b({1}, {1});
  Adam adam(0.1);
  adam.step({a, b}, {Tensor(), Tensor({1}, {3})});
  expect(a, {1}, {1});
  expect(b, {1}, {0.9});
}

TEST_CASE("the step after a billion others is as fast as the first") {
  const Tensor w({1}, {1}), zero = Tensor::full({1}, 0);
  Adam adam(0.1);
  adam.restore_state({zero.copy(), zero.copy()}, 999'999'999);
  adam.step({w}, {Tensor({1}, {1})});
  CHECK(std::isfinite(w.item()));
}

TEST_CASE("clipping by the global norm") {
  const Tensor a({2}, {3, 0}), b({1}, {4});
  const double norm = gradient_norm({a, Tensor(), b});
  CHECK(norm == doctest::Approx(5));
  CHECK(clip_factor(norm, 10) == 1);
  CHECK(clip_factor(norm, 1) == doctest::Approx(0.2));
}

TEST_CASE("a step with a scaled gradient has the bits of one with its product, and leaves the gradient as it is") {
  for (const std::string& kind : optimiser_kinds())
    for (const double weight_decay : {0.0, 0.1}) {
      INFO("kind ", kind, ", weight_decay ", weight_decay);
      const Tensor w({2}, {1, -2}), same = w.copy(), g({2}, {0.3, 7}), product = g.copy();
      product.array() *= Scalar(0.1);
      const auto optimiser = make_optimiser(kind, 0.01), other = make_optimiser(kind, 0.01);
      optimiser->weight_decay = other->weight_decay = weight_decay;
      for (int step = 0; step < 3; ++step) {
        optimiser->step({w}, {g}, 0.1);
        other->step({same}, {product});
        CHECK(same_bits(w, same));
      }
      CHECK(same_bits(g, Tensor({2}, {0.3, 7})));
    }
}

TEST_CASE("optimisers by name") {
  CHECK(optimiser_kinds() ==
        std::vector<std::string>{"adagrad", "adam", "adamw", "momentum", "nesterov", "rmsprop", "sgd"});
  for (const std::string& kind : optimiser_kinds()) {
    const Tensor w = after(*make_optimiser(kind, 0.01), 3);
    CHECK(w.data()[0] < 1);
    CHECK(w.data()[1] > -2);
  }
  CHECK(REFUSAL(config, make_optimiser("guess", 1)) ==
        "optimiser is \"guess\": use one of adagrad, adam, adamw, momentum, nesterov, rmsprop, sgd.");
}

TEST_CASE("the rate rises linearly and then follows its schedule; that of Vaswani et al. needs a warm-up") {
  for (const char* kind : {"constant", "linear", "cosine", "noam"}) {
    const Schedule s = schedule(kind, 4, 20);
    CHECK(s.factor(0) == 0.25);
    CHECK(s.factor(1) == 0.5);
    CHECK(s.factor(3) == 1);
  }
  CHECK(schedule("constant", 4, 20).factor(1000) == 1);
  CHECK(schedule("noam", 4, 20).factor(15) == 0.5);  // √(4 / 16)
  CHECK_THROWS_WITH_AS(schedule("noam", 0, 9), "warmup is 0: the schedule \"noam\" needs 1 step or more.", Error);
}

TEST_CASE("a falling rate is not zero at the last step, and restarts after it") {
  for (const char* kind : {"linear", "cosine"}) {
    const Schedule s = schedule(kind, 0, 9);
    CHECK(s.factor(4) == doctest::Approx(0.5));
    for (int step = 1; step < 9; ++step) CHECK(s.factor(step) < s.factor(step - 1));
    CHECK(s.factor(8) > 0);
    const Schedule warm = schedule(kind, 4, 20);
    for (int step = 4; step < 60; ++step) CHECK(warm.factor(step + 16) == warm.factor(step));
  }
}
