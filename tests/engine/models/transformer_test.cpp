#include "engine/models/transformer.h"

#include "engine/nn/layers/dropout.h"
#include "engine/nn/recurrent/sequence.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/transformers.h"

namespace {

Config kind(const std::string& name) { return small_transformers().at(name); }

void for_each_kind(const std::function<void(Transformer&)>& check) {
  for (const auto& kind : small_transformers()) {
    CAPTURE(kind.first);
    Transformer model(kind.second);
    set_batch(model);
    check(model);
  }
}

}  // namespace

TEST_CASE("a transformer writes token by token with the bits of teacher forcing") {
  for_each_kind([](Transformer& model) {
    model.loss();
    GeneratorState state = model.start(source);
    for (int t = 0; t < 4; ++t) {
      const StepOutput now = model.next(at_position(target_in, t), state);
      CHECK(same_bits(now.logits, at_position(model.output(), t)));
      CHECK(same_bits(now.weights, at_position(model.weights(), t)));
    }
  });
}

TEST_CASE("a row has the same bits alone, without the padding that others need") {
  for_each_kind([](Transformer& model) {
    const auto [together, alone] = row_in_batch_and_alone(model);
    CHECK(same_bits(alone, together));
  });
}

TEST_CASE("no position of the target sees a later one") {
  for_each_kind([](Transformer& model) {
    model.loss();
    const Tensor before = slice(row(model.output(), 0), 1, 0, 2);
    Tensor changed = target_in.copy();
    changed.data()[2] = 5;
    model.set_input("target_in", changed);
    model.loss();
    CHECK(same_bits(slice(row(model.output(), 0), 1, 0, 2), before));
    CHECK(!same_bits(slice(row(model.output(), 0), 1, 2, 1), before));
  });
}

TEST_CASE("rows of a writer can be chosen anew before its first token and after") {
  Transformer model(kind("two layers, post-norm"));
  GeneratorState begun = model.start(source);
  const int reversed[] = {2, 1, 0}, numbers[] = {2, 0, 2};
  GeneratorState other = begun.select(reversed);
  const Tensor first = model.next(Tensor({3}, {1, 1, 1}), begun).logits;
  CHECK(same_bits(row(model.next(Tensor({3}, {1, 1, 1}), other).logits, 0), row(first, 2)));
  GeneratorState chosen = begun.select(numbers);
  const Tensor after = model.next(Tensor({3}, {4, 5, 6}), chosen).logits;
  const Tensor expected = model.next(Tensor({3}, {5, 1, 6}), begun).logits;
  CHECK(same_bits(row(after, 1), row(expected, 0)));
  CHECK(same_bits(row(after, 2), row(expected, 2)));
  CHECK(!same_bits(row(after, 0), row(after, 2)));
}

TEST_CASE("weights are the mean of the last block's heads: they sum to 1 over the tokens and are 0 on padding") {
  Transformer model(kind("two layers, post-norm"));
  set_batch(model);
  const Tensor heads = traced(model, "decoder.1.cross_attention/α");
  CHECK(same_bits(model.weights(), mean(heads, 1)));
  check_weights(model.weights());
}

TEST_CASE("without positions the encoder does not know the order of the source") {
  const auto logits = [](const char* positions, std::initializer_list<Scalar> ids) {
    // layer_norm would take the mean away, and with it a mere index
    Transformer model(with(kind("as it is"), {{"positions", Text(positions)}, {"norm", Text("rms")}}));
    GeneratorState state = model.start(Tensor({1, 4}, ids));
    return model.next(Tensor({1}, {1}), state).logits;
  };
  const auto difference = [&](const char* positions) {
    const Tensor gap = logits(positions, {3, 4, 5, 6}) - logits(positions, {5, 3, 6, 4});
    return static_cast<double>(max(square(gap), -1).item());
  };
  CHECK(difference("none") < 1e-10);
  for (const std::string positions : {"index", "sinusoidal", "learned", "alibi", "rotary"})
    CHECK_MESSAGE(difference(positions.c_str()) > 1e-6, positions);
}

