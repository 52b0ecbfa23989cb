#include "engine/models/seq2seq.h"

#include "engine/nn/recurrent/sequence.h"
#include "engine/nn/tokens.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/small_models.h"

namespace {

Config wiring(const std::string& name) { return small_seq2seqs().at("seq2seq: " + name); }

}  // namespace

TEST_CASE("attention weights sum to 1 over the tokens and are 0 on padding") {
  Seq2Seq model(wiring("bahdanau"));
  set_batch(model);
  model.loss();
  check_weights(model.weights());
}

TEST_CASE("hard attention selects one token in generation, and is soft in training") {
  Seq2Seq model(with(wiring("bahdanau"), "hard=true"));
  set_batch(model);
  GeneratorState state = model.start(source);
  const Tensor weights = model.next(Tensor({3}, {1, 1, 1}), state).weights;
  REQUIRE(weights.shape() == Shape{3, 5});
  CHECK(std::ranges::count(weights.values(), Scalar(1)) == 3);
  CHECK(std::ranges::count(weights.values(), Scalar(0)) == 12);
  model.loss();
  CHECK(std::ranges::count(model.weights().values(), Scalar(1)) == 0);
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
  Seq2Seq model(wiring("bahdanau"));
  set_batch(model);
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

TEST_CASE("free running is recorded as well: every parameter gets a gradient") {
  Seq2Seq model(wiring("luong"));
  set_batch(model);
  model.set_forcing(0, Random(1));
  check_every_parameter_learns(model);
}

TEST_CASE("the trace has a name for each tensor of each position") {
  Seq2Seq model(wiring("bahdanau"));
  set_batch(model);
  LiveTape tape(Tape::Detail::trace);
  traced(model,
         {"encoder.0.t3/h", "encoder.0_reverse.t3/h", "encoder/h", "decoder.t2.attention/e", "decoder.t2.attention/α",
          "decoder.t2.attention/c", "decoder.t2/s", "decoder.t2/logits", "attention/α", "logits", "L"});
  CHECK(tape.find("logits#2") < 0);
}

TEST_CASE("a model that is too large is refused with its size") {
  const auto refused = [](const char* field, double value) {
    return REFUSAL(config, make_model({{field, value}, {"kind", "seq2seq"}}));
  };
  CHECK(refused("hidden", 100000) == "hidden is 100000, which takes 640757 MB for the parameters alone: use 1 to 512.");
  CHECK(REFUSAL(
            config,
            make_model({{"kind", "seq2seq"}, {"hidden", 512.0}, {"target_vocabulary", 32768.0}, {"embedding", 256.0}}))
            .ends_with(" MB, and 64 MB is the most: lower hidden, embedding or a vocabulary."));
}

TEST_CASE("choices that contradict each other are refused") {
  CHECK(REFUSAL(config, Seq2Seq({{"context", "every_step"}})) ==
        "context is \"every_step\" and attention \"bahdanau\": use attention \"none\", or leave context out.");
  CHECK(REFUSAL(config, Seq2Seq({{"reverse_source", true}})).starts_with("reverse_source is true and attention is on"));
  CHECK(REFUSAL(config, Seq2Seq({{"score", "dot"}})) ==
        "score is dot, but queries have size 64 and keys 128: make them equal, or use general or additive.");
}

TEST_CASE("token ids that do not form a batch are refused, and nothing changes") {
  Seq2Seq model(wiring("bahdanau"));
  set_batch(model);
  const auto refused = [&](ErrorCode code, const char* name, const Tensor& value) {
    const std::string sentence = refusal(code, [&] { model.set_input(name, value); });
    CHECK(same_bits(model.inputs()[0].value, source));
    CHECK(same_bits(model.inputs()[1].value, target_in));
    return sentence;
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

TEST_CASE("earlier targets do not matter if the number of rows changes") {
  const std::unique_ptr<Model> model =
      make_model(settings("kind=seq2seq embedding=64 hidden=96 attention_size=128 target_vocabulary=234"));
  model->set_input("source", Tensor::full({8, 4}, 3));
  model->set_input("target_in", Tensor::full({8, 64}, 3));
  for (const char* name : {"source", "target_in", "target_out"}) model->set_input(name, Tensor::full({256, 4}, 3));
  CHECK(model->inputs()[2].value.shape() == Shape{256, 4});
}

TEST_CASE("targets follow the rows of the source") {
  Seq2Seq model(wiring("bahdanau"));
  set_batch(model);
  model.set_input("source", Tensor({2, 1}, {3, 4}));
  expect(model.inputs()[1].value, {2, 1}, {1, 1});
  expect(model.inputs()[2].value, {2, 1}, {2, 2});
  model.set_input("target_in", Tensor({2, 2}, {1, 3, 1, 4}));
  expect(model.inputs()[2].value, {2, 2}, {2, 0, 2, 0});
}
