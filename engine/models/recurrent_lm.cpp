#include "engine/models/recurrent_lm.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/registry.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/masks.h"
#include "engine/nn/recurrent/sequence.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

ScoreSizes score_sizes(const RecurrentLmOptions& options) {
  const int H = options.network.hidden;
  return {.query = H, .key = H, .attention = options.attention_size, .positions = max_positions};
}

int out_size(const RecurrentLmOptions& options) { return options.network.hidden * (options.attention ? 2 : 1); }

RecurrentLmOptions read_recurrent_lm_options(const Config& config) {
  const int hidden = read_size(config, 64);
  return {.network = {.cell = config.choice("cell", CellKind::gru, cell_kinds()),
                      .input = config.integer("embedding", 32, 1, max_embedding),
                      .hidden = hidden,
                      .layers = config.integer("layers", 1, 1, max_layers),
                      .forget_bias = config.number("forget_bias", 0, 0, 10)},
          .vocabulary = config.integer("vocabulary", 16, min_vocabulary, max_vocabulary),
          .attention = config.flag("attention", true),
          .score = config.text("score", "additive", score_kinds()),
          .attention_size = config.integer("attention_size", std::min(hidden, max_hidden), 1, max_hidden)};
}

// cache (R, t, …) extended by one position, `now` (R, 1, …).
Tensor append(const Tensor& cache, const Tensor& now) { return cache ? concat({cache, now}, 1) : now; }

}  // namespace

RecurrentLm::RecurrentLm(const Config& config)
    : LanguageModel(config),
      options_(read_recurrent_lm_options(config)),
      embedding_(parameters_, "embedding", options_.vocabulary, options_.network.input),
      network_(options_.network, parameters_, "network"),
      out_(parameters_, "out", out_size(options_), options_.vocabulary) {
  if (options_.attention) score_ = make_score(options_.score, parameters_, "attention", score_sizes(options_));
  add_text_inputs(options_.vocabulary, config.integer("positions", 5, 2, max_positions));
}

Tensor RecurrentLm::loss() {
  output_ = weights_ = {};  // frees their buffers for this pass
  parameters_.record();
  const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");
  const Tensor s = hidden_states(target_in);                              // (B, T, H)
  output_ = out_(options_.attention ? with_context(s) : s).as("logits");  // (B, T, V)
  return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
}

// ids (B, T) → s (B, T, H)
Tensor RecurrentLm::hidden_states(Operand ids) const {
  std::vector<Tensor> y;  // T of (B, E)
  for (int t = 0; t < ids.shape()[1]; ++t) y.push_back(embedding_(at_position(ids, t)));
  Scope scope("network");
  return join_positions(network_.run(y).states).as("s");
}

// s (B, T, H) → [s; c] (B, T, 2H), all positions at once, since no c is fed back into the recurrence.
Tensor RecurrentLm::with_context(Operand s) {
  Scope scope("attention", s.where);
  const int T = s.shape()[1];
  const Tensor e = score_(s, s).as("e", Role::score);                    // (B, T, T)
  const AttentionOutput attended = attend(e, s, causal_mask(T, T, -1));  // (B, T, H), no position attends to itself
  weights_ = attended.weights;
  return concat({s, attended.context}, -1);
}

StepOutput RecurrentLm::next(const Tensor& tokens, GeneratorState& state) {
  const Tensor ids = pending_tokens(tokens, state);  // (R, t)
  DecoderCache cache =
      state.position > 0 ? state.as<DecoderCache>() : DecoderCache{.layers = network_.zero_states(tokens.shape()[0])};
  StepOutput output;
  for (int t = 0; t < ids.shape()[1]; ++t) output = advance(at_position(ids, t), cache);
  state = GeneratorState(cache, state.position + ids.shape()[1]);
  return output;
}

// Processes one more token (R).
StepOutput RecurrentLm::advance(Operand token, DecoderCache& cache) const {
  const Tensor y = embedding_(token).as("y");  // (R, E)
  {
    Scope scope("network");
    cache.layers = network_.step(y, cache.layers);
  }
  const Tensor s = cache.layers.back().h;  // (R, H)
  const AttentionOutput attended = options_.attention ? attend_to_past(s, cache) : AttentionOutput();
  const Tensor features = options_.attention ? concat({s, attended.context}, -1) : s;
  return {out_(features).as("logits"), attended.weights};
}

// c (R, H) and α (R, t) of s (R, H) over t cached positions; then adds s to the cache.
AttentionOutput RecurrentLm::attend_to_past(Operand s, DecoderCache& cache) const {
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

ModelKind language_model_kind() { return task_kind_of<new_model<RecurrentLm>, hidden_field>("language_model"); }

}  // namespace unroll
