#include "engine/models/transformer_lm.h"

#include "engine/autograd/tape.h"
#include "engine/models/block_stack.h"
#include "engine/models/gpt.h"
#include "engine/models/registry.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/recurrent/sequence.h"
#include "engine/nn/tokens.h"

namespace unroll {
namespace {

TransformerLmOptions read_transformer_lm_options(const Config& config) {
  return {.stack = read_stack_options(config),
          .vocabulary = config.integer("vocabulary", 16, min_vocabulary, max_vocabulary),
          .tied_embedding = config.flag("tied_embedding", true),
          .label_smoothing = config.number("label_smoothing", 0, 0, 0.9)};
}

}  // namespace

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
    : LanguageModel(config),
      options_(read_transformer_lm_options(config)),
      embedding_(parameters_, "embedding", options_.vocabulary, options_.stack.model(), options_.stack.positions,
                 options_.stack.longest),
      blocks_(make_blocks(options_.stack, parameters_, "decoder")),
      norm_(make_final_norm(options_.stack, parameters_, "decoder")),
      out_(make_output_layer(embedding_, options_.tied_embedding, options_.vocabulary, options_.stack, parameters_)) {
  add_text_inputs(options_.vocabulary, 5);
  for (const ModelInput& input : inputs()) check_positions(options_.stack, input.name, input.value.shape()[1]);
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
  const bool has_cache = blocks_[0]->has_cache(), first = state.position == 0;
  using Cache = std::vector<KeysValues>;
  Cache cache = has_cache && !first ? state.as<Cache>() : Cache(blocks_.size());
  Tensor ids = pending_tokens(tokens, state);  // (R, t)
  const int position = state.position + ids.shape()[1];
  if (!has_cache && !first) ids = concat({state.as<Tensor>(), ids}, 1);  // (R, position)
  const auto [s, weights] = hidden_states(ids, cache);                   // (R, t, D), (R, N, t, S)
  state = has_cache ? GeneratorState(cache, position) : GeneratorState(ids, position);
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

namespace {

bool is_plain(const TransformerLmOptions& options) {
  const BlockOptions& block = options.stack.block;
  const MultiHeadOptions& heads = block.attention;
  return options.stack.positions == AbsolutePositions::sinusoidal && block.place == NormPlace::pre &&
         block.norm == NormKind::layer && block.activation == Activation::gelu &&
         heads.key_value_heads == heads.heads && options.tied_embedding && options.label_smoothing == 0;
}

// The plain GPT is a file of its own, which is shown, and runs unless the config asks for a variant.
std::unique_ptr<Model> make_transformer_lm(const Config& config) {
  const TransformerLmOptions options = read_transformer_lm_options(config);
  if (config.has("part") || !is_plain(options)) return std::make_unique<TransformerLm>(config);
  const BlockOptions& block = options.stack.block;
  return make_gpt(config, {.vocabulary = options.vocabulary,
                           .size = options.stack.model(),
                           .heads = block.attention.heads,
                           .feed_forward = block.feed_forward,
                           .layers = options.stack.layers,
                           .dropout = block.dropout});
}

}  // namespace

ModelKind transformer_lm_kind() { return task_kind_of<make_transformer_lm, model_size_field>("transformer_lm"); }

}  // namespace unroll
