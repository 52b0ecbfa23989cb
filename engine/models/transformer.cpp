#include "engine/models/transformer.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/block_stack.h"
#include "engine/models/registry.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/attention/masks.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/recurrent/sequence.h"
#include "engine/nn/tokens.h"

namespace unroll {

TransformerOptions read_transformer_options(const Config& config) {
  return {.stack = read_stack_options(config),
          .source_vocabulary = config.integer("source_vocabulary", 16, min_vocabulary, max_vocabulary),
          .target_vocabulary = config.integer("target_vocabulary", 16, min_vocabulary, max_vocabulary),
          .tied_embedding = config.flag("tied_embedding", false),
          .label_smoothing = config.number("label_smoothing", 0, 0, 0.9)};
}

namespace {

PositionedEmbedding make_embedding(const TransformerOptions& options, Parameters& parameters, const char* name,
                                   int vocabulary) {
  const StackOptions& stack = options.stack;
  return {parameters, name, vocabulary, stack.model(), stack.positions, stack.longest};
}

// Padding mask (B, 1, 1, S) for ids (B, S); empty if no row is padded.
Tensor mask_of(const Tensor& ids) {
  const bool padded = std::ranges::count(ids.values(), Scalar(pad_id)) > 0;
  return padded ? for_all_heads(padding_mask(lengths_of(ids, pad_id), ids.shape()[1])) : Tensor();
}

}  // namespace

Transformer::Transformer(const Config& config)
    : EncoderDecoderModel(config),
      options_(read_transformer_options(config)),
      source_embedding_(make_embedding(options_, parameters_, "source_embedding", options_.source_vocabulary)),
      target_embedding_(make_embedding(options_, parameters_, "target_embedding", options_.target_vocabulary)),
      encoder_(make_blocks(options_.stack, parameters_, "encoder")),
      decoder_(make_decoder_blocks(options_.stack, parameters_, "decoder")),
      encoder_norm_(make_final_norm(options_.stack, parameters_, "encoder")),
      decoder_norm_(make_final_norm(options_.stack, parameters_, "decoder")),
      out_(make_output_layer(target_embedding_, options_.tied_embedding, options_.target_vocabulary, options_.stack,
                             parameters_)) {
  add_pair_inputs(options_.source_vocabulary, options_.target_vocabulary);
  for (const ModelInput& input : inputs()) check_positions(options_.stack, input.name, input.value.shape()[1]);
}

Tensor Transformer::loss() {
  output_ = weights_ = {};  // frees their buffers for this pass
  parameters_.record();
  const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
  DecoderCache cache = make_cache(source);
  const auto [s, weights] = decode(target_in, cache);                        // (B, T, D), (B, N, T, S)
  if (weights) weights_ = mean(weights, 1).as("attention/α", Role::weight);  // (B, T, S)
  output_ = out_(s).as("logits");                                            // (B, T, V)
  return cross_entropy(output_, target_out, {.ignored = pad_id, .label_smoothing = options_.label_smoothing}).as("L");
}

// Encodes the source (B, S) and projects it to keys and values for each decoder block.
Transformer::DecoderCache Transformer::make_cache(Operand source) const {
  check_positions(options_.stack, "source", source.shape()[1]);
  DecoderCache cache{.mask = mask_of(source)};
  const Tensor memory = encode(source, cache.mask);  // (B, S, D)
  Scope scope("decoder");
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    Scope block(std::to_string(i));
    cache.memory.push_back(decoder_[i].project_memory(memory));
  }
  cache.past.resize(decoder_.size());
  return cache;
}

Tensor Transformer::encode(Operand source, const Tensor& mask) const {
  Scope scope("encoder", source.where);
  Tensor x = dropout(source_embedding_(source), options_.stack.block.dropout);  // (B, S, D)
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    Scope block(std::to_string(i));
    x = (*encoder_[i])(x, mask).x;  // (B, S, D)
  }
  return normalised(encoder_norm_, x).as("memory");  // (B, S, D)
}

// Decodes the tokens (B, T) after the cached ones: states (B, T, D), and the last block's cross-attention weights.
BlockOutput Transformer::decode(Operand tokens, DecoderCache& cache) const {
  Scope scope("decoder", tokens.where);
  const int first = cached_length(cache.past.front());
  const Tensor causal = causal_mask_after(first, tokens.shape()[1]);                            // (T, past + T)
  BlockOutput output{dropout(target_embedding_(tokens, first), options_.stack.block.dropout)};  // (B, T, D)
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    Scope block(std::to_string(i));
    output = decoder_[i].advance(output.x, cache.past[i], cache.memory[i], causal, cache.mask);  // (B, T, D)
  }
  return {normalised(decoder_norm_, output.x).as("s"), output.weights};
}

GeneratorState Transformer::start(const Tensor& source) {
  check_token_shape("source", source.shape());
  check_padding("source", source);
  parameters_.record();
  DecoderCache cache = make_cache(source);
  if (!cache.mask) cache.mask = Tensor::full({source.shape()[0], 1, 1, source.shape()[1]}, 0);
  return GeneratorState(cache);
}

StepOutput Transformer::next(const Tensor& tokens, GeneratorState& state) {
  DecoderCache cache = state.as<DecoderCache>();
  const int rows = tokens.shape()[0];
  const auto [s, weights] = decode(reshape(tokens, {rows, 1}), cache);                  // (R, 1, D), (R, N, 1, S)
  const Tensor logits = out_(reshape(s, {rows, options_.stack.model()})).as("logits");  // (R, V)
  state = GeneratorState(cache);
  return {logits, weights ? at_position(mean(weights, 1), 0) : Tensor()};  // (R, S)
}

void Transformer::check_shape(const ModelInput& input, const Shape& shape) const {
  EncoderDecoderModel::check_shape(input, shape);
  check_positions(options_.stack, input.name, shape[1]);
}

ModelKind transformer_kind() { return task_kind_of<new_model<Transformer>, model_size_field>("transformer"); }

}  // namespace unroll
