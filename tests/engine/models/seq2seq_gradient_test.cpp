#include "engine/models/captioner.h"
#include "engine/models/language_model.h"
#include "engine/models/seq2seq.h"
#include "tests/engine/support/gradient_check.h"
#include "tests/engine/support/kinks.h"

namespace {

std::string one_of(Samples& random, const std::vector<std::string>& names) {
  return names[random.below(static_cast<int>(names.size()))];
}

// Ids (rows, positions) from 1 to vocabulary − 1, each row with 0 to positions − 1 of padding at its end.
Tensor padded_ids(Samples& random, int rows, int positions, int vocabulary) {
  Tensor ids = Tensor::full({rows, positions}, 0);
  for (int row = 0; row < rows; ++row)
    for (int i = random.up_to(positions) - 1; i >= 0; --i)
      ids.data()[row * positions + i] = static_cast<Scalar>(random.up_to(vocabulary - 1));
  return ids;
}

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

// Loss and logits of a model, by these of its parameters, or by all.
double error_of(Model& model, const Tensors& parameters, Samples& random) {
  const auto f = [&](const Tensors&) {
    const Tensor loss = model.loss();
    return side_by_side(loss, model.output());
  };
  return gradient_error({parameters, f}, random);
}

double error_of(Model& model, Samples& random) {
  Tensors parameters;
  for (const Parameter& parameter : model.parameters().all()) parameters.push_back(parameter.value);
  return error_of(model, parameters, random);
}

double seq2seq_error(Config config, Samples& random) {
  config.set("source_vocabulary", 6.0);
  config.set("target_vocabulary", 5.0);
  Seq2Seq model(config);
  keep_off_the_kink(model, config, random);
  const int B = random.up_to(3), S = random.up_to(4), T = random.up_to(3);
  model.set_input("source", padded_ids(random, B, S, 6));
  model.set_input("target_in", padded_ids(random, B, T, 5));
  model.set_input("target_out", padded_ids(random, B, T, 5));
  return error_of(model, random);
}

constexpr std::uint64_t seeds = 24;

void check_wiring(void (*choose)(Config& config, Samples& random)) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Samples random(seed);
    Config config = small_config(random, "");
    config.set("bidirectional", random.coin());
    choose(config, random);
    CHECK(seq2seq_error(config, random) < 1e-6);
  }
}

// Keys and queries of one size suit every score function.
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
    config.set("attention", std::string("none"));
    config.set("reverse_source", random.coin());
  });
}

TEST_CASE("gradients: the context at every step") {
  check_wiring([](Config& config, Samples& random) {
    config.set("attention", std::string("none"));
    config.set("context", std::string("every_step"));
    config.set("reverse_source", random.coin());
  });
}

TEST_CASE("gradients: Bahdanau's wiring") {
  check_wiring([](Config& config, Samples& random) {
    config.set("attention", std::string("bahdanau"));
    choose_attention(config, random);
  });
}

TEST_CASE("gradients: Luong's wiring, with and without input feeding") {
  check_wiring([](Config& config, Samples& random) {
    config.set("attention", std::string("luong"));
    config.set("input_feeding", random.coin());
    choose_attention(config, random);
  });
}

// All but the ConvNet, whose maxima have kinks everywhere in a picture; it has a check of its own.
TEST_CASE("gradients: a captioner, with and without attention over the grid") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Samples random(seed);
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
    CHECK(error_of(model, parameters, random) < 1e-6);
  }
}

TEST_CASE("gradients: a language model with and without attention to its past") {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Samples random(seed);
    Config config = small_config(random, "vocabulary");
    config.set("attention", seed % 3 != 0);
    config.set("score", one_of(random, score_kinds()));
    LanguageModel model(config);
    keep_off_the_kink(model, config, random);
    const int B = random.up_to(3), T = random.up_to(4);
    model.set_input("target_in", padded_ids(random, B, T, 5));
    model.set_input("target_out", padded_ids(random, B, T, 5));
    CHECK(error_of(model, random) < 1e-6);
  }
}
