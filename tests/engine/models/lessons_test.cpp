// The models of the lessons against numbers computed elsewhere.
#include "tests/engine/support/lessons.h"

#include "engine/models/model.h"
#include "tests/engine/support/test.h"

TEST_CASE("four words by hand: the twelve outputs") {
  const std::unique_ptr<Model> model = make_model(four_words());
  model->loss();
  REQUIRE(model->output().shape() == Shape{4, 3});
  for (int i = 0; i < 12; ++i)
    CHECK(std::abs(static_cast<double>(model->output().data()[i]) - four_words_output[i]) < 1e-7);
}

TEST_CASE("four words: the loss is the mean squared distance to the target") {
  Config config = four_words();
  config.set("target", std::vector<double>(12, 1));
  const double loss = static_cast<double>(make_model(config)->loss().item());
  double expected = 0;
  for (double value : four_words_output) expected += (value - 1) * (value - 1) / 12;
  CHECK(loss == doctest::Approx(expected).epsilon(1e-6));
}

TEST_CASE("the first lesson: five weights and the surprise of the target") {
  const std::unique_ptr<Model> model = make_model(softmax_lesson());
  const Tensor loss = model->loss();
  expect(model->output(), {5}, {0.016579, 0.905195, 0.045067, 0.016579, 0.016579}, 5e-7);
  expect(loss, {}, {-std::log(0.905195)}, 1e-6);
}

TEST_CASE("temperature 0 puts all the weight on the best; the surprise of another target is infinite") {
  Config config = softmax_lesson();
  config.set("temperature", 0.0);
  config.set("target", 0.0);
  const std::unique_ptr<Model> model = make_model(config);
  CHECK(model->loss().item() == HUGE_VALF);
  expect(model->output(), {5}, {0, 1, 0, 0, 0}, 0);
}

TEST_CASE("a causal mask: the first word sees itself only") {
  Config config = four_words();
  config.set("mask", "causal");
  const std::unique_ptr<Model> model = make_model(config);
  model->loss();
  expect(slice(model->output(), 0, 0, 1), {1, 3}, {1, 1, 0}, 0);
}
