#include "engine/models/transformer.h"
#include "tests/engine/support/model_gradients.h"

TEST_CASE("gradients: a transformer's loss and logits with respect to all parameters") {
  check_on_seeds([&](Samples& random) {
    const Config config = with(any_transformer(random, {"none", "index", "sinusoidal", "learned", "alibi", "rotary"}),
                               "source_vocabulary=6 target_vocabulary=5");
    Transformer model(config);
    if (config.any_text("activation") == "relu") keep_feed_forward_off_the_kink(model.parameters(), random);
    set_padded(model, random, 2, 4, 3);
    return model_error(model, random);
  });
}
