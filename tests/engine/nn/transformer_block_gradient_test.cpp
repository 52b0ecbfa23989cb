#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/positions.h"
#include "engine/nn/transformer_block.h"
#include "tests/engine/support/model_gradients.h"

namespace {

using Relative = MultiHeadOptions::Relative;
Activation any_activation(Samples& random) { return static_cast<Activation>(random.below(4)); }

GRADIENT("Norm(x)") {
  const int D = 1 + random.size();
  const NormKind kind = random.coin() ? NormKind::layer : NormKind::rms;
  return by_parameters(random, {random.away_from_zero(joined(random.shape(0, 2), {D}))}, [=](Parameters& parameters) {
    const Norm norm(kind, parameters, "norm", D);
    return [=](const Tensors& x) { return norm(x[0]); };
  });
}

GRADIENT("FeedForward(x)") {
  const int D = random.size(), F = random.size();
  const Activation activation = any_activation(random);
  return by_parameters(random, {random.tensor(joined(random.shape(0, 2), {D}))}, [=, &random](Parameters& parameters) {
    const FeedForward layer(activation, parameters, "layer", D, F);
    if (activation == Activation::relu) keep_feed_forward_off_the_kink(parameters, random);
    return [=](const Tensors& x) { return layer(x[0]); };
  });
}

GRADIENT("dropout(x, rate)") {
  const double rate = random.between(0.1, 0.9);
  return {{random.tensor()}, [=](const Tensors& x) {
            const DropoutStep dropping(1, 1);
            return dropout(x[0], rate);
          }};
}

GRADIENT("PositionedEmbedding(ids, first_position)") {
  const int vocabulary = random.size(), T = random.size(), D = random.size(), first = random.below(4);
  const auto kind = static_cast<AbsolutePositions>(random.below(4));
  const Tensor ids = random.ids({random.up_to(3), T}, vocabulary);
  return by_parameters(random, {}, [=](Parameters& parameters) {
    const PositionedEmbedding words(parameters, "words", vocabulary, D, kind, first + T);
    return [=](const Tensors&) { return words(ids, first); };
  });
}

// Heads of 2 or 4 values, for rotary positions, and at least 4 values to normalise: two always become −1 and 1.
BlockOptions block_options(Samples& random) {
  const int heads = random.up_to(3), head_size = heads == 1 ? 4 : 2 * random.up_to(2);
  return {.attention = {.model = heads * head_size,
                        .heads = heads,
                        .key_value_heads = random.coin() ? 1 : heads,
                        .relative = static_cast<Relative>(random.below(3))},
          .feed_forward = random.up_to(5),
          .activation = any_activation(random),
          .norm = random.coin() ? NormKind::layer : NormKind::rms,
          .place = random.coin() ? NormPlace::pre : NormPlace::post};
}

GRADIENT("BlockNorm::before(x)", "BlockNorm::after(x)") {
  const BlockOptions options = block_options(random);
  const Tensor x = random.away_from_zero({random.size(), options.attention.model});
  return by_parameters(random, {x}, [=](Parameters& parameters) {
    const BlockNorm norm(options, parameters, "block", "norm");
    return [=](const Tensors& x) { return options.place == NormPlace::pre ? norm.before(x[0]) : norm.after(x[0]); };
  });
}

// A block with its arguments and its parameters as inputs.
template <typename Block, typename Call>
GradientCase block_case(Samples& random, const BlockOptions& options, const Tensors& xs, const Call& call) {
  return by_parameters(random, xs, [&](Parameters& parameters) {
    const Block block(options, parameters, "b");
    if (options.activation == Activation::relu) keep_feed_forward_off_the_kink(parameters, random);
    return [=](const Tensors& x) { return call(block, x); };
  });
}

GRADIENT("DecoderBlock::project_memory(memory)") {
  BlockOptions options = block_options(random);
  options.attention.relative = Relative::none;
  const Tensor read = random.tensor({random.up_to(2), random.size(), options.attention.model});
  return block_case<DecoderBlock>(random, options, {read}, [](const DecoderBlock& block, const Tensors& x) {
    const KeysValues found = block.project_memory(x[0]);
    return side_by_side(found.keys, found.values);
  });
}

// A block of T positions attends to S.
struct BlockSizes {
  explicit BlockSizes(Samples& random) : B(random.up_to(2)), T(random.up_to(4)), S(random.up_to(4)) {}
  int B, T, S;
};

GRADIENT("TransformerBlock(x, mask)") {
  const BlockOptions options = block_options(random);
  const auto [B, T, S] = BlockSizes(random);
  const Tensor mask = random.coin() ? causal_mask(T, T) : Tensor();
  const Tensor words = random.tensor({B, T, options.attention.model});
  return block_case<TransformerBlock>(random, options, {words}, [=](const TransformerBlock& block, const Tensors& x) {
    const BlockOutput y = block(x[0], mask);
    return side_by_side(y.x, y.weights);
  });
}

Tensor all_values(const BlockOutput& y, const KeysValues& past) {
  return side_by_side({y.x, y.weights, past.keys, past.values});
}

// T positions after S others.
GRADIENT("TransformerBlock::advance(x, cache, mask)") {
  const BlockOptions options = block_options(random);
  const auto [B, T, S] = BlockSizes(random);
  const Tensors words{random.tensor({B, S, options.attention.model}), random.tensor({B, T, options.attention.model})};
  const Tensor mask = causal_mask(T, S + T, S);
  return block_case<TransformerBlock>(random, options, words, [=](const TransformerBlock& block, const Tensors& x) {
    KeysValues past;
    block.advance(x[0], past);
    const BlockOutput y = block.advance(x[1], past, mask);
    return all_values(y, past);
  });
}

GRADIENT("DecoderBlock::advance(x, cache, memory, mask, memory_mask)") {
  const BlockOptions options = block_options(random);
  const auto [B, T, S] = BlockSizes(random);
  const int first = random.below(T);  // this many positions, then the others
  const Tensor hidden = random.coin() ? for_all_heads(random.mask({B, 1, S})) : Tensor();
  const Tensors words{random.tensor({B, T, options.attention.model}), random.tensor({B, S, options.attention.model})};
  return block_case<DecoderBlock>(random, options, words, [=, T = T](const DecoderBlock& block, const Tensors& x) {
    KeysValues past;
    const KeysValues memory = block.project_memory(x[1]);
    if (first > 0) block.advance(slice(x[0], 1, 0, first), past, memory, causal_mask(first, first), hidden);
    const Tensor others = slice(x[0], 1, first, T - first);
    const BlockOutput y = block.advance(others, past, memory, causal_mask(T - first, T, first), hidden);
    return all_values(y, past);
  });
}

}  // namespace