TEST_CASE("label smoothing and the loss by hand") {
  Transformer plain(kind("as it is"));
  set_batch(plain);
  const Tensor loss = plain.loss();
  expect(loss, {}, {cross_entropy(plain.output(), target_out, {.ignored = 0}).item()});
  Transformer smooth(kind("index, smoothed"));
  set_batch(smooth);
  const Tensor smoothed = smooth.loss();
  expect(smoothed, {}, {cross_entropy(smooth.output(), target_out, {.ignored = 0, .label_smoothing = 0.1}).item()});
}

TEST_CASE("dropout is on in a training step alone, and repeats itself") {
  Transformer model(kind("dropout"));
  set_batch(model);
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

TEST_CASE("every parameter of a transformer gets a gradient") {
  for_each_kind([](Transformer& model) { check_every_parameter_learns(model); });
}

TEST_CASE("the trace of a transformer has a name for each thing of each block") {
  Transformer model(kind("two layers, post-norm"));
  set_batch(model);
  traced(model, {"encoder/x", "encoder.0.attention/q", "encoder.1.attention/α", "encoder.0.feed_forward/hidden",
                 "encoder/memory", "decoder/x", "decoder.1.self_attention/α", "decoder.1.cross_attention/α",
                 "decoder.0.cross_attention/k", "decoder.1.norm3.layer_norm/normal", "attention/α", "logits", "L"});
}

TEST_CASE("a transformer's parameter_count is what the model declares") {
  for_each_kind([](Transformer& model) {
    CHECK(parameter_count(model.options()) == static_cast<double>(model.parameters().count()));
  });
}

TEST_CASE("a transformer that cannot be is refused in a sentence") {
  const auto refused = [](const Fields& fields) { return REFUSAL(config, Transformer{Config(fields)}); };
  CHECK(refused({{"model_size", 30.0}}) ==
        "heads is 4, which does not divide the model size 30 into equal parts: use a divisor of 30, or another model "
        "size.");
  CHECK(refused({{"heads", 0.0}}) == "heads is 0: use a whole number, 1 to 32.");
  CHECK(refused({{"key_value_heads", 3.0}}) ==
        "key_value_heads is 3, which does not divide the 4 heads into equal groups: use a divisor of 4.");
  CHECK(refused({{"model_size", 12.0}, {"positions", Text("rotary")}}) ==
        "positions is \"rotary\", which turns pairs of numbers, and a head has 3: use an even head size.");
  CHECK(refused({{"layers", 9.0}}) == "layers is 9: use a whole number, 1 to 8.");
  CHECK(refused({{"dropout", 1.0}}) == "dropout is 1: use a number, 0 to 0.9.");
  CHECK(refused({{"norm_place", Text("middle")}}) == "norm_place is \"middle\": use one of \"pre\", \"post\".");
  CHECK(refused({{"model_size", 100000.0}}).ends_with(" MB for the parameters alone: use 1 to 512."));
  CHECK(refused({{"model_size", 512.0}, {"layers", 8.0}})
            .ends_with(" MB, and 64 MB is the most: lower model_size, feed_forward, layers or a vocabulary."));
}

TEST_CASE("a sequence longer than the table of positions is refused, and nothing changes") {
  Transformer model(kind("learned positions, tied"));
  set_batch(model);
  const std::string sentence =
      "longest is 7, and source has 8 positions: use 8 to 64, shorter rows, or other positions than \"learned\".";
  CHECK(REFUSAL(shape, model.set_input("source", Tensor::full({3, 8}, 3))) == sentence);
  CHECK(REFUSAL(shape, model.start(Tensor::full({3, 8}, 3))) == sentence);
  CHECK(same_bits(model.inputs()[0].value, source));
  Transformer brief({{"positions", Text("learned")}, {"longest", 2.0}});
  CHECK(REFUSAL(shape, brief.loss()).starts_with("longest is 2, and "));
}

TEST_CASE("a batch that would not fit into memory is refused by a transformer") {
  Transformer model({{"model_size", 256.0}, {"layers", 4.0}});
  CHECK(REFUSAL(shape, model.set_input("source", Tensor::full({256, 64}, 3)))
            .ends_with(" MB, and 256 MB is the most: use fewer rows or shorter ones."));
}
