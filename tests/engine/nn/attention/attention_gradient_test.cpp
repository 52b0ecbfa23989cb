#include "engine/nn/attention/block_attention.h"
#include "engine/nn/attention/linear_attention.h"
#include "engine/nn/attention/masks.h"
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/positions.h"
#include "tests/engine/support/gradient_check.h"

namespace {

// ── Positions and masks ─────────────────────────────────────────────────────────────────────────────────────────────

GRADIENT("LearnedPositions(positions, first_position)") {
  const int longest = random.size(), T = random.up_to(longest), first = random.below(longest - T + 1);
  return {{random.tensor({longest, random.size()})},
          [=](const Tensors& x) { return LearnedPositions(x[0])(T, first); }};
}

GRADIENT("rotary(x, first_position, layout, base)") {
  const RotaryLayout layout = random.coin() ? RotaryLayout::half : RotaryLayout::interleaved;
  const int first = random.below(20);
  const double base = random.between(10, 10000);
  return {{random.tensor(joined(random.batch(), {random.size(), 2 * random.size()}))},
          [=](const Tensors& x) { return rotary(x[0], first, layout, base); }};
}

GRADIENT("combined_mask(a, b)") {
  const int B = random.size(), T = random.size(), S = random.size();
  return {{random.tensor({B, 1, S}), random.tensor({T, S})},
          [](const Tensors& x) { return combined_mask(x[0], x[1]); }};
}

GRADIENT("for_all_heads(mask)") {
  return {{random.tensor({random.size(), random.size(), random.size()})},
          [](const Tensors& x) { return for_all_heads(x[0]); }};
}

// ── Heads ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Shape heads_shape(Samples& random) { return {random.size(), random.up_to(3), random.size(), random.up_to(4)}; }

GRADIENT("split_heads(x, heads)") {
  const int heads = random.up_to(3);
  return {{random.tensor({random.size(), random.size(), heads * random.up_to(3)})},
          [=](const Tensors& x) { return split_heads(x[0], heads); }};
}

GRADIENT("join_heads(x)") {
  return {{random.tensor(heads_shape(random))}, [](const Tensors& x) { return join_heads(x[0]); }};
}

GRADIENT("repeat_kv(x, heads)") {
  const Shape shape = heads_shape(random);
  const int heads = shape[1] * random.up_to(3);
  return {{random.tensor(shape)}, [=](const Tensors& x) { return repeat_kv(x[0], heads); }};
}

MultiHeadOptions any_heads(Samples& random) {
  const int groups = random.up_to(2);
  return {.model = random.size(),
          .heads = groups * random.up_to(2),
          .key_value_heads = groups,
          .head_size = 2 * random.up_to(2),
          .value_size = random.up_to(3),
          .key_input = random.size(),
          .value_input = random.size(),
          .bias = random.coin(),
          .relative = static_cast<MultiHeadOptions::Relative>(random.below(3))};
}

// A layer whose parameters are inputs of the case, after its arguments.
struct AnyLayer {
  explicit AnyLayer(Samples& random)
      : options(any_heads(random)),
        batch(random.up_to(2)),
        T(random.up_to(4)),
        S(random.up_to(4)),
        mask(random.coin() ? random.mask({T, S}) : Tensor()),
        attention(options, parameters, "attention"),
        x(random.tensor({batch, T, options.model})),
        of_keys(random.tensor({batch, S, options.key_input})),
        of_values(random.tensor({batch, S, options.value_input})) {}

  Tensors with_parameters(Tensors inputs) const {
    for (const Parameter& parameter : parameters.all()) inputs.push_back(parameter.value);
    return inputs;
  }

