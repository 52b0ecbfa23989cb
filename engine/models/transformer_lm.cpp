#include "engine/models/transformer_lm.h"

#include "engine/autograd/tape.h"
#include "engine/models/block_stack.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/dropout.h"
#include "engine/nn/sequence.h"
#include "engine/nn/tokens.h"

namespace unroll {
namespace {

TransformerLmOptions read_transformer_lm_options(const Config& config) {
  const TransformerLmOptions options = {
      .stack = read_stack_options(config),
      .vocabulary = config.integer("vocabulary", 16, least_vocabulary, most_vocabulary),
      .tied_embedding = config.flag("tied_embedding", true),
      .label_smoothing = config.number("label_smoothing", 0, 0, 0.9)};
  refuse_too_large(options.stack.model(), parameter_count(options), model_size_field);
  return options;
}

// The tensors of what is known of the past.
std::vector<Tensor*> rows_of(std::vector<KeysValues>& past) {
  std::vector<Tensor*> rows;
  for (KeysValues& block : past) rows.insert(rows.end(), {&block.keys, &block.values});
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
  const double numbers = heads.key_value_heads * (heads.head_size + heads.value_size);
  return options.stack.layers * numbers * positions * sizeof(float);
}

double multiply_adds(const TransformerLmOptions& options, int positions, int cached) {
  const BlockOptions& block = options.stack.block;
  const MultiHeadOptions& heads = block.attention;
  const double D = heads.model, both = heads.head_size + heads.value_size;
  const double projecting = D * both * (heads.heads + heads.key_value_heads);
  const double looking = heads.heads * both * (cached + positions);
  const double working = (block.activation == Activation::swiglu ? 3 : 2) * D * block.feed_forward;
  return positions * options.stack.layers * (projecting + looking + working) + D * options.vocabulary;
}

TransformerLm::TransformerLm(const Config& config)
    : TextModel(config.seed()),
      options_(read_transformer_lm_options(config)),
      words_(parameters_, "embedding", options_.vocabulary, options_.stack.model(), options_.stack.positions,
             options_.stack.longest),
      blocks_(make_blocks<EncoderBlock>(options_.stack, parameters_, "decoder")),
      norm_(make_last_norm(options_.stack, parameters_, "decoder")),
      out_(make_out(words_, options_.tied_embedding, parameters_)) {
  add_text_inputs(options_.vocabulary, 5);
}

ModelSize TransformerLm::size(const Config& config, const BatchSizes& batch) {
  const TransformerLmOptions options = read_transformer_lm_options(config);
  return {parameter_count(options), activation_count(options, batch.rows, batch.target)};
}

Tensor TransformerLm::loss() {
  output_ = {};  // its memory serves the new one
  parameters_.watch();
  const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");
  refuse_too_long(options_.stack, "target_in", target_in.shape()[1]);
  std::vector<KeysValues> past(blocks_.size());
  output_ = out_(read(target_in, past).x).as("logits");  // (B, T, V)
  return cross_entropy(output_, target_out, {.ignored = pad_id, .label_smoothing = options_.label_smoothing}).as("L");
}

// The tokens (B, T) behind the past: the states (B, T, D), and where the last block looked, (B, N, T, past and T).
BlockOutput TransformerLm::read(Operand ids, std::vector<KeysValues>& past) const {
  const int first = length_of(past[0]);
  const Tensor mask = causal_mask_behind(first, ids.shape()[1]);
  const Tensor x = words_(ids, first);  // (B, T, D)
  Scope scope("decoder");
  BlockOutput now{dropout(x, options_.stack.block.dropout), {}};
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Scope block(std::to_string(i));
    now = blocks_[i].advance(now.x, past[i], mask);
  }
  return {normalised(norm_, now.x).as("s"), now.weights};
}

Written TransformerLm::next(const Tensor& tokens, WriterState& state) {
  std::vector<KeysValues> past(blocks_.size());
  if (begun(state)) state.put_back(rows_of(past));
  const Tensor ids = unread(tokens, state);   // (R, t)
  const auto [s, weights] = read(ids, past);  // (R, t, D), (R, N, t, S)
  state = WriterState::of(rows_of(past));
  const int last = ids.shape()[1] - 1;
  const Tensor looked = mean(weights, 1);  // (R, t, S)
  return {out_(at_position(s, last)).as("logits"), at_position(looked, last)};
}

void TransformerLm::check_shape(const ModelInput& input, const Shape& shape) const {
  TextModel::check_shape(input, shape);
  refuse_too_long(options_.stack, input.name, shape[1]);
}

std::optional<WritingCost> TransformerLm::cost_behind(int positions) const {
  return WritingCost{.cache_bytes = cache_bytes(options_, positions),
                     .multiply_adds = multiply_adds(options_, 1, positions - 1),
                     .multiply_adds_anew = multiply_adds(options_, positions, 0)};
}

}  // namespace unroll
