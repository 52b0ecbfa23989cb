// GPT, whole: a decoder-only Transformer, from token ids to the loss. (Radford et al. 2018, §3.1; the norm comes before
// each layer, as in Radford et al. 2019, §2.3; √D · E and the positions are those of Vaswani et al. 2017, §3.4, §3.5.)
//
// B rows, T positions (S with the cached ones), D model size, N heads, K = D / N, F hidden size, V vocabulary.
//
// Beside PyTorch: declare() makes an nn.Parameter, Linear is nn.Linear with Xavier's weights, gather(E, ids) is E[ids].
// An Operand is a tensor with the line of code that uses it; an empty Tensor is false. x.as("q") gives x its name on
// the page, where its values can be edited; Role gives it a colour; a Scope begins the names within it. transformer.cpp
// makes this model, train/ trains it, and generate/ asks it for the next token.
#include "engine/models/gpt.h"

#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/scores.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/positions.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"

namespace unroll::gpt {

// The keys and values of the positions so far, (B, N, S, K); empty at first.
struct Cache {
  Tensor k, v;
  auto tensors() { return std::tie(k, v); }  // whose rows a GeneratorState selects, as in a beam search
  int length() const { return k ? k.shape()[2] : 0; }
  void append(const Tensor& new_k, const Tensor& new_v) {
    k = k ? concat({k, new_k}, 2) : new_k;  // (B, N, S, K)
    v = v ? concat({v, new_v}, 2) : new_v;  // (B, N, S, K)
  }
};

struct LayerOutput {
  Tensor x;             // (B, T, D)
  Tensor weights = {};  // (B, N, T, S)
};

struct LayerNorm {
  LayerNorm(Parameters& parameters, const std::string& name, int D)
      : weight(parameters.declare(name + ".weight", {D}, constant(1))),
        bias(parameters.declare(name + ".bias", {D}, constant(0))) {}

  Tensor operator()(Operand x) const { return layer_norm(x, weight, bias).as("normed"); }  // (B, T, D)
  Tensor weight, bias;                                                                     // (D)
};

// Each position asks itself and the earlier ones: its query meets their keys, and their values are averaged.
struct CausalAttention {
  CausalAttention(Parameters& parameters, const std::string& name, const GptOptions& o)
      : W_Q(parameters, name + ".W_Q", o.size, o.size),
        W_K(parameters, name + ".W_K", o.size, o.size),
        W_V(parameters, name + ".W_V", o.size, o.size),
        W_O(parameters, name + ".W_O", o.size, o.size),
        heads(o.heads) {}

  Tensor split(Operand x) const {
    const int B = x.shape()[0], T = x.shape()[1], K = x.shape()[2] / heads;
    return permute(reshape(x, {B, T, heads, K}), {0, 2, 1, 3});  // (B, N, T, K)
  }
  static Tensor join(Operand x) {
    const int B = x.shape()[0], N = x.shape()[1], T = x.shape()[2], K = x.shape()[3];
    return reshape(permute(x, {0, 2, 1, 3}), {B, T, N * K});  // (B, T, D)
  }

  // The mask (T, S) is −∞ where a key is later than the query, else 0; the last position alone, T = 1, needs none.
  LayerOutput operator()(Operand x, Cache& cache, const Tensor& mask) const {
    const Tensor k = split(W_K(x)).as("k");  // (B, N, T, K)
    const Tensor v = split(W_V(x)).as("v");  // (B, N, T, K)
    cache.append(k, v);
    const Tensor q = split(W_Q(x)).as("q");                        // (B, N, T, K)
    Tensor e = scaled_dot_score(q, cache.k).as("e", Role::score);  // q kᵀ / √K (B, N, T, S)
    if (mask) e = (e + mask).as("e masked", Role::score);          // (B, N, T, S)
    const Tensor weights = softmax(e, -1).as("α", Role::weight);   // (B, N, T, S)
    const Tensor context = matmul(weights, cache.v).as("c");       // (B, N, T, K)
    return {W_O(join(context)).as("o"), weights};                  // (B, T, D), (B, N, T, S)
  }

  Linear W_Q, W_K, W_V, W_O;  // x Wᵀ + b, with W (D, D) and b (D)
  int heads;
};

// What a position computes by itself.
struct FeedForward {
  FeedForward(Parameters& parameters, const std::string& name, const GptOptions& o)
      : W_1(parameters, name + ".W_1", o.size, o.feed_forward),
        W_2(parameters, name + ".W_2", o.feed_forward, o.size) {}

  Tensor operator()(Operand x) const {
    const Tensor hidden = gelu(W_1(x).as("preactivation")).as("hidden");  // (B, T, F)
    return W_2(hidden).as("y");                                           // (B, T, D)
  }

  Linear W_1, W_2;  // x Wᵀ + b, with W (F, D) and (D, F)
};

// Calls a layer in a scope of its name on the tape.
template <typename Layer, typename... More>
auto in_scope(const std::string& name, const Layer& layer, Operand x, More&... more) {
  Scope scope(name, x.where);
  return layer(x, more...);
}

struct Block {
  Block(Parameters& parameters, const std::string& name, const GptOptions& o)
      : attention(parameters, name + ".attention", o),
        norm1(parameters, name + ".norm1", o.size),
        feed_forward(parameters, name + ".feed_forward", o),
        norm2(parameters, name + ".norm2", o.size),
        rate(o.dropout) {}

