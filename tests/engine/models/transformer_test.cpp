#include "engine/models/transformer.h"

#include "engine/nn/dropout.h"
#include "tests/engine/support/test.h"
#include "tests/engine/support/transformers.h"

namespace {

using Text = std::string;

const Tensor source({3, 5}, {3, 5, 8, 4, 2, 7, 3, 2, 0, 0, 6, 2, 0, 0, 0});
const Tensor target_in({3, 4}, {1, 4, 7, 3, 1, 5, 3, 0, 1, 6, 0, 0});
const Tensor target_out({3, 4}, {4, 7, 3, 2, 5, 3, 2, 0, 6, 2, 0, 0});

void set_batch(Model& model) {
  model.set_input("source", source);
  model.set_input("target_in", target_in);
  model.set_input("target_out", target_out);
}

Tensor column(const Tensor& x, int t) { return reshape(slice(x, 1, t, 1), x.shape().without(1)); }
Tensor row(const Tensor& x, int b) { return slice(x, 0, b, 1); }

Config kind(const std::string& name) { return small_transformers().at(name); }

void for_each_kind(const std::function<void(Transformer&)>& check) {
  for (const auto& [name, config] : small_transformers()) {
    CAPTURE(name);
    Transformer model(config);
    set_batch(model);
    check(model);
  }
}

}  // namespace

TEST_CASE("a transformer writes token by token with the bits of teacher forcing") {
  for_each_kind([](Transformer& model) {
    model.loss();
    WriterState state = model.start(source);
    for (int t = 0; t < 4; ++t) {
      const Written now = model.next(column(target_in, t), state);
      CHECK(same_bits(now.logits, column(model.output(), t)));
      CHECK(same_bits(now.weights, column(model.weights(), t)));
    }
  });
}

TEST_CASE("a row has the same bits alone, without the padding that others need") {
  for_each_kind([](Transformer& model) {
    model.loss();
    const Tensor together = slice(row(model.output(), 1), 1, 0, 3);
    model.set_input("source", slice(row(source, 1), 1, 0, 3));
    model.set_input("target_in", slice(row(target_in, 1), 1, 0, 3));
    model.set_input("target_out", slice(row(target_out, 1), 1, 0, 3));
    model.loss();
    CHECK(same_bits(model.output(), together));
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
  WriterState begun = model.start(source);
  const int reversed[] = {2, 1, 0}, numbers[] = {2, 0, 2};
  WriterState other = begun.select(reversed);
  const Tensor first = model.next(Tensor({3}, {1, 1, 1}), begun).logits;
  CHECK(same_bits(row(model.next(Tensor({3}, {1, 1, 1}), other).logits, 0), row(first, 2)));
  WriterState chosen = begun.select(numbers);
  const Tensor after = model.next(Tensor({3}, {4, 5, 6}), chosen).logits;
  const Tensor expected = model.next(Tensor({3}, {5, 1, 6}), begun).logits;
  CHECK(same_bits(row(after, 1), row(expected, 0)));
  CHECK(same_bits(row(after, 2), row(expected, 2)));
  CHECK(!same_bits(row(after, 0), row(after, 2)));
}

TEST_CASE("weights are the mean of the last block's heads: they sum to 1 over the tokens and are 0 on padding") {
  Transformer model(kind("two layers, post-norm"));
  set_batch(model);
  Tape tape(Tape::Detail::trace);
  Recording recording(&tape);
  model.loss();
  const Tensor heads = tape.nodes()[tape.find("decoder.1.cross_attention/α")].value;
  CHECK(same_bits(model.weights(), mean(heads, 1)));
  expect(sum(model.weights(), -1), {3, 4}, std::vector<double>(12, 1));
  for (int t = 0; t < 4; ++t) {
    CHECK(model.weights().data()[20 + 5 * t + 3] == 0);
    CHECK(model.weights().data()[40 + 5 * t + 2] == 0);
  }
}

TEST_CASE("without positions the encoder does not know the order of the source") {
  const auto logits = [](const char* positions, std::initializer_list<Scalar> ids) {
    Config config = kind("as it is");
    config.set("positions", Text(positions));
    config.set("norm", Text("rms"));  // layer_norm would take the mean away, and with it a mere index
    Transformer model(config);
    WriterState state = model.start(Tensor({1, 4}, ids));
    return model.next(Tensor({1}, {1}), state).logits;
  };
  const auto difference = [&](const char* positions) {
    const Tensor gap = logits(positions, {3, 4, 5, 6}) - logits(positions, {5, 3, 6, 4});
    return static_cast<double>(max(square(gap), -1).item());
  };
  CHECK(difference("none") < 1e-10);
  for (const std::string positions : {"index", "sinusoidal", "learned", "alibi", "rotary"}) {
    CAPTURE(positions);
    CHECK(difference(positions.c_str()) > 1e-6);
  }
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
  for_each_kind([](Transformer& model) {
    Tape tape(Tape::Detail::training);
    Recording recording(&tape);
    backward(model.loss());
    for (const Parameter& parameter : model.parameters().all()) {
      CAPTURE(parameter.name);
      REQUIRE(gradient(parameter.value));
      CHECK(std::ranges::any_of(gradient(parameter.value).values(), [](Scalar x) { return x != 0; }));
    }
  });
}

TEST_CASE("the trace of a transformer has a name for each thing of each block") {
  Transformer model(kind("two layers, post-norm"));
  set_batch(model);
  Tape tape(Tape::Detail::trace);
  Recording recording(&tape);
  model.loss();
  for (const std::string name :
       {"encoder/x", "encoder.0.attention/q", "encoder.1.attention/α", "encoder.0.feed_forward/hidden",
        "encoder/memory", "decoder/x", "decoder.1.self_attention/α", "decoder.1.cross_attention/α",
        "decoder.0.cross_attention/k", "decoder.1.norm3.layer_norm/normal", "attention/α", "logits", "L"}) {
    CAPTURE(name);
    CHECK(tape.find(name) >= 0);
  }
}

TEST_CASE("a transformer's parameter_count is what the model declares") {
  for_each_kind([](Transformer& model) {
    CHECK(parameter_count(model.options()) == static_cast<double>(model.parameters().count()));
  });
}

TEST_CASE("a transformer that cannot be is refused in a sentence") {
  const auto refused = [](std::initializer_list<std::pair<const Text, Config::Value>> fields) {
    return refusal(ErrorCode::config, [&] { Transformer{Config(fields)}; });
  };
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
  CHECK(refusal(ErrorCode::shape, [&] { model.set_input("source", Tensor::full({3, 8}, 3)); }) == sentence);
  CHECK(refusal(ErrorCode::shape, [&] { model.start(Tensor::full({3, 8}, 3)); }) == sentence);
  CHECK(same_bits(model.inputs()[0].value, source));
  Transformer brief({{"positions", std::string("learned")}, {"longest", 2.0}});
  CHECK(refusal(ErrorCode::shape, [&] { brief.loss(); }).starts_with("longest is 2, and "));
}

TEST_CASE("a batch that would not fit into memory is refused by a transformer") {
  Transformer model({{"model_size", 256.0}, {"layers", 4.0}});
  CHECK(refusal(ErrorCode::shape, [&] {
          model.set_input("source", Tensor::full({256, 64}, 3));
        }).ends_with(" MB, and 512 MB is the most: use fewer rows or shorter ones."));
}
