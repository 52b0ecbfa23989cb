#include "engine/models/recurrent_lm.h"

#include "tests/engine/support/small_models.h"

namespace {

const Tensor tokens({2, 4}, {1, 4, 7, 3, 1, 5, 0, 0}), following({2, 4}, {4, 7, 3, 2, 5, 2, 0, 0});

Config small() { return small_recurrent_lms().at("language_model: gru"); }

void set_targets(Model& model) {
  model.set_input("target_in", tokens);
  model.set_input("target_out", following);
}

}  // namespace

TEST_CASE("a position attends to earlier ones; the first attends to none") {
  RecurrentLm model(small());
  set_targets(model);
  model.loss();
  const Tensor a = model.weights();
  REQUIRE(a.shape() == Shape{2, 4, 4});
  const Tensor sums = sum(a, -1);
  expect(sums, {2, 4}, {0, 1, 1, 1, 0, 1, 1, 1});
  for (int t = 0; t < 4; ++t)
    for (int j = t; j < 4; ++j) CHECK(a.data()[4 * t + j] == 0);
  CHECK(a.data()[4] == 1);
}

TEST_CASE("a language model takes targets only, target_in first") {
  RecurrentLm model(small());
  model.set_input("target_in", tokens);
  expect(model.inputs()[1].value, {2, 4}, {2, 0, 0, 0, 2, 0, 0, 0});
  CHECK(REFUSAL(input, model.set_input("source", tokens)) ==
        "\"source\" is not an input of this model: use one of target_in, target_out.");
}

TEST_CASE("a language model starts with inputs of the requested number of positions") {
  const RecurrentLm model(with(small(), "positions=9"));
  CHECK(model.inputs()[0].value.shape() == Shape{1, 9});
  CHECK(model.inputs()[1].value.shape() == Shape{1, 9});
  CHECK(REFUSAL(config, RecurrentLm(with(small(), "positions=1"))).starts_with("positions is 1"));
}

TEST_CASE("the language model's trace names what it attends to") {
  RecurrentLm model(small());
  traced(model, {"network.0.t2/h", "network/s", "attention/e", "attention/α", "attention/c", "logits", "L"});
}
