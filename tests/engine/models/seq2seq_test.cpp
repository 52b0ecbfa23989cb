#include "engine/models/seq2seq.h"

#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"
#include "tests/engine/support/small_models.h"

namespace {

Config wiring(const std::string& name) { return small_seq2seqs().at("seq2seq: " + name); }

const Tensor tokens({2, 4}, {1, 4, 7, 3, 1, 5, 0, 0});

Config small() { return small_recurrent_lms().at("language_model: gru"); }

}  // namespace

TEST_CASE("attention weights sum to 1 over the tokens and are 0 on padding; hard ones select one token in generation") {
  OnBatch<Seq2Seq> soft(wiring("bahdanau"));
  soft.loss();
  check_weights(soft.weights());
  OnBatch<Seq2Seq> model(with(wiring("bahdanau"), "hard=true"));
  GeneratorState state = model.start(source);
  const Tensor weights = model.next(Tensor({3}, {1, 1, 1}), state).weights;
  REQUIRE(weights.shape() == Shape{3, 5});
  CHECK(std::ranges::count(weights.values(), Scalar(1)) == 3);
  CHECK(std::ranges::count(weights.values(), Scalar(0)) == 12);
  model.loss();
  CHECK(std::ranges::count(model.weights().values(), Scalar(1)) == 0);
}

TEST_CASE(
    "attention of a high temperature weighs all tokens alike as the model writes, and as it learns is as before") {
  OnBatch<Seq2Seq> own(wiring("luong")), even(with(wiring("luong"), "attention_temperature=1000000"));
  CHECK(same_bits(own.loss(), even.loss()));
  GeneratorState state = even.start(source);
  const Tensor weights = even.next(Tensor({3}, {1, 1, 1}), state).weights;
  for (int j = 0; j < 5; ++j) CHECK(weights.data()[j] == doctest::Approx(0.2).epsilon(1e-4));
  CHECK(REFUSAL(config, made<Seq2Seq>(with(wiring("luong"), "hard=true attention_temperature=2"))) ==
        "attention_temperature is 2, but hard attention has the temperature 0: leave out one of the two.");
}

TEST_CASE("free running takes the model's own best token, as generation does") {
  for_each(small_seq2seqs(), [](const Config& config, const Text&) {
    Seq2Seq model(config);
    set_batch(model);
    model.set_forcing(0, Random(1));
    model.loss();
    GeneratorState state = model.start(source);
    Tensor tokens = Tensor::full({3}, bos_id);
    for (int t = 0; t < 4; ++t) {
      const Tensor logits = model.next(tokens, state).logits;
      CHECK(same_bits(logits, at_position(model.output(), t)));
      tokens = argmax(logits);
    }
  });
}

TEST_CASE("scheduled sampling is reproducible for a seed, and differs between probabilities") {
  OnBatch<Seq2Seq> model(wiring("bahdanau"));
  const auto logits = [&](double probability, std::uint64_t seed) {
    model.set_forcing(probability, Random(seed));
    model.loss();
    return model.output();
  };
  CHECK(same_bits(logits(0.5, 4), logits(0.5, 4)));
  bool differs = false;
  for (std::uint64_t seed = 5; seed < 15; ++seed) differs = differs || !same_bits(logits(0.5, 4), logits(0.5, seed));
  CHECK(differs);
  CHECK(!same_bits(logits(0, 4), logits(1, 4)));
  CHECK(same_bits(logits(1, 4), logits(1, 5)));
  CHECK(REFUSAL(config, model.set_forcing(1.5, Random(1))) == "forcing is 1.5: use a probability, 0 to 1.");
}

TEST_CASE("the coins of scheduled sampling are on the tape, one for each row and position") {
  OnBatch<Seq2Seq> model(wiring("bahdanau"));
  LiveTape trace(Tape::Detail::trace);
  model.set_forcing(0.5, Random(4));
  model.loss();
  int own_tokens = 0;
  for (int t = 1; t < 4; ++t) {
    const Text place = "decoder.t" + std::to_string(t);
    const auto value = [&](const Text& name) { return node(trace, name).value; };
    const Tensor truth = at_position(node(trace, "target_in").value, t);
    const Tensor own = argmax(value("decoder.t" + std::to_string(t - 1) + "/logits"));
    CHECK(value(place + ".coin/rate").item() == Scalar(0.5));
    for (int row = 0; row < 3; ++row) {
      Random random(4);
      random.seek(static_cast<std::uint64_t>(3 * t + row));
      const Scalar u = random.uniform();
      CHECK(value(place + ".coin/u").data()[row] == u);
      CHECK(value(place + ".coin/heads").data()[row] == Scalar(u < 0.5));
      CHECK(value(place + ".coin/token taken").data()[row] == (u < 0.5 ? truth : own).data()[row]);
      own_tokens += u >= 0.5;
    }
  }
  CHECK(own_tokens > 0);
  CHECK(own_tokens < 9);
}

TEST_CASE("free running is recorded as well: every parameter gets a gradient") {
  OnBatch<Seq2Seq> model(wiring("luong"));
  model.set_forcing(0, Random(1));
  CHECK(idle_parameters(model).empty());
}