  LayerOutput operator()(Operand x, Cache& cache, const Tensor& mask) const {
    const Tensor a = in_scope("norm1", norm1, x);                                // (B, T, D)
    const auto [o, weights] = in_scope("attention", attention, a, cache, mask);  // (B, T, D), (B, N, T, S)
    const Tensor h = (x + dropout(o, rate)).as("after attention");               // (B, T, D)
    const Tensor b = in_scope("norm2", norm2, h);                                // (B, T, D)
    const Tensor f = in_scope("feed_forward", feed_forward, b);                  // (B, T, D)
    return {(h + dropout(f, rate)).as("after feed_forward"), weights};           // (B, T, D), (B, N, T, S)
  }

  CausalAttention attention;
  LayerNorm norm1;
  FeedForward feed_forward;
  LayerNorm norm2;
  double rate;  // of dropout
};

using Caches = std::vector<Cache>;  // one per block

class Gpt : public LanguageModel {
 public:
  Gpt(const Config& config, const GptOptions& o) : LanguageModel(config), options_(o) {
    const Init spread = normal(1 / std::sqrt(static_cast<Scalar>(o.size)));  // √D · E begins as large as the positions
    E_ = parameters_.declare("embedding.weight", {o.vocabulary, o.size}, spread);
    for (int i = 0; i < o.layers; ++i) blocks_.emplace_back(parameters_, "decoder." + std::to_string(i), o);
    norm_.emplace(parameters_, "decoder.norm", o.size);
    add_text_inputs(o.vocabulary, 5);  // an example of 5 positions, until there are others
  }

  // The mean of −log p(target_out) over all positions but padding.
  Tensor loss() override {
    output_ = {};  // frees its buffer for this pass
    parameters_.record();
    const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");  // (B, T)
    Caches caches(blocks_.size());                                           // empty: no position came before
    output_ = logits(forward(target_in, caches).x);                          // (B, T, V)
    return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");  // ()
  }

  // The logits of the token after each row's. The cache holds what earlier positions computed, which never changes.
  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    Caches caches = state.position > 0 ? state.as<Caches>() : Caches(blocks_.size());
    const Tensor ids = pending_tokens(tokens, state);  // (B, T)
    const int last = ids.shape()[1] - 1;
    const auto [s, weights] = forward(ids, caches);  // (B, T, D), (B, N, T, S)
    state = GeneratorState(caches, state.position + last + 1);
    return {logits(at_position(s, last)), at_position(mean(weights, 1), last)};  // (B, V), (B, S): mean of the heads
  }

  std::optional<GenerationCost> generation_cost(int positions) const override {
    const double cached = 2.0 * options_.layers * options_.size * positions;  // keys and values
    return GenerationCost{cached * sizeof(float), multiply_adds(1, positions), multiply_adds(positions, positions)};
  }

 private:
  LayerOutput forward(Operand ids, Caches& caches) const;
  Tensor logits(Operand s) const { return matmul(s, E_, Transposed::b).as("logits"); }  // (…, V)

  // In matrix products, for T positions that attend to S and the logits of the last.
  double multiply_adds(double T, double S) const {
    const double D = options_.size, F = options_.feed_forward, projections = 4 * D * D, attention = 2 * D * S;
    return options_.layers * T * (projections + attention + 2 * D * F) + D * options_.vocabulary;
  }

  GptOptions options_;
  Tensor E_;  // (V, D): a vector for each token; the logits compare each state with all of them
  std::vector<Block> blocks_;
  std::optional<LayerNorm> norm_;  // always there; its parameters come after the blocks'
};

// ids (B, T) after the cached positions → their states, and the weights of the last block.
LayerOutput Gpt::forward(Operand ids, Caches& caches) const {
  const int T = ids.shape()[1], first = caches[0].length(), D = options_.size;
  const Tensor words = (std::sqrt(double(D)) * gather(E_, ids)).as("words");                // (B, T, D)
  const Tensor positions = sinusoidal_positions(T, D, first).as("positions", Role::input);  // (T, D)
  const Tensor mask = T > 1 ? causal_mask(T, first + T, first) : Tensor();                  // (T, S)
  const Tensor x = (words + positions).as("x");                                             // (B, T, D)
  Scope scope("decoder");
  LayerOutput out{dropout(x, options_.dropout)};
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    out = in_scope(std::to_string(i), blocks_[i], out.x, caches[i], mask);  // (B, T, D), (B, N, T, S)
  return {in_scope("norm", *norm_, out.x).as("s"), out.weights};            // (B, T, D), (B, N, T, S)
}

}  // namespace unroll::gpt

std::unique_ptr<unroll::Model> unroll::make_gpt(const Config& config, const GptOptions& options) {
  return std::make_unique<gpt::Gpt>(config, options);
}
