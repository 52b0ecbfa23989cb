#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/efficient_attention.h"
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/attention/scores.h"
#include "engine/nn/attention/source_attention.h"
#include "engine/nn/positions.h"
#include "engine/nn/recurrent/recurrent.h"
#include "tests/engine/support/model_gradients.h"

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

// ── One head ────────────────────────────────────────────────────────────────────────────────────────────────────────

Tensor any_mask(Samples& random, const Shape& batch, int T, int S) {
  const int kind = random.below(3);
  if (kind == 0) return {};
  return random.mask(kind == 1 ? Shape{T, S} : joined(batch, {1, S}));
}

GRADIENT("attend(e, v, mask, temperature)") {
  const Shape batch = random.batch();
  const int T = random.size(), S = random.size();
  const Tensor mask = any_mask(random, batch, T, S);
  const double temperature = random.coin() ? 1 : 0.7;
  return {{random.tensor(joined(batch, {T, S})), random.tensor(joined(batch, {S, random.size()}))},
          [=](const Tensors& x) { return side_by_side(attend(x[0], x[1], mask, temperature)); }};
}

GRADIENT("scaled_dot_product_attention(q, k, v, mask)") {
  const Shape batch = random.batch();
  const int T = random.size(), S = random.size(), K = random.size();
  const Tensor mask = any_mask(random, batch, T, S);
  return {{random.tensor(joined(batch, {T, K})), random.tensor(joined(batch, {S, K})),
           random.tensor(joined(batch, {S, random.size()}))},
          [=](const Tensors& x) { return side_by_side(scaled_dot_product_attention(x[0], x[1], x[2], mask)); }};
}

// ── Heads ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Shape heads_shape(Samples& random) { return {random.size(), random.up_to(3), random.size(), random.up_to(4)}; }

GRADIENT("split_heads(x, heads)") {
  const int heads = random.up_to(3);
  return {{random.tensor({random.size(), random.size(), heads * random.up_to(3)})},
          [=](const Tensors& x) { return split_heads(x[0], heads); }};
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

  MultiHeadOptions options;
  int batch, T, S;
  Tensor mask;
  Parameters parameters{7};
  MultiHeadAttention attention;
  Tensor x, of_keys, of_values;
};

GRADIENT("MultiHeadAttention(x, key_input, value_input, mask)") {
  const AnyLayer layer(random);
  return {with_parameters({layer.x, layer.of_keys, layer.of_values}, layer.parameters),
          [=](const Tensors& x) { return side_by_side(layer.attention(x[0], x[1], x[2], layer.mask)); }};
}

