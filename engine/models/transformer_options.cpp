#include "engine/models/transformer_options.h"

#include <algorithm>

#include "engine/models/token_inputs.h"

namespace unroll {

TransformerOptions read_transformer_options(const Config& config) {
  const TransformerOptions options = {
      .stack = read_stack_options(config),
      .source_vocabulary = config.integer("source_vocabulary", 16, least_vocabulary, most_vocabulary),
      .target_vocabulary = config.integer("target_vocabulary", 16, least_vocabulary, most_vocabulary),
      .tied_embedding = config.flag("tied_embedding", false),
      .label_smoothing = config.number("label_smoothing", 0, 0, 0.9)};
  refuse_too_large(options.stack.model(), parameter_count(options), model_size_field);
  return options;
}

double parameter_count(const TransformerOptions& options) {
  const StackOptions& stack = options.stack;
  const double V = options.target_vocabulary, D = stack.model();
  const double embeddings = embedding_parameters(stack, options.source_vocabulary) + embedding_parameters(stack, V);
  const double out = options.tied_embedding ? 0 : V * (D + 1);
  return embeddings + stack_parameters(stack, false) + stack_parameters(stack, true) + out;
}

double activation_count(const TransformerOptions& options, int rows, int S, int T) {
  const StackOptions& stack = options.stack;
  const double reading = stack.layers * block_activations(stack.block, false, S);
  const double writing = stack.layers * block_activations(stack.block, true, std::max(S, T));
  return rows * (S * reading + T * (writing + logit_activations * options.target_vocabulary));
}

}  // namespace unroll
