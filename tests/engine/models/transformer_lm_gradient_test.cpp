#include "engine/models/transformer_lm.h"
#include "tests/engine/support/model_gradients.h"

namespace {

// At least 4 values to normalise: two always become −1 and 1.
Config some_config(Samples& random) {
  const int heads = random.up_to(2), size = 4 * random.up_to(2);
  return {{"heads", double(heads)},
          {"model_size", double(heads * size)},
          {"key_value_heads", random.coin() ? 1.0 : double(heads)},
          {"feed_forward", double(random.up_to(4))},
          {"layers", double(random.up_to(2))},
          {"vocabulary", 6.0},
          {"norm_place", one_of(random, {"pre", "post"})},
          {"norm", one_of(random, {"layer", "rms"})},
          {"activation", one_of(random, activation_kinds())},
          {"positions", one_of(random, {"none", "sinusoidal", "learned", "alibi", "rotary"})},
          {"tied_embedding", random.coin()},
          {"label_smoothing", random.coin() ? 0.1 : 0.0},
          {"seed", double(random.below(1000))}};
}

}  // namespace

TEST_CASE("gradients of the decoder-only Transformer") {
  check_on_seeds([&](Samples& random) {
    const Config config = some_config(random);
    TransformerLm model(config);
    if (config.any_text("activation") == "relu") keep_feed_forward_off_the_kink(model.parameters(), random);
    const Shape shape = {random.up_to(2), 1 + random.up_to(3)};
    Tensor ids(shape), targets(shape);
    for (Tensor* each : {&ids, &targets})
      for (Scalar& id : each->values()) id = static_cast<Scalar>(random.up_to(5));
    model.set_input("target_in", ids);
    model.set_input("target_out", targets);
    return model_error(model, random);
  });
}
