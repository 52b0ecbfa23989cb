#include "engine/models/transformer.h"
#include "tests/engine/support/model_gradients.h"

namespace {

// At least 4 values to normalise: two always become −1 and 1.
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

}  // namespace

TEST_CASE("gradients: a transformer's loss and logits with respect to all parameters") {
  check_on_seeds([&](Samples& random) {
    const Config config = small_config(random);
    Transformer model(config);
    if (config.any_text("activation") == "relu") keep_feed_forward_off_the_kink(model.parameters(), random);
    const int B = random.up_to(2), S = random.up_to(4), T = random.up_to(3);
    model.set_input("source", padded_ids(random, B, S, 6));
    model.set_input("target_in", padded_ids(random, B, T, 5));
    model.set_input("target_out", padded_ids(random, B, T, 5));
    return model_error(model, random);
  });
}
