#include "engine/nn/transformer_block.h"

#include "engine/nn/attention/attention.h"
#include "tests/engine/support/test.h"

namespace {

using Relative = MultiHeadOptions::Relative;

BlockOptions options(NormPlace place, Relative relative = Relative::none) {
  return {.attention = {.model = 8, .heads = 2, .relative = relative},
          .feed_forward = 11,
          .activation = Activation::gelu,
          .place = place};
}

// The results of step, position by position, concatenated.
template <typename Step>
Tensor one_by_one(const Tensor& x, Step step) {
  std::vector<Operand> outputs;
  for (int t = 0; t < x.shape()[1]; ++t) outputs.emplace_back(step(slice(x, 1, t, 1)));
  return concat(outputs, 1);
}

}  // namespace

TEST_CASE("pre-norm adds f(norm(x)), post-norm is norm(x + f(x))") {
  Samples random(1);
  const Tensor x = random.tensor({2, 3, 8});
  for (const NormPlace place : {NormPlace::pre, NormPlace::post}) {
    const BlockOptions chosen = options(place);
    Parameters parameters(4), same(4);
    const MultiHeadAttention attention(chosen.attention, parameters, "b.attention");
    const Norm norm1(chosen.norm, parameters, "b.norm1", 8), norm2(chosen.norm, parameters, "b.norm2", 8);
    const FeedForward f(chosen.activation, parameters, "b.feed_forward", 8, 11);
    const auto self = [&](const Tensor& y) { return attention(y, y, y).context; };
    const bool pre = place == NormPlace::pre;
    const Tensor h = pre ? x + self(norm1(x)) : norm1(x + self(x));
    CHECK(same_bits(TransformerBlock(chosen, same, "b")(x).x, pre ? h + f(norm2(h)) : norm2(h + f(h))));
  }
}

TEST_CASE("every sum and every norm of a block has a name, wherever its norms are") {
  Samples random(5);
  const Tensor x = random.tensor({1, 3, 8});
  for (const NormPlace place : {NormPlace::pre, NormPlace::post}) {
    Parameters parameters(4);
    const TransformerBlock encoder(options(place, Relative::alibi), parameters, "encoder");
    const DecoderBlock decoder(options(place), parameters, "decoder");
    LiveTape tape(Tape::Detail::trace);
    {
      Scope scope("encoder");
      encoder(x, causal_mask(3, 3));
    }
    {
      Scope scope("decoder");
      KeysValues none;
      decoder.advance(x, none, decoder.project_memory(x));
    }
    check_names(
        tape, {"encoder/after attention", "encoder/after feed_forward", "encoder.norm1/normed", "encoder.norm2/normed",
               "encoder.attention/bias", "encoder.attention/e biased", "encoder.attention/e masked",
               "encoder.feed_forward/preactivation", "decoder/after self_attention", "decoder/after cross_attention",
               "decoder/after feed_forward", "decoder.norm3/normed"});
    for (const char* name : {"encoder/add", "decoder/add"}) CHECK_MESSAGE(tape.find(name) < 0, name);
  }
}

TEST_CASE("position by position, with a cache, gives the bits of the whole causal pass") {
  for (const NormPlace place : {NormPlace::pre, NormPlace::post})
    for (const Relative relative : {Relative::none, Relative::alibi, Relative::rotary})
      for (int T = 1; T < 12; ++T) {
        CAPTURE(T);
        Samples random(static_cast<std::uint64_t>(T));
        const Tensor x = random.tensor({2, T, 8}), source = random.tensor({2, 5, 8});
        Parameters parameters(4);
        const TransformerBlock encoder(options(place, relative), parameters, "encoder");
        KeysValues past;
        CHECK(same_bits(one_by_one(x, [&](const Tensor& now) { return encoder.advance(now, past).x; }),
                        encoder(x, causal_mask(T, T)).x));

        const DecoderBlock decoder(options(place, relative), parameters, "decoder");
        const KeysValues memory = decoder.project_memory(source);
        KeysValues none, own;
        const Tensor whole = decoder.advance(x, none, memory, causal_mask(T, T)).x;
        CHECK(same_bits(one_by_one(x, [&](const Tensor& now) { return decoder.advance(now, own, memory).x; }), whole));
      }
}

TEST_CASE("only with rotary positions does a decoder know a word's position in the memory") {
  Samples random(6);
  const Tensor x = random.tensor({1, 3, 8}), first = random.tensor({1, 1, 8}), rest = random.tensor({1, 4, 8});
  const auto moved = [&](Relative relative) {
    Parameters parameters(4);
    const DecoderBlock block(options(NormPlace::pre, relative), parameters, "b");
    const auto looked_at = [&](const Tensor& memory) {
      KeysValues past;
      return block.advance(x, past, block.project_memory(memory), causal_mask(3, 3)).x;
    };
    return farthest(looked_at(concat({first, rest}, 1)), looked_at(concat({rest, first}, 1)));
  };
  CHECK(moved(Relative::rotary) > 1e-3);
  CHECK(moved(Relative::alibi) < 1e-5);
  CHECK(moved(Relative::none) < 1e-5);
}

TEST_CASE("the weights of a decoder block are those of its cross-attention") {
  Samples random(3);
  Parameters parameters(4);
  const DecoderBlock block(options(NormPlace::post), parameters, "b");
  KeysValues past;
  const int lengths[] = {5, 2};
  const Tensor hidden = for_all_heads(padding_mask(lengths, 5));
  const Tensor x = random.tensor({2, 3, 8});
  const KeysValues memory = block.project_memory(random.tensor({2, 5, 8}));
  const Tensor weights = block.advance(x, past, memory, causal_mask(3, 3), hidden).weights;
  REQUIRE(weights.shape() == Shape{2, 2, 3, 5});
  expect(sum(weights, -1), {2, 2, 3}, std::vector<double>(12, 1));
  for (int row = 0; row < 6; ++row) CHECK(weights.data()[30 + 5 * row + 2] == 0);
  CHECK(past.keys.shape() == Shape{2, 2, 3, 4});
}
