#include "engine/models/transformer_lm.h"
#include "tests/engine/support/model_gradients.h"

TEST_CASE("gradients of the decoder-only Transformer") {
  check_on_seeds([&](Samples& random) {
    const Config config =
        with(any_transformer(random, {"none", "sinusoidal", "learned", "alibi", "rotary"}), "vocabulary=6");
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