TEST_CASE("a model that is too large, or of choices that contradict each other, is refused") {
  const auto refused = [](const char* sizes) {
    return REFUSAL(config, make_model(with({{"kind", "seq2seq"}}, sizes)));
  };
  CHECK(refused("hidden=100000") == "hidden is 100000, which takes 640757 MB for the parameters alone: use 1 to 512.");
  CHECK(refused("hidden=512 target_vocabulary=32768 embedding=256")
            .ends_with(" MB, and 64 MB is the most: lower hidden, embedding or a vocabulary."));
  CHECK(REFUSAL(config, Seq2Seq({{"context", "every_step"}})) ==
        "context is \"every_step\" and attention \"bahdanau\": use attention \"none\", or leave context out.");
  CHECK(REFUSAL(config, Seq2Seq({{"reverse_source", true}})).starts_with("reverse_source is true and attention is on"));
  CHECK(REFUSAL(config, Seq2Seq({{"score", "dot"}})) ==
        "score is dot, but queries have size 64 and keys 128: make them equal, or use general or additive.");
}

TEST_CASE("token ids that do not form a batch are refused, and nothing changes") {
  OnBatch<Seq2Seq> model(wiring("bahdanau"));
  const auto refused = [&](ErrorCode code, const char* name, const Tensor& value) {
    return refused_input(model, code, name, value);
  };
  CHECK(refused(ErrorCode::input, "source", Tensor({1, 3}, {3, 9, 2})) ==
        "source[0, 1] is 9: use a token id, a whole number from 0 to 8.");
  CHECK(refused(ErrorCode::input, "source", Tensor({1, 3}, {3, 0, 2})) ==
        "source[0, 2] is a token after padding: put the padding, 0, at the end of its row.");
  CHECK(refused(ErrorCode::input, "source", Tensor({2, 2}, {3, 2, 0, 0})) ==
        "Row 1 of source is empty: give it at least one token before its padding, 0.");
  CHECK(refused(ErrorCode::shape, "source", Tensor::full({1, 65}, 3)) ==
        "source is (1, 65): use 1 to 256 rows of 1 to 64 token ids each.");
  CHECK(refused(ErrorCode::shape, "target_in", Tensor::full({2, 4}, 3)) ==
        "target_in is (2, 4) and source (3, 5): set source first, with a row for each of target_in.");
  CHECK(refused(ErrorCode::shape, "target_out", Tensor::full({3, 3}, 3)).starts_with("target_out is (3, 3)"));
}

TEST_CASE("targets follow the rows of the source, and earlier ones do not matter if their number changes") {
  OnBatch<Seq2Seq> model(wiring("bahdanau"));
  model.set_input("source", Tensor({2, 1}, {3, 4}));
  expect(model.inputs()[1].value, {2, 1}, {1, 1});
  expect(model.inputs()[2].value, {2, 1}, {2, 2});
  model.set_input("target_in", Tensor({2, 2}, {1, 3, 1, 4}));
  expect(model.inputs()[2].value, {2, 2}, {2, 0, 2, 0});
  const std::unique_ptr<Model> wide =
      make_model(settings("kind=seq2seq embedding=64 hidden=96 attention_size=128 target_vocabulary=234"));
  wide->set_input("source", Tensor::full({8, 4}, 3));
  wide->set_input("target_in", Tensor::full({8, 64}, 3));
  for (const char* name : {"source", "target_in", "target_out"}) wide->set_input(name, Tensor::full({256, 4}, 3));
  CHECK(wide->inputs()[2].value.shape() == Shape{256, 4});
}

TEST_CASE("a position attends to earlier ones; the first attends to none") {
  const auto model = made<LanguageModel>(small());
  model->set_input("target_in", tokens);
  model->set_input("target_out", Tensor({2, 4}, {4, 7, 3, 2, 5, 2, 0, 0}));
  model->loss();
  const Tensor a = model->weights();
  REQUIRE(a.shape() == Shape{2, 4, 4});
  expect(sum(a, -1), {2, 4}, {0, 1, 1, 1, 0, 1, 1, 1});
  for (int t = 0; t < 4; ++t)
    for (int j = t; j < 4; ++j) CHECK(a.data()[4 * t + j] == 0);
  CHECK(a.data()[4] == 1);
}

TEST_CASE("a language model takes targets only, target_in first, and starts with the requested number of positions") {
  const auto model = made<LanguageModel>(small());
  model->set_input("target_in", tokens);
  expect(model->inputs()[1].value, {2, 4}, {2, 0, 0, 0, 2, 0, 0, 0});
  CHECK(REFUSAL(input, model->set_input("source", tokens)) ==
        "\"source\" is not an input of this model: use one of target_in, target_out.");
  const auto longer = make_model(with(small(), "positions=9"));
  for (const ModelInput& input : longer->inputs()) CHECK(input.value.shape() == Shape{1, 9});
  CHECK(REFUSAL(config, make_model(with(small(), "positions=1"))).starts_with("positions is 1"));
}
