#include "engine/models/program/learner_parts.h"
#include "tests/engine/support/model_gradients.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/part_texts.h"

namespace {

const Text learned_positions = "def positions(T, D):\n    return parameter('table', (8, D))[:T]\n";

// An error of the gradients of a small model of this kind with the part, on padded inputs.
double error_with(const Config& given, const char* part, const Text& program, Samples& random) {
  const Config config = with(given, {{"part", part}, {"program", program}, {"seed", double(random.below(1000))}});
  const std::unique_ptr<Model> model = make_model(config);
  keep_feed_forward_off_the_kink(model->parameters(), random);
  set_padded(*model, random, 2, 3, 3);
  return model_error(*model, random);
}

void check(const Config& config, const char* part, const Text& program) {
  CAPTURE(part);
  check_on_seeds([&](Samples& random) { return error_with(config, part, program, random); }, 2);
}

Config transformer(const char* kind) {
  return {{"kind", kind},      {"model_size", 4.0},        {"heads", 2.0},        {"source_vocabulary", 6.0},
          {"vocabulary", 6.0}, {"target_vocabulary", 5.0}, {"feed_forward", 3.0}, {"tied_embedding", true}};
}

Config seq2seq() {
  return settings("kind=seq2seq embedding=2 hidden=3 attention_size=4 source_vocabulary=6 target_vocabulary=5");
}

}  // namespace

TEST_CASE("gradients of Transformers with a learner's part") {
  for (const char* kind : {"transformer", "transformer_lm"}) {
    check(transformer(kind), "score", parts::scaled_dot_score);
    check(transformer(kind), "attention", parts::attention);
    check(transformer(kind), "positions", learned_positions);
    check(transformer(kind), "norm", parts::layer_norm);
    check(transformer(kind), "feed_forward", parts::feed_forward);
    check(transformer(kind), "block", parts::block);
  }
}

TEST_CASE("gradients of recurrent models with a learner's part") {
  check(seq2seq(), "score", parts::additive_score);
  check(with(seq2seq(), "bidirectional=false"), "attention", parts::attention);
  check(seq2seq(), "cell", parts::gru_cell);
  check({{"kind", "language_model"}, {"embedding", 2.0}, {"hidden", 3.0}, {"vocabulary", 6.0}}, "cell",
        parts::tanh_cell);
  check({{"kind", "recurrent"}}, "cell", parts::gru_cell);
}

TEST_CASE("gradients of small attention models with a learner's part") {
  check({{"kind", "attention"}}, "score", parts::additive_score);
  check({{"kind", "attention"}}, "attention", parts::attention);
  check({{"kind", "attention_layer"}, {"heads", 2.0}}, "attention", parts::attention);
  check({{"kind", "attention_layer"}}, "positions", learned_positions);
}
