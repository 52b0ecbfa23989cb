// A recurrent language model that attends to its own past states.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/sequence_model.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

RecurrentOptions read_network(const Config& config) {
  return {.cell = config.choice("cell", CellKind::gru, cell_kinds()),
          .input = config.integer("embedding", 32, 1, max_embedding),
          .hidden = read_size(config, 64),
          .layers = config.integer("layers", 1, 1, max_layers),
          .forget_bias = config.number("forget_bias", 0, 0, 10)};
}

// cache (R, t, …) extended by one position, `now` (R, 1, …).
Tensor append(const Tensor& cache, const Tensor& now) { return cache ? concat({cache, now}, 1) : now; }

// See LanguageModel for the inputs.
//   s_t = cell(y_t, s_{t−1})
//   c_t = Σ_{j<t} α_tj s_j, α_t = softmax(e_t), e_tj = score(s_t, s_j); c_0 = 0
//   logits_t = W [s_t; c_t] + b, without attention W s_t + b
// Loss L = the mean of −log p(target_out) over all non-padding positions; weights() are (B, T, T). (Cheng et al. 2016,
// §3.1, also attends to previous states.)
//
// Config: cell (see cell_kinds), embedding 1 to 256, hidden 1 to 512, layers 1 or 2, forget_bias, vocabulary, attention
// (true or false), score (see score_kinds), attention_size; positions 2 to 64 of the initial inputs; part and program
// (see learner_parts.h).
class RecurrentLm : public LanguageModel {
 public:
  explicit RecurrentLm(const Config& config)
      : LanguageModel(config),
        has_attention_(config.flag("attention", true)),
        vocabulary_(read_vocabulary(config, "vocabulary")),
        options_(read_network(config)),
        embedding_(parameters_, "embedding", vocabulary_, options_.input),
        network_(options_, parameters_, "network"),
        out_(parameters_, "out", options_.hidden * (has_attention_ ? 2 : 1), vocabulary_) {
    const int H = options_.hidden;
    const std::string score = config.text("score", "additive", score_kinds());
    const int attention_size = read_attention_size(config, H);
    if (has_attention_)
      score_ = make_score(score, parameters_, "attention",
                          {.query = H, .key = H, .attention = attention_size, .positions = max_positions});
    add_text_inputs(vocabulary_, config.integer("positions", 5, 2, max_positions));
  }

  Tensor loss() override {
    output_ = weights_ = {};  // frees their buffers for this pass
    parameters_.record();
    const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");
    const Tensor s = hidden_states(target_in);                          // (B, T, H)
    output_ = out_(has_attention_ ? with_context(s) : s).as("logits");  // (B, T, V)
    return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
  }

  // The logits are those of loss(); the weights are those of the last position.
  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    const Tensor ids = pending_tokens(tokens, state);  // (R, t)
    DecoderCache cache =
        state.position > 0 ? state.as<DecoderCache>() : DecoderCache{.layers = network_.zero_states(tokens.shape()[0])};
    StepOutput output;
    for (int t = 0; t < ids.shape()[1]; ++t) output = advance(at_position(ids, t), cache);
    state = GeneratorState(cache, state.position + ids.shape()[1]);
    return output;
  }

 private:
  // State after t positions: the cell states of all layers, keys (R, t, …) and values (R, t, H).
  struct DecoderCache {
    std::vector<CellState> layers = {};
    Tensor keys = {}, values = {};
    auto tensors() { return std::tie(layers, keys, values); }
  };

  // ids (B, T) → s (B, T, H)
  Tensor hidden_states(Operand ids) const {
    std::vector<Tensor> y;  // T of (B, E)
    for (int t = 0; t < ids.shape()[1]; ++t) y.push_back(embedding_(at_position(ids, t)));
    Scope scope("network");
    return join_positions(network_.run(y).states).as("s");
  }

  Tensor with_context(Operand s);

  // Processes one more token (R).
  StepOutput advance(Operand token, DecoderCache& cache) const {
    const Tensor y = embedding_(token).as("y");  // (R, E)
    {
      Scope scope("network");
      cache.layers = network_.step(y, cache.layers);
    }
    const Tensor s = cache.layers.back().h;  // (R, H)
    const AttentionOutput attended = has_attention_ ? attend_to_past(s, cache) : AttentionOutput();
    const Tensor features = has_attention_ ? concat({s, attended.context}, -1) : s;
    return {out_(features).as("logits"), attended.weights};
  }

  // c (R, H) and α (R, t) of s (R, H) over t cached positions; then adds s to the cache.
  AttentionOutput attend_to_past(Operand s, DecoderCache& cache) const {
    Scope scope("attention", s.where);
    const Tensor q = reshape(s, s.shape().inserted(1));  // (R, 1, H)
    AttentionOutput attended = {Tensor::full(s.shape(), 0), {}};
    if (cache.keys) {
      const Tensor e = score_.of_keys(q, cache.keys).as("e", Role::score);  // (R, 1, t)
      const AttentionOutput found = attend(e, cache.values);
      attended = {reshape(found.context, s.shape()), reshape(found.weights, found.weights.shape().without(1))};
    }
    cache.keys = append(cache.keys, score_.keys(q));
    cache.values = append(cache.values, q);
    return attended;
  }

  bool has_attention_;
  int vocabulary_;
  RecurrentOptions options_;
  Embedding embedding_;
  Recurrent network_;
  Score score_;
  Linear out_;
};

// s (B, T, H) → [s; c] (B, T, 2H), all positions at once, since no c is fed back into the recurrence.
Tensor RecurrentLm::with_context(Operand s) {
  Scope scope("attention", s.where);
  const int T = s.shape()[1];
  const Tensor e = score_(s, s).as("e", Role::score);                    // (B, T, T)
  const AttentionOutput attended = attend(e, s, causal_mask(T, T, -1));  // (B, T, H), no position attends to itself
  weights_ = attended.weights;
  return concat({s, attended.context}, -1);
}

}  // namespace

ModelKind language_model_kind() { return task_kind_of<new_model<RecurrentLm>, hidden_field>("language_model"); }

}  // namespace unroll
