// The gradients of whole models' losses and logits with respect to all parameters.
#include "tests/engine/support/model_gradients.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/part_texts.h"

namespace {

void keep_off_the_kinks(const Model& model, const Config& config, Samples& random) {
  if (config.any_text("cell") == "rnn_relu") keep_cells_off_the_kink(model.parameters(), random);
  if (config.any_text("activation").value_or("relu") == "relu")
    keep_feed_forward_off_the_kink(model.parameters(), random);
  for (const std::string name : {"queries", "keys", "values"})
    if (config.any_text("project_" + name) == "relu")
      fill_far_from_zero(model.parameters().find("attention." + name + ".bias")->value, 12, 13, random);
}

struct Longest {
  int rows, source, target;
};

// Of the configured model, on padded inputs.
double error_of(const Config& config, Samples& random, const Longest& longest) {
  const std::unique_ptr<Model> model = make_model(config);
  keep_off_the_kinks(*model, config, random);
  set_padded(*model, random, longest.rows, longest.source, longest.target);
  return model_error(*model, random);
}

double small(Samples& random) { return 1 + random.up_to(2); }

Config small_recurrent(Samples& random, const char* more) {
  const Config config = {{"cell", one_of(random, cell_kinds())},
                         {"embedding", double(random.up_to(3))},
                         {"hidden", small(random)},
                         {"layers", double(random.up_to(2))},
                         {"attention_size", small(random)},
                         {"seed", double(random.below(1000))}};
  return with(config, more);
}

// Keys and queries of equal size suit every score function.
void choose_attention(Config& config, Samples& random) {
  config.set("score", one_of(random, score_kinds()));
  config.set("project_keys", one_of(random, {"linear", "tanh", "sigmoid"}));
  config.set("project_queries", one_of(random, {"linear", "tanh", "sigmoid"}));
  config.set("project_values", one_of(random, {"none", "linear", "tanh", "sigmoid"}));
  config.set("window", one_of(random, {"global", "local_m", "local_p"}));
  config.set("half_width", double(random.up_to(3)));
}

void choose_order(Config& config, Samples& random) { config.set("reverse_source", random.coin()); }

// A wiring of encoder, attention and decoder.
void check_wiring(const char* wiring, const std::function<void(Config&, Samples&)>& choose) {
  check_on_seeds([&](Samples& random) {
    Config config = with(small_recurrent(random, "kind=seq2seq source_vocabulary=6 target_vocabulary=5"), wiring);
    config.set("bidirectional", random.coin());
    choose(config, random);
    return error_of(config, random, {3, 4, 3});
  });
}

// A small model with a learner's part.
void check_part(const Config& config, const char* part, const Text& program) {
  CAPTURE(part);
  const auto error = [&](Samples& random) {
    const Config changes = {{"part", part}, {"program", program}, {"seed", double(random.below(1000))}};
    return error_of(with(config, changes), random, {2, 3, 3});
  };
  check_on_seeds(error, 2);
}

const Text learned_positions = "def positions(T, D):\n    return parameter('table', (8, D))[:T]\n";

}  // namespace

TEST_CASE("gradients: the context as the first state, at every step, in Bahdanau's wiring and in Luong's") {
  check_wiring("attention=none", choose_order);
  check_wiring("attention=none context=every_step", choose_order);
  check_wiring("attention=bahdanau", choose_attention);
  check_wiring("attention=luong", [](Config& config, Samples& random) {
    config.set("input_feeding", random.coin());
    choose_attention(config, random);
  });
}

TEST_CASE("gradients: one look, with every score that has parameters") {
  check_on_seeds([&](Samples& random) {
    const Config config = {{"kind", "lookup"},
                           {"score", one_of(random, {"content", "general", "biased_general", "additive", "concat"})},
                           {"queries", double(random.up_to(3))},
                           {"keys", double(random.up_to(4))},
                           {"attention_size", small(random)},
                           {"seed", double(random.below(1000))}};
    return model_error(*make_model(config), random);
  });
}

