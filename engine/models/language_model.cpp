#include "engine/models/language_model.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/model_size.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/attention.h"
#include "engine/nn/masks.h"
#include "engine/nn/sequence.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

ScoreSizes score_sizes(const LanguageModelOptions& options) {
  const int H = options.network.hidden;
  return {.query = H, .key = H, .attention = options.attention_size, .positions = most_positions};
}

int out_size(const LanguageModelOptions& options) { return options.network.hidden * (options.attention ? 2 : 1); }

LanguageModelOptions read_language_model_options(const Config& config) {
  const int hidden = asked_size(config, 64);
  const LanguageModelOptions options = {
      .network = {.cell = config.choice("cell", CellKind::gru, cell_kinds()),
                  .input = config.integer("embedding", 32, 1, largest_embedding),
                  .hidden = hidden,
                  .layers = config.integer("layers", 1, 1, most_layers),
                  .forget_bias = config.number("forget_bias", 0, 0, 10)},
      .vocabulary = config.integer("vocabulary", 16, least_vocabulary, most_vocabulary),
      .attention = config.flag("attention", true),
      .score = config.text("score", "additive", score_kinds()),
      .attention_size = config.integer("attention_size", std::min(hidden, largest_hidden), 1, largest_hidden)};
  refuse_too_large(hidden, parameter_count(options));
  return options;
}

// past (R, t, …) with one position more; `now` is (R, 1, …).
Tensor longer(const Tensor& past, const Tensor& now) { return past ? concat({past, now}, 1) : now; }

}  // namespace

double parameter_count(const LanguageModelOptions& options) {
  const double V = options.vocabulary, E = options.network.input;
  const double looking = options.attention ? score_parameters(options.score, score_sizes(options)) : 0;
  return V * E + stack_parameters(options.network, E) + looking + V * (out_size(options) + 1.0);
}

double activation_count(const LanguageModelOptions& options, int rows, int T) {
  const double cells = options.network.layers * cell_activations(options.network.cell, options.network.hidden);
  const double looking = options.attention ? T * (options.attention_size + 8.0) : 0;
  return rows * T * (cells + looking + logit_activations * options.vocabulary);
}

LanguageModel::LanguageModel(const Config& config)
    : TextModel(config.seed()),
      options_(read_language_model_options(config)),
      embedding_(parameters_, "embedding", options_.vocabulary, options_.network.input),
      network_(options_.network, parameters_, "network"),
      out_(parameters_, "out", out_size(options_), options_.vocabulary) {
  if (options_.attention) score_ = make_score(options_.score, parameters_, "attention", score_sizes(options_));
  add_text_inputs(options_.vocabulary, config.integer("positions", 5, 2, most_positions));
}

ModelSize LanguageModel::size(const Config& config, const BatchSizes& batch) {
  const LanguageModelOptions options = read_language_model_options(config);
  return {parameter_count(options), activation_count(options, batch.rows, batch.target)};
}

Tensor LanguageModel::loss() {
  output_ = weights_ = {};  // their memory serves the new ones
  parameters_.watch();
  const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");
  const Tensor s = read(target_in);                                    // (B, T, H)
  output_ = out_(options_.attention ? with_past(s) : s).as("logits");  // (B, T, V)
  return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
}

// ids (B, T) → s (B, T, H)
Tensor LanguageModel::read(Operand ids) const {
  std::vector<Tensor> y;  // T of (B, E)
  for (int t = 0; t < ids.shape()[1]; ++t) y.push_back(embedding_(at_position(ids, t)));
  Scope scope("network");
  return join_positions(network_.run(y).states).as("s");
}

// s (B, T, H) → [s; c] (B, T, 2H), all positions at once: no c is fed back, so none has to wait for another.
Tensor LanguageModel::with_past(Operand s) {
  Scope scope("attention", s.where);
  const int T = s.shape()[1];
  const Tensor e = score_(s, s).as("e", Role::score);         // (B, T, T)
  const Attended past = attend(e, s, causal_mask(T, T, -1));  // (B, T, H), no position sees itself
  weights_ = past.weights;
  return concat({s, past.context}, -1);
}

Written LanguageModel::next(const Tensor& tokens, WriterState& state) {
  const Tensor ids = unread(tokens, state);  // (R, t)
  Past past{.layers = network_.zero_states(tokens.shape()[0])};
  if (begun(state)) state.put_back(rows_of(past));
  Written written;
  for (int t = 0; t < ids.shape()[1]; ++t) written = advance(at_position(ids, t), past);
  state = WriterState::of(rows_of(past));
  return written;
}

// One token (R) more.
Written LanguageModel::advance(Operand token, Past& past) const {
  const Tensor y = embedding_(token).as("y");  // (R, E)
  {
    Scope scope("network");
    past.layers = network_.step(y, past.layers);
  }
  const Tensor s = past.layers.back().h;  // (R, H)
  const Attended looked = options_.attention ? look_back(s, past) : Attended();
  const Tensor known = options_.attention ? concat({s, looked.context}, -1) : s;
  return {out_(known).as("logits"), looked.weights};
}

// c (R, H) and α (R, t) for s (R, H) after t positions, to which s is added.
Attended LanguageModel::look_back(Operand s, Past& past) const {
  Scope scope("attention", s.where);
  const Tensor q = reshape(s, s.shape().inserted(1));  // (R, 1, H)
  Attended looked = {Tensor::full(s.shape(), 0), {}};
  if (past.keys) {
    const Tensor e = score_.of_keys(q, past.keys).as("e", Role::score);  // (R, 1, t)
    const Attended found = attend(e, past.values);
    looked = {reshape(found.context, s.shape()), reshape(found.weights, found.weights.shape().without(1))};
  }
  past.keys = longer(past.keys, score_.keys(q));
  past.values = longer(past.values, q);
  return looked;
}

// The tensors of a state, in one order; keys and values are there from the second position on.
std::vector<Tensor*> LanguageModel::rows_of(Past& past) const {
  std::vector<Tensor*> rows;
  for (CellState& layer : past.layers) {
    rows.push_back(&layer.h);
    if (options_.network.cell == CellKind::lstm) rows.push_back(&layer.c);
  }
  rows.push_back(&past.keys);
  rows.push_back(&past.values);
  return rows;
}

}  // namespace unroll
