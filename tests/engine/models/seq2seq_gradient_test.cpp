#include "engine/models/captioner.h"
#include "engine/models/recurrent_lm.h"
#include "engine/models/seq2seq.h"
#include "tests/engine/support/model_gradients.h"

namespace {

double small(Samples& random) { return 1 + random.up_to(2); }

Config small_config(Samples& random, const std::string& vocabulary) {
  Config config = {{"cell", one_of(random, cell_kinds())},
                   {"embedding", double(random.up_to(3))},
                   {"hidden", small(random)},
                   {"layers", double(random.up_to(2))},
                   {"attention_size", small(random)},
                   {"seed", double(random.below(1000))}};
  if (!vocabulary.empty()) config.set(vocabulary, 5.0);
  return config;
}

void keep_off_the_kink(const Model& model, const Config& config, Samples& random) {
  if (config.any_text("cell") == "rnn_relu") keep_cells_off_the_kink(model.parameters(), random);
}

double seq2seq_error(const Config& config, Samples& random) {
  Seq2Seq model(with(config, "source_vocabulary=6 target_vocabulary=5"));
  keep_off_the_kink(model, config, random);
  set_padded(model, random, 3, 4, 3);
  return model_error(model, random);
}

void check_wiring(void (*choose)(Config& config, Samples& random)) {
  check_on_seeds([&](Samples& random) {
    Config config = small_config(random, "");
    config.set("bidirectional", random.coin());
    choose(config, random);
    return seq2seq_error(config, random);
  });
}

// Keys and queries of equal size suit every score function.
void choose_attention(Config& config, Samples& random) {
  config.set("score", one_of(random, score_kinds()));
  config.set("project_keys", one_of(random, {"linear", "tanh"}));
  config.set("project_queries", one_of(random, {"linear", "tanh"}));
  config.set("project_values", one_of(random, {"none", "linear", "tanh"}));
  config.set("window", one_of(random, {"global", "local_m", "local_p"}));
  config.set("half_width", double(random.up_to(3)));
}

}  // namespace

TEST_CASE("gradients: the context as the first state") {
  check_wiring([](Config& config, Samples& random) {
    config.set("attention", "none");
    config.set("reverse_source", random.coin());
  });
}

TEST_CASE("gradients: the context at every step") {
  check_wiring([](Config& config, Samples& random) {
    config.set("attention", "none");
    config.set("context", "every_step");
    config.set("reverse_source", random.coin());
  });
}

TEST_CASE("gradients: Bahdanau's wiring") {
  check_wiring([](Config& config, Samples& random) {
    config.set("attention", "bahdanau");
    choose_attention(config, random);
  });
}

TEST_CASE("gradients: Luong's wiring, with and without input feeding") {
  check_wiring([](Config& config, Samples& random) {
    config.set("attention", "luong");
    config.set("input_feeding", random.coin());
    choose_attention(config, random);
  });
}

// All except the ConvNet, whose maxima have kinks everywhere in a picture; it is checked separately.
TEST_CASE("gradients: a captioner, with and without attention over the grid") {
  check_on_seeds([&](Samples& random) {
    Config config = small_config(random, "target_vocabulary");
    config.set("channels", 4.0);
    config.set("score", one_of(random, {"additive", "general", "concat", "linear"}));
    config.set("grid_attention", random.coin());
    Captioner model(config);
    keep_off_the_kink(model, config, random);
    Tensors parameters;
    for (const Parameter& parameter : model.parameters().all())
      if (parameter.name.starts_with("convnet"))
        parameter.value.array() *= Scalar(0.3);
      else
        parameters.push_back(parameter.value);
    const int T = random.up_to(2);
    model.set_input("source", random.ids({1, 16}, 17) + 4);
    model.set_input("target_in", padded_ids(random, 1, T, 5));
    model.set_input("target_out", padded_ids(random, 1, T, 5));
    return model_error(model, parameters, random);
  });
}

TEST_CASE("gradients: a language model with and without attention to its past") {
  check_on_seeds([&](Samples& random) {
    Config config = small_config(random, "vocabulary");
    config.set("attention", random.below(3) != 0);
    config.set("score", one_of(random, score_kinds()));
    RecurrentLm model(config);
    keep_off_the_kink(model, config, random);
    set_padded(model, random, 3, 1, 4);
    return model_error(model, random);
  });
}
