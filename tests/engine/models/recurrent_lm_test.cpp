#include "engine/models/recurrent_lm.h"

#include "engine/nn/recurrent/sequence.h"
#include "tests/engine/support/models.h"

namespace {

const Tensor tokens({2, 4}, {1, 4, 7, 3, 1, 5, 0, 0}), following({2, 4}, {4, 7, 3, 2, 5, 2, 0, 0});

Config small(const Fields& fields) {
  return with({{"embedding", 5.0}, {"hidden", 6.0}, {"attention_size", 4.0}, {"vocabulary", 8.0}}, fields);
}

const std::vector<Config> models = {small({}), small({{"cell", Text("lstm")}, {"layers", 2.0}}),
                                    small({{"score", Text("location")}}),
                                    small({{"attention", false}, {"cell", Text("rnn")}})};

void set_targets(Model& model) {
  model.set_input("target_in", tokens);
  model.set_input("target_out", following);
}

}  // namespace

TEST_CASE("a language model writes with the logits it learns with") {
  for (const Config& config : models) {
    RecurrentLm model(config);
    set_targets(model);
    model.loss();
    GeneratorState state = model.start(Tensor({2, 0}));
    for (int t = 0; t < 4; ++t) {
      const Tensor logits = model.next(at_position(tokens, t), state).logits, learnt = at_position(model.output(), t);
      expect(logits, {2, 8}, {learnt.values().begin(), learnt.values().end()});
    }
  }
}

TEST_CASE("a position looks at the ones before it; the first at none") {
  RecurrentLm model(small({}));
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

TEST_CASE("what comes later changes nothing before it") {
  for (const Config& config : models) {
    RecurrentLm model(config);
    set_targets(model);
    model.loss();
    const Tensor before = slice(model.output(), 1, 0, 3);
    model.set_input("target_in", Tensor({2, 4}, {1, 4, 7, 6, 1, 5, 0, 0}));
    model.loss();
    CHECK(same_bits(slice(model.output(), 1, 0, 3), before));
  }
}

TEST_CASE("a language model's parameters are counted before they are made, and too many refused") {
  for (const Config& config : models) {
    const RecurrentLm model(config);
    CHECK(parameter_count(model.options()) == static_cast<double>(model.parameters().count()));
  }
  CHECK(REFUSAL(config, RecurrentLm({{"hidden", 1e30}})).starts_with("hidden is 1000000, which"));
}

TEST_CASE("a language model takes targets only, target_in first") {
  RecurrentLm model(small({}));
  model.set_input("target_in", tokens);
  expect(model.inputs()[1].value, {2, 4}, {2, 0, 0, 0, 2, 0, 0, 0});
  CHECK(REFUSAL(input, model.set_input("source", tokens)) ==
        "\"source\" is not an input of this model: use one of target_in, target_out.");
  CHECK(REFUSAL(input, model.set_input("target_in", Tensor({1, 1}, {8}))) ==
        "target_in[0, 0] is 8: use a token id, a whole number from 0 to 7.");
}

TEST_CASE("a language model begins with inputs of as many positions as asked") {
  const RecurrentLm model(small({{"positions", 9.0}}));
  CHECK(model.inputs()[0].value.shape() == Shape{1, 9});
  CHECK(model.inputs()[1].value.shape() == Shape{1, 9});
  CHECK(REFUSAL(config, RecurrentLm(small({{"positions", 1.0}}))).starts_with("positions is 1"));
}

TEST_CASE("the language model's trace names what it looks at") {
  RecurrentLm model(small({}));
  traced(model, {"network.0.t2/h", "network/s", "attention/e", "attention/α", "attention/c", "logits", "L"});
}
