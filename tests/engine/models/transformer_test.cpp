#include "engine/models/transformer.h"

#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/recurrent.h"
#include "tests/engine/support/small_models.h"

namespace {

Config kind(const std::string& name) { return small_transformers().at("transformer: " + name); }

}  // namespace

TEST_CASE("weights are the mean over the last block's heads: they sum to 1 over the tokens and are 0 on padding") {
  OnBatch<Transformer> model(kind("two layers, post-norm"));
  const Tensor heads = traced(model, "decoder.1.cross_attention/α");
  CHECK(same_bits(model.weights(), mean(heads, 1)));
  check_weights(model.weights());
}

TEST_CASE("without positions the encoder does not know the order of the source") {
  const auto logits = [](const char* positions, std::initializer_list<Scalar> ids) {
    // layer_norm would subtract the mean, and with it a plain index
    Transformer model(with(kind("pre-norm"), {{"positions", positions}, {"norm", "rms"}}));
    GeneratorState state = model.start(Tensor({1, 4}, ids));
    return model.next(Tensor({1}, {1}), state).logits;
  };
  const auto difference = [&](const char* positions) {
    return farthest(logits(positions, {3, 4, 5, 6}), logits(positions, {5, 3, 6, 4}));
  };
  CHECK(difference("none") < 1e-5);
  for (const char* positions : {"index", "sinusoidal", "learned", "alibi", "rotary"})
    CHECK_MESSAGE(difference(positions) > 1e-3, positions);
}

TEST_CASE("label smoothing and the loss by hand") {
  OnBatch<Transformer> plain(kind("pre-norm"));
  const Tensor loss = plain.loss();
  expect(loss, {}, {cross_entropy(plain.output(), target_out, {.ignored = 0}).item()});
  OnBatch<Transformer> smooth(kind("index, smoothed"));
  const Tensor smoothed = smooth.loss();
  expect(smoothed, {}, {cross_entropy(smooth.output(), target_out, {.ignored = 0, .label_smoothing = 0.1}).item()});
}

TEST_CASE("dropout is active only in training steps, and is reproducible") {
  OnBatch<Transformer> model(kind("dropout"));
  const auto logits = [&] {
    model.loss();
    return model.output();
  };
  const auto trained = [&](int step) {
    const DropoutStep dropping(1, step);
    return logits();
  };
  const Tensor off = logits();
  CHECK(same_bits(trained(1), trained(1)));
  CHECK(!same_bits(trained(1), trained(2)));
  CHECK(!same_bits(trained(1), off));
  CHECK(same_bits(logits(), off));
}

TEST_CASE("an impossible transformer, or one beyond a limit that a program sets, or a batch too large is refused") {
  const auto refused = [](const char* sizes) {
    return REFUSAL(config, make_model(with(settings("kind=transformer"), sizes)));
  };
  CHECK(refused("model_size=30").starts_with("heads is 4, which does not divide the model size 30"));
  CHECK(refused("model_size=100000").ends_with(" MB for the parameters alone: use 1 to 768."));
  CHECK(refused("model_size=512 layers=8")
            .ends_with(" MB, and 64 MB is the most: lower model_size, feed_forward, layers or a vocabulary."));
  const Config config = {{"kind", "transformer"}};
  {
    const Setting<double> limit(Context::current().parameter_bytes, 10'000);
    CHECK(REFUSAL(config, make_model(config)).find(" MB, and 1 MB is the most: lower model_size") != std::string::npos);
  }
  CHECK_NOTHROW(make_model(config));
  const std::unique_ptr<Model> model = make_model({{"kind", "transformer"}, {"model_size", 256.0}, {"layers", 4.0}});
  CHECK(REFUSAL(shape, model->set_input("source", Tensor::full({256, 64}, 3)))
            .ends_with(" MB, and 256 MB is the most: use fewer rows or shorter ones."));
}

TEST_CASE("a sequence longer than the table of positions is refused, and nothing changes") {
  OnBatch<Transformer> model(kind("learned positions, tied"));
  const std::string sentence =
      "longest is 7, and source has 8 positions: use 8 to 64, shorter rows, or other positions than \"learned\".";
  CHECK(REFUSAL(shape, model.set_input("source", Tensor::full({3, 8}, 3))) == sentence);
  CHECK(REFUSAL(shape, model.start(Tensor::full({3, 8}, 3))) == sentence);
  CHECK(same_bits(model.inputs()[0].value, source));
  CHECK(REFUSAL(shape, Transformer({{"positions", "learned"}, {"longest", 2.0}}))
            .starts_with("longest is 2, and source has 4 positions: use 4 to 64"));
}
