#include "engine/models/transformer_lm.h"

#include "engine/autograd/tape.h"
#include "engine/models/block_stack.h"
#include "engine/models/registry.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/recurrent/sequence.h"
#include "engine/nn/tokens.h"

namespace unroll {
namespace {

TransformerLmOptions read_transformer_lm_options(const Config& config) {
  const TransformerLmOptions options = {.stack = read_stack_options(config),
                                        .vocabulary = config.integer("vocabulary", 16, min_vocabulary, max_vocabulary),
                                        .tied_embedding = config.flag("tied_embedding", true),
                                        .label_smoothing = config.number("label_smoothing", 0, 0, 0.9)};
  check_model_size(options.stack.model(), parameter_count(options), model_size_field);
  return options;
}

TransformerLmOptions with_parts(TransformerLmOptions options, const Parts* parts) {
  options.stack = with_parts(options.stack, parts);
  return options;
}

// The cached tensors in a fixed order.
std::vector<Tensor*> rows_of(std::vector<KeysValues>& cache) {
  std::vector<Tensor*> rows;
  for (KeysValues& block : cache) rows.insert(rows.end(), {&block.keys, &block.values});
  return rows;
}

}  // namespace

double parameter_count(const TransformerLmOptions& options) {
  const double V = options.vocabulary, out = options.tied_embedding ? 0 : V * (options.stack.model() + 1);
  return embedding_parameters(options.stack, options.vocabulary) + stack_parameters(options.stack, false) + out;
}

double activation_count(const TransformerLmOptions& options, int rows, int T) {
  const double blocks = options.stack.layers * block_activations(options.stack.block, false, T);
  return rows * T * (blocks + logit_activations * options.vocabulary);
}

double cache_bytes(const TransformerLmOptions& options, int positions) {
  const MultiHeadOptions& heads = options.stack.block.attention;
  const double values = heads.key_value_heads * (heads.head_size + heads.value_size);
  return options.stack.layers * values * positions * sizeof(float);
}

double multiply_adds(const TransformerLmOptions& options, int positions, int cached) {
  const BlockOptions& block = options.stack.block;
  const MultiHeadOptions& heads = block.attention;
  const double D = heads.model, both = heads.head_size + heads.value_size;
  const double projections = D * both * (heads.heads + heads.key_value_heads);
  const double attention = heads.heads * both * (cached + positions);
  const double feed_forward = (block.activation == Activation::swiglu ? 3 : 2) * D * block.feed_forward;
  return positions * options.stack.layers * (projections + attention + feed_forward) + D * options.vocabulary;
}

TransformerLm::TransformerLm(const Config& config)
    : LanguageModel(config.seed()),
      parts_(learner_parts(config, parameters_)),
      options_(with_parts(read_transformer_lm_options(config), parts_.get())),
      embedding_(parameters_, "embedding", options_.vocabulary, options_.stack.model(), options_.stack.positions,
                 options_.stack.longest, *options_.stack.block.parts),
      blocks_(make_blocks(options_.stack, parameters_, "decoder")),
      norm_(make_final_norm(options_.stack, parameters_, "decoder")),
      out_(make_output_layer(embedding_, options_.tied_embedding, parameters_)) {
  add_text_inputs(options_.vocabulary, 5);
  for (const ModelInput& input : inputs()) check_positions(options_.stack, input.name, input.value.shape()[1]);
}

ModelSize TransformerLm::size(const Config& config, const BatchSizes& batch) {
  const TransformerLmOptions options = read_transformer_lm_options(config);
  return {parameter_count(options), activation_count(options, batch.rows, batch.target)};
}

Tensor TransformerLm::loss() {
  output_ = {};  // frees its buffer for this pass
  parameters_.record();
  const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");
  std::vector<KeysValues> cache(blocks_.size());
  output_ = out_(hidden_states(target_in, cache).x).as("logits");  // (B, T, V)
  return cross_entropy(output_, target_out, {.ignored = pad_id, .label_smoothing = options_.label_smoothing}).as("L");
}

// Tokens (B, T) after the cached ones → states (B, T, D), and the last block's attention weights (B, N, T, cached + T).
BlockOutput TransformerLm::hidden_states(Operand ids, std::vector<KeysValues>& cache) const {
  const int first = cached_length(cache[0]);
  const Tensor mask = causal_mask_after(first, ids.shape()[1]);
  const Tensor x = embedding_(ids, first);  // (B, T, D)
  Scope scope("decoder");
  BlockOutput output{dropout(x, options_.stack.block.dropout), {}};
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Scope block(std::to_string(i));
    output = blocks_[i]->advance(output.x, cache[i], mask);
  }
  return {normalised(norm_, output.x).as("s"), output.weights};
}

StepOutput TransformerLm::next(const Tensor& tokens, GeneratorState& state) {
  const bool has_cache = blocks_[0]->has_cache();
  std::vector<KeysValues> cache(blocks_.size());
  if (has_cache && state.position > 0) state.unpack(rows_of(cache));
  Tensor ids = pending_tokens(tokens, state);  // (R, t)
  const int position = state.position + ids.shape()[1];
  if (!has_cache && state.position > 0) ids = concat({state.rows[0], ids}, 1);  // (R, position)
  const auto [s, weights] = hidden_states(ids, cache);                          // (R, t, D), (R, N, t, S)
  state = has_cache ? GeneratorState::pack(rows_of(cache), position) : GeneratorState{{ids}, position};
  const int last = ids.shape()[1] - 1;
  return {out_(at_position(s, last)).as("logits"), weights ? at_position(mean(weights, 1), last) : Tensor()};
}

void TransformerLm::check_shape(const ModelInput& input, const Shape& shape) const {
  LanguageModel::check_shape(input, shape);
  check_positions(options_.stack, input.name, shape[1]);
}

std::optional<GenerationCost> TransformerLm::generation_cost(int positions) const {
  if (!blocks_[0]->has_cache()) return std::nullopt;
  return GenerationCost{.cache_bytes = cache_bytes(options_, positions),
                        .multiply_adds = multiply_adds(options_, 1, positions - 1),
                        .multiply_adds_uncached = multiply_adds(options_, positions, 0)};
}

ModelKind transformer_lm_kind() { return kind_of<TransformerLm>("transformer_lm"); }

}  // namespace unroll