GRADIENT("MultiHeadAttention::keys_and_values(key_input, value_input, first_position)") {
  const AnyLayer layer(random);
  return {with_parameters({layer.of_keys, layer.of_values}, layer.parameters), [=](const Tensors& x) {
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
  return {with_parameters({layer.x}, layer.parameters),
          [=](const Tensors& x) { return layer.attention.queries(x[0], 2); }};
}

GRADIENT("MultiHeadAttention::output(contexts)") {
  const AnyLayer layer(random);
  const Shape contexts = {layer.batch, layer.options.heads, layer.T, layer.options.value_size};
  return {with_parameters({random.tensor(contexts)}, layer.parameters),
          [=](const Tensors& x) { return layer.attention.output(x[0]); }};
}

// ── Linear attention and attention in blocks ────────────────────────────────────────────────────────────────────────

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

// ── Attention to a source ───────────────────────────────────────────────────────────────────────────────────────────

GRADIENT("at_position(x, position)") {
  const int S = random.size(), s = random.below(S);
  return {{random.tensor(random.coin() ? Shape{random.size(), S} : Shape{random.size(), S, random.size()})},
          [=](const Tensors& x) { return at_position(x[0], s); }};
}

GRADIENT("join_positions(positions)") {
  const Shape shape = random.coin() ? Shape{random.size()} : Shape{random.size(), random.size()};
  Tensors positions;
  for (int s = random.size(); s > 0; --s) positions.push_back(random.tensor(shape));
  return {positions, [](const Tensors& x) { return join_positions(x); }};
}

GRADIENT("predicted_position(q, last, W, v)") {
  const int B = random.size(), T = random.size(), Q = random.size(), A = random.size();
  const Tensor last = random.ids({B, 1}, 9);
  return {{random.tensor({B, T, Q}), random.tensor({A, Q}, -1, 1), random.tensor({A}, -1, 1)},
          [=](const Tensors& x) { return predicted_position(x[0], last, x[1], x[2]); }};
}

GRADIENT("attend_local_p(e, v, p, deviation, mask, temperature)") {
  const int B = random.size(), T = random.size(), S = random.size();
  const Tensor mask = random.coin() ? random.mask({B, 1, S}) : Tensor();
  const double deviation = random.between(0.5, 3), temperature = random.between(0.5, 2);
  return {
      {random.tensor({B, T, S}), random.tensor({B, S, random.size()}), random.tensor({B, T}, 0, S - 1)},
      [=](const Tensors& x) { return side_by_side(attend_local_p(x[0], x[1], x[2], deviation, mask, temperature)); }};
}

Projection any_projection(Samples& random) { return static_cast<Projection>(random.below(5)); }

// Biases on both sides of relu's kink that no product outweighs.
void keep_off_the_kinks(const SourceAttentionOptions& options, const Parameters& parameters, Samples& random) {
  for (const auto& [name, kind] :
       {std::pair("queries", options.queries), {"keys", options.keys}, {"values", options.values}})
    if (kind == Projection::relu)
      fill_far_from_zero(parameters.find("attention." + std::string(name) + ".bias")->value, 12, 13, random);
}

GRADIENT("SourceAttention::attend_to(s, memory, position, temperature)") {
  const int B = random.size(), S = random.size(), T = random.below(8);
  const SourceAttentionOptions options = {.query = random.size(),
                                          .state = random.size(),
                                          .attention = random.size(),
                                          .positions = S,
                                          .queries = any_projection(random),
                                          .keys = any_projection(random),
                                          .values = any_projection(random),
                                          .window = static_cast<Window>(random.below(3)),
                                          .half_width = random.size()};
  const std::vector<int> lengths = random.lengths(B, S);
  const Tensors xs{random.tensor({B, options.query}), random.tensor({B, S, options.state})};
  return by_parameters(random, xs, [=, &random](Parameters& parameters) {
    const SourceAttention attention(options, parameters, "attention");
    keep_off_the_kinks(options, parameters, random);
    return [=](const Tensors& x) {
      return side_by_side(attention.attend_to(x[0], attention.project_memory(x[1], lengths), T));
    };
  });
}

GRADIENT("SourceAttention::project_memory(h, lengths)") {
  const int B = random.size(), S = random.size(), size = random.size();
  const std::vector<int> lengths = random.lengths(B, S);
  const SourceAttentionOptions options = {.query = random.size(),
                                          .state = size,
                                          .attention = random.size(),
                                          .keys = any_projection(random),
                                          .values = any_projection(random)};
  return by_parameters(random, {random.tensor({B, S, size})}, [=, &random](Parameters& parameters) {
    const SourceAttention attention(options, parameters, "attention");
    keep_off_the_kinks(options, parameters, random);
    return [=](const Tensors& x) {
      const Memory memory = attention.project_memory(x[0], lengths);
      return side_by_side(memory.keys, memory.values);
    };
  });
}

// ── Scores ──────────────────────────────────────────────────────────────────────────────────────────────────────────

// Queries (…, T, Q) and keys (…, S, K) of random sizes, with or without a batch.
enum class Fit { any, equal, several };  // of Q and K; the cosine of single numbers is a step function

struct Sizes {
  Sizes(Samples& random, Fit fit = Fit::any)
      : batch(random.batch(1)),
        T(random.size()),
        S(random.size()),
        Q(fit == Fit::several ? 1 + random.size() : random.size()),
        K(fit == Fit::any ? random.size() : Q),
        A(random.size()) {}
  Tensors queries_and_keys(Samples& random) const {
    return {random.tensor(joined(batch, {T, Q})), random.tensor(joined(batch, {S, K}))};
  }

  Shape batch;
  int T, S, Q, K, A;
};

using Shapes = std::vector<Shape>;
using Call = Tensor (*)(const Tensors&);

// A score function with its parameters: x[0] is q, x[1] is k, then those listed in `parameters`.
MakeGradientCase score(Fit fit, Shapes (*parameters)(const Sizes&), Call call) {
  return [=](Samples& random) {
    const Sizes s(random, fit);
    Tensors inputs = s.queries_and_keys(random);
    for (const Shape& shape : parameters(s)) inputs.push_back(random.tensor(shape, -1, 1));
    return GradientCase{inputs, call};
  };
}

Shapes none(const Sizes&) { return {}; }
Shapes one_number(const Sizes&) { return {{1}}; }
Shapes general(const Sizes& s) { return {{s.Q, s.K}}; }
Shapes biased_general(const Sizes& s) { return {{s.Q, s.K}, {1}}; }
Shapes additive(const Sizes& s) { return {{s.A, s.Q}, {s.A, s.K}, {s.A}, {s.A}}; }
Shapes additive_of_keys(const Sizes& s) { return {{s.A, s.K}}; }
Shapes concatenated(const Sizes& s) { return {{s.A, s.Q + s.K}, {s.A}}; }
Shapes linear(const Sizes& s) { return {{s.Q + s.K}, {1}}; }
Shapes location(const Sizes& s) { return {{s.S + 1, s.Q}}; }

GRADIENT("additive_score_of_keys(q, u, W, b, v)") {
  const Sizes s(random, Fit::any);
  return {{random.tensor(joined(s.batch, {s.T, s.Q})), random.tensor(joined(s.batch, {s.S, s.A})),
           random.tensor({s.A, s.Q}, -1, 1), random.tensor({s.A}, -1, 1), random.tensor({s.A}, -1, 1)},
          [](const Tensors& x) { return additive_score_of_keys(x[0], x[1], x[2], x[3], x[4]); }};
}

using X = const Tensors&;

// The complete formula of a score.
Tensor whole_score(X x) {
  const Score score = {[W = x[2]](const Operand& k) { return general_keys(k, W); },
                       [](const Operand& q, const Operand& keys) { return dot_score(q, keys); }};
  return score(x[0], x[1]);
}

const GradientCases cases = {
    {"for_all_heads(mask)", unary(for_all_heads, [](Samples& random) { return random.tensor(random.shape(3, 3)); })},
    {"join_heads(x)", unary(join_heads, [](Samples& random) { return random.tensor(heads_shape(random)); })},
    {"positive_features(x)",
     unary(positive_features, [](Samples& random) { return random.away_from_zero(random.shape()); })},
    {"dot_score(q, k)", score(Fit::equal, none, [](X x) { return dot_score(x[0], x[1]); })},
    {"scaled_dot_score(q, k)", score(Fit::equal, none, [](X x) { return scaled_dot_score(x[0], x[1]); })},
    {"cosine_score(q, k)", score(Fit::several, none, [](X x) { return cosine_score(x[0], x[1]); })},
    {"cosine_score(q, k, sharpness)",
     score(Fit::several, one_number, [](X x) { return cosine_score(x[0], x[1], x[2]); })},
    {"general_score(q, k, W)", score(Fit::any, general, [](X x) { return general_score(x[0], x[1], x[2]); })},
    {"general_keys(k, W)", score(Fit::any, general, [](X x) { return general_keys(x[1], x[2]); })},
    {"general_score_of_keys(q, keys, b)",
     score(Fit::equal, one_number, [](X x) { return general_score_of_keys(x[0], x[1], x[2]); })},
    {"Score(q, k)", score(Fit::any, general, whole_score)},
    {"general_score(q, k, W, b)",
     score(Fit::any, biased_general, [](X x) { return general_score(x[0], x[1], x[2], x[3]); })},
    {"additive_score(q, k, W, U, b, v)",
     score(Fit::any, additive, [](X x) { return additive_score(x[0], x[1], x[2], x[3], x[4], x[5]); })},
    {"additive_keys(k, U)", score(Fit::any, additive_of_keys, [](X x) { return additive_keys(x[1], x[2]); })},
    {"concat_score(q, k, W, v)",
     score(Fit::any, concatenated, [](X x) { return concat_score(x[0], x[1], x[2], x[3]); })},
    {"linear_score(q, k, w, b)", score(Fit::any, linear, [](X x) { return linear_score(x[0], x[1], x[2], x[3]); })},
    {"location_score(q, k, W)", score(Fit::any, location, [](X x) { return location_score(x[0], x[1], x[2]); })},
};

}  // namespace

TEST_CASE("gradients of score functions, and of functions of one tensor") { cases.check(); }

TEST_CASE("gradients of every named score function with respect to its parameters") {
  for (const std::string& kind : score_kinds()) {
    CAPTURE(kind);
    check_on_seeds([&](Samples& random) {
      const Sizes s(random, Fit::several);
      const auto made = by_parameters(random, s.queries_and_keys(random), [&](Parameters& parameters) {
        const Score score = make_score(kind, parameters, "score", {s.Q, s.K, s.A, s.S});
        return [=](const Tensors& x) { return score(x[0], x[1]); };
      });
      return gradient_error(made, random);
    });
  }
}
