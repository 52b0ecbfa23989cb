#include "engine/models/language_model.h"

#include "tests/engine/support/test.h"

namespace {

const Tensor target_in({2, 4}, {1, 4, 7, 3, 1, 5, 0, 0}), target_out({2, 4}, {4, 7, 3, 2, 5, 2, 0, 0});

Config small(std::initializer_list<std::pair<const std::string, Config::Value>> fields) {
  Config config = {{"embedding", 5.0}, {"hidden", 6.0}, {"attention_size", 4.0}, {"vocabulary", 8.0}};
  for (const auto& [name, value] : fields) config.set(name, value);
  return config;
}

const std::vector<Config> models = {small({}), small({{"cell", std::string("lstm")}, {"layers", 2.0}}),
                                    small({{"score", std::string("location")}}),
                                    small({{"attention", false}, {"cell", std::string("rnn")}})};

void set_batch(Model& model) {
  model.set_input("target_in", target_in);
  model.set_input("target_out", target_out);
}

Tensor column(const Tensor& x, int t) { return reshape(slice(x, 1, t, 1), x.shape().without(1)); }

}  // namespace

TEST_CASE("a language model writes with the logits it learns with") {
  for (const Config& config : models) {
    LanguageModel model(config);
    set_batch(model);
    model.loss();
    WriterState state = model.start(Tensor({2, 0}));
    for (int t = 0; t < 4; ++t) {
      const Tensor logits = model.next(column(target_in, t), state).logits, learnt = column(model.output(), t);
      expect(logits, {2, 8}, {learnt.values().begin(), learnt.values().end()});
    }
  }
}

TEST_CASE("a position looks at the ones before it; the first at none") {
  LanguageModel model(small({}));
  set_batch(model);
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
    LanguageModel model(config);
    set_batch(model);
    model.loss();
    const Tensor before = slice(model.output(), 1, 0, 3);
    model.set_input("target_in", Tensor({2, 4}, {1, 4, 7, 6, 1, 5, 0, 0}));
    model.loss();
    CHECK(same_bits(slice(model.output(), 1, 0, 3), before));
  }
}

TEST_CASE("a language model's parameters are counted before they are made, and too many refused") {
  for (const Config& config : models) {
    const LanguageModel model(config);
    CHECK(parameter_count(model.options()) == static_cast<double>(model.parameters().count()));
  }
  CHECK(refusal(ErrorCode::config, [] { LanguageModel({{"hidden", 1e30}}); }).starts_with("hidden is 1000000, which"));
}

TEST_CASE("a language model takes targets only, target_in first") {
  LanguageModel model(small({}));
  model.set_input("target_in", target_in);
  expect(model.inputs()[1].value, {2, 4}, {2, 0, 0, 0, 2, 0, 0, 0});
  CHECK(refusal(ErrorCode::input, [&] { model.set_input("source", target_in); }) ==
        "\"source\" is not an input of this model: use one of target_in, target_out.");
  CHECK(refusal(ErrorCode::input, [&] {
          model.set_input("target_in", Tensor({1, 1}, {8}));
        }) == "target_in[0, 0] is 8: use a token id, a whole number from 0 to 7.");
}

TEST_CASE("a language model begins with inputs of as many positions as asked") {
  const LanguageModel model(small({{"positions", 9.0}}));
  CHECK(model.inputs()[0].value.shape() == Shape{1, 9});
  CHECK(model.inputs()[1].value.shape() == Shape{1, 9});
  CHECK(refusal(ErrorCode::config, [] { LanguageModel(small({{"positions", 1.0}})); }).starts_with("positions is 1"));
}

TEST_CASE("the language model's trace names what it looks at") {
  LanguageModel model(small({}));
  Tape tape(Tape::Detail::trace);
  Recording recording(&tape);
  model.loss();
  for (const char* name : {"network.0.t2/h", "network/s", "attention/e", "attention/α", "attention/c", "logits", "L"}) {
    CAPTURE(name);
    CHECK(tape.find(name) >= 0);
  }
}