TEST_CASE("gradients: the scores of a unigram model, by both of its losses") {
  check_on_seeds([&](Samples& random) {
    const std::unique_ptr<Model> model = make_model({{"kind", "unigram"},
                                                     {"temperature", 0.5 + random.below(3)},
                                                     {"loss", one_of(random, {"cross_entropy", "zero_one"})}});
    model->set_input("y", random.ids({random.up_to(6)}, 5));
    return model_error(*model, random);
  });
}

// All except the ConvNet, whose maxima have kinks everywhere in a picture; it is checked separately.
TEST_CASE("gradients: a captioner, with and without attention over the grid") {
  check_on_seeds([&](Samples& random) {
    Config config = small_recurrent(random, "kind=captioner target_vocabulary=5 channels=4");
    config.set("score", one_of(random, {"additive", "general", "concat", "linear"}));
    config.set("grid_attention", random.coin());
    const auto model = make_model(config);
    keep_off_the_kinks(*model, config, random);
    Tensors parameters;
    for (const Parameter& parameter : model->parameters().all())
      if (parameter.name.starts_with("convnet"))
        parameter.value.array() *= Scalar(0.3);
      else
        parameters.push_back(parameter.value);
    const int T = random.up_to(2);
    model->set_input("source", random.ids({1, 16}, 17) + 4);
    model->set_input("target_in", padded_ids(random, 1, T, 5));
    model->set_input("target_out", padded_ids(random, 1, T, 5));
    return model_error(*model, parameters, random);
  });
}

TEST_CASE("gradients: a language model with and without attention to its past") {
  check_on_seeds([&](Samples& random) {
    Config config = small_recurrent(random, "kind=language_model vocabulary=5");
    config.set("attention", random.below(3) != 0);
    config.set("score", one_of(random, score_kinds()));
    return error_of(config, random, {3, 1, 4});
  });
}

TEST_CASE("gradients: a transformer's loss and logits with respect to all parameters") {
  check_on_seeds([&](Samples& random) {
    const Config any = any_transformer(random, {"none", "index", "sinusoidal", "learned", "alibi", "rotary"});
    return error_of(with(any, "kind=transformer source_vocabulary=6 target_vocabulary=5"), random, {2, 4, 3});
  });
}

TEST_CASE("gradients of the decoder-only Transformer") {
  check_on_seeds([&](Samples& random) {
    const Config any = any_transformer(random, {"none", "sinusoidal", "learned", "alibi", "rotary"});
    return error_of(with(any, "kind=transformer_lm vocabulary=6"), random, {2, 1, 4});
  });
}

TEST_CASE("gradients of Transformers with a learner's part") {
  for (const char* kind : {"kind=transformer", "kind=transformer_lm"}) {
    const Config config = with(settings(kind),
                               "model_size=4 heads=2 feed_forward=3 tied_embedding=true "
                               "source_vocabulary=6 vocabulary=6 target_vocabulary=5");
    check_part(config, "score", parts::scaled_dot_score);
    check_part(config, "attention", parts::attention);
    check_part(config, "positions", learned_positions);
    check_part(config, "norm", parts::layer_norm);
    check_part(config, "feed_forward", parts::feed_forward);
    check_part(config, "block", parts::block);
  }
}

TEST_CASE("gradients of recurrent and of small attention models with a learner's part") {
  const Config seq2seq =
      settings("kind=seq2seq embedding=2 hidden=3 attention_size=4 source_vocabulary=6 target_vocabulary=5");
  check_part(seq2seq, "score", parts::additive_score);
  check_part(with(seq2seq, "bidirectional=false"), "attention", parts::attention);
  check_part(seq2seq, "cell", parts::gru_cell);
  check_part(settings("kind=language_model embedding=2 hidden=3 vocabulary=6"), "cell", parts::tanh_cell);
  check_part({{"kind", "recurrent"}}, "cell", parts::gru_cell);
  check_part({{"kind", "attention"}}, "score", parts::additive_score);
  check_part({{"kind", "attention"}}, "attention", parts::attention);
  check_part({{"kind", "attention_layer"}, {"heads", 2.0}}, "attention", parts::attention);
  check_part({{"kind", "attention_layer"}}, "positions", learned_positions);
}