  MultiHeadOptions options;
  int batch, T, S;
  Tensor mask;
  Parameters parameters{7};
  MultiHeadAttention attention;
  Tensor x, of_keys, of_values;
};

GRADIENT("MultiHeadAttention(x, key_input, value_input, mask)") {
  const AnyLayer layer(random);
  return {layer.with_parameters({layer.x, layer.of_keys, layer.of_values}),
          [=](const Tensors& x) { return side_by_side(layer.attention(x[0], x[1], x[2], layer.mask)); }};
}

GRADIENT("MultiHeadAttention::keys_and_values(key_input, value_input, first_position)") {
  const AnyLayer layer(random);
  return {layer.with_parameters({layer.of_keys, layer.of_values}), [=](const Tensors& x) {
            const KeysValues y = layer.attention.keys_and_values(x[0], x[1], 3);
            return side_by_side(y.keys, y.values);
          }};
}

GRADIENT("MultiHeadAttention::attend_to(x, memory, mask, first_position)") {
  const AnyLayer layer(random);
  const KeysValues memory = layer.attention.keys_and_values(layer.of_keys, layer.of_values);
  return {{layer.x, memory.keys, memory.values}, [=](const Tensors& x) {
            return side_by_side(layer.attention.attend_to(x[0], {x[1], x[2]}, layer.mask, 5));
          }};
}

GRADIENT("MultiHeadAttention::attend_heads(q, memory, mask, first_position)") {
  const AnyLayer layer(random);
  const Tensor q = layer.attention.queries(layer.x);
  const KeysValues memory = layer.attention.keys_and_values(layer.of_keys, layer.of_values);
  return {{q, memory.keys, memory.values}, [=](const Tensors& x) {
            return side_by_side(layer.attention.attend_heads(x[0], {x[1], x[2]}, layer.mask, 5));
          }};
}

GRADIENT("MultiHeadAttention::queries(x, first_position)") {
  const AnyLayer layer(random);
  return {layer.with_parameters({layer.x}), [=](const Tensors& x) { return layer.attention.queries(x[0], 2); }};
}

GRADIENT("MultiHeadAttention::output(contexts)") {
  const AnyLayer layer(random);
  const Shape contexts = {layer.batch, layer.options.heads, layer.T, layer.options.value_size};
  return {layer.with_parameters({random.tensor(contexts)}),
          [=](const Tensors& x) { return layer.attention.output(x[0]); }};
}

// ── Linear attention and attention in blocks ────────────────────────────────────────────────────────────────────────

GRADIENT("positive_features(x)") {
  return {{random.away_from_zero(random.shape())}, [](const Tensors& x) { return positive_features(x[0]); }};
}

GRADIENT("linear_attention(q, k, v)") {
  const Shape batch = random.batch();
  const int T = random.size(), S = 1 + random.size(), K = 1 + random.size();  // with S = 1 the result is just v
  return {{random.away_from_zero(joined(batch, {T, K})), random.away_from_zero(joined(batch, {S, K})),
           random.tensor(joined(batch, {S, random.size()}))},
          [](const Tensors& x) { return linear_attention(x[0], x[1], x[2]); }};
}

GRADIENT("causal_linear_attention(q, k, v)") {
  const Shape batch = random.batch();
  const int T = random.size(), K = random.size();
  return {{random.away_from_zero(joined(batch, {T, K})), random.away_from_zero(joined(batch, {T, K})),
           random.tensor(joined(batch, {T, random.size()}))},
          [](const Tensors& x) { return causal_linear_attention(x[0], x[1], x[2]); }};
}

GRADIENT("block_attention(q, k, v, block, mask)") {
  const Shape batch = random.batch();
  const int T = random.size(), S = random.size(), K = random.size(), block = random.up_to(4);
  const Tensor mask = random.coin() ? random.mask({T, S}) : Tensor();
  return {{random.tensor(joined(batch, {T, K})), random.tensor(joined(batch, {S, K})),
           random.tensor(joined(batch, {S, random.size()}))},
          [=](const Tensors& x) { return block_attention(x[0], x[1], x[2], block, mask); }};
}

}  // namespace
