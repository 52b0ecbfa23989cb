#include "engine/models/transformer.h"
#include "tests/engine/support/gradient_check.h"
#include "tests/engine/support/kinks.h"

namespace {

using Text = std::string;

Text one_of(Samples& random, const std::vector<Text>& names) {
  return names[static_cast<std::size_t>(random.below(static_cast<int>(names.size())))];
}

// 4 values or more to be normalised: two always become −1 and 1.
Config small_config(Samples& random) {
  const int heads = random.up_to(3), head_size = heads == 1 ? 4 : 2 * random.up_to(2);
  return {{"model_size", double(heads * head_size)},
          {"heads", double(heads)},
          {"key_value_heads", random.coin() ? 1.0 : double(heads)},
          {"feed_forward", double(random.up_to(5))},
          {"layers", double(random.up_to(2))},
          {"norm_place", one_of(random, {"pre", "post"})},
          {"norm", one_of(random, {"layer", "rms"})},
          {"activation", one_of(random, activation_kinds())},
          {"positions", one_of(random, {"none", "index", "sinusoidal", "learned", "alibi", "rotary"})},
          {"tied_embedding", random.coin()},
          {"label_smoothing", random.coin() ? 0.1 : 0},
          {"source_vocabulary", 6.0},
          {"target_vocabulary", 5.0},
          {"seed", double(random.below(1000))}};
}

// Ids (rows, positions) from 1 to vocabulary − 1, each row with 0 to positions − 1 of padding at its end.
Tensor padded_ids(Samples& random, int rows, int positions, int vocabulary) {
  Tensor ids = Tensor::full({rows, positions}, 0);
  for (int row = 0; row < rows; ++row)
    for (int i = random.up_to(positions) - 1; i >= 0; --i)
      ids.data()[row * positions + i] = static_cast<Scalar>(random.up_to(vocabulary - 1));
  return ids;
}

}  // namespace

TEST_CASE("gradients: a transformer's loss and logits by all its parameters") {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Samples random(seed);
    const Config config = small_config(random);
    Transformer model(config);
    if (config.any_text("activation") == "relu") keep_feed_forward_off_the_kink(model.parameters(), random);
    const int B = random.up_to(2), S = random.up_to(4), T = random.up_to(3);
    model.set_input("source", padded_ids(random, B, S, 6));
    model.set_input("target_in", padded_ids(random, B, T, 5));
    model.set_input("target_out", padded_ids(random, B, T, 5));
    Tensors parameters;
    for (const Parameter& parameter : model.parameters().all()) parameters.push_back(parameter.value);
    const auto f = [&](const Tensors&) {
      const Tensor loss = model.loss();
      return side_by_side(loss, model.output());
    };
    CHECK(gradient_error({parameters, f}, random) < 1e-6);
  }
}
