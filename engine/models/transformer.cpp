#include "engine/models/transformer.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/gpt.h"
#include "engine/models/shared_options.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_heads = 32, max_feed_forward = 4096, max_blocks = 12, max_table = 256;

StackOptions read_stack_options(const Config& config, bool tied_embedding) {
  const PositionKind positions = read_positions(config, "sinusoidal");
  const int D = read_size(config, 32, model_size_field);
  const int heads = config.integer("heads", 4, 1, max_heads);
  const MultiHeadOptions attention = {.model = D,
                                      .heads = heads,
                                      .key_value_heads = config.integer("key_value_heads", heads, 1, heads),
                                      .relative = positions.relative};
  const int four_times = std::min(4 * D, max_feed_forward);
  return {.block = {.attention = with_defaults(attention),
                    .feed_forward = config.integer("feed_forward", four_times, 1, max_feed_forward),
                    .activation = config.choice("activation", Activation::relu, activation_kinds()),
                    .norm = config.choice("norm", NormKind::layer, {"layer", "rms"}),
                    .place = config.choice("norm_place", NormPlace::pre, {"pre", "post"}),
                    .dropout = config.number("dropout", 0, 0, 0.9)},
          .layers = config.integer("layers", 1, 1, max_blocks),
          .positions = positions.absolute,
          .longest = config.integer("longest", max_positions, 1, max_table),
          .tied_embedding = config.flag("tied_embedding", tied_embedding),
          .label_smoothing = config.number("label_smoothing", 0, 0, 0.9)};
}

TransformerLmOptions read_transformer_lm_options(const Config& config) {
  return {.stack = read_stack_options(config, true), .vocabulary = read_vocabulary(config, "vocabulary")};
}

// Throws Error(shape) if a learned position table has too few rows.
void check_positions(const StackOptions& options, const std::string& input, int positions) {
  if (options.positions == AbsolutePositions::learned && positions > options.longest)
    fail(ErrorCode::shape, "longest_below_positions", options.longest, input, positions, max_positions);
}

// The same for the example values of all inputs.
void check_positions(const StackOptions& options, const std::vector<ModelInput>& inputs) {
  for (const ModelInput& input : inputs) check_positions(options, input.name, input.value.shape()[1]);
}

PositionedEmbedding make_embedding(const StackOptions& options, Parameters& parameters, const char* name,
                                   int vocabulary) {
  return {parameters, name, vocabulary, options.model(), options.positions, options.longest};
}

Blocks make_blocks(const StackOptions& options, Parameters& parameters, const std::string& name) {
  Blocks blocks;
  for (int i = 0; i < options.layers; ++i)
    blocks.push_back(make_block(options.block, parameters, name + "." + std::to_string(i)));
  return blocks;
}

std::vector<DecoderBlock> make_decoder_blocks(const StackOptions& options, Parameters& parameters,
                                              const std::string& name) {
  std::vector<DecoderBlock> blocks;
  for (int i = 0; i < options.layers; ++i)
    blocks.emplace_back(options.block, parameters, name + "." + std::to_string(i));
  return blocks;
}

// Causal mask (count, first + count) for `count` positions after `first` earlier ones; empty for a single position,
// which attends to all of them.
Tensor causal_mask_after(int first, int count) {
  return count > 1 ? causal_mask(count, first + count, first) : Tensor();
}

// The final norm of pre-norm stacks, name.norm; none for post-norm blocks, which end in one.
LayerFunction make_final_norm(const StackOptions& options, Parameters& parameters, const std::string& name) {
  return options.block.place == NormPlace::post ? LayerFunction()
                                                : make_norm(options.block, parameters, name + ".norm");
}

// x (…, D) after the final norm, if there is one, in the scope "norm".
Tensor normalised(const LayerFunction& norm, Operand x) {
  if (!norm) return x;
  Scope scope("norm", x.where);
  return norm(x);
}

// The output layer, named out: s (…, D) → logits (…, V) = W s + b; tied: E s, with the embedding table E and no
// parameters of its own.
Linear make_output_layer(const PositionedEmbedding& embedding, const StackOptions& options, int vocabulary,
                         Parameters& parameters) {
  const bool tied = options.tied_embedding;
  return tied ? Linear(embedding.table(), Tensor()) : Linear(parameters, "out", options.model(), vocabulary);
}

// Padding mask (B, 1, 1, S) for ids (B, S); empty if no row is padded.
Tensor mask_of(const Tensor& ids) {
  const bool padded = std::ranges::count(ids.values(), Scalar(pad_id)) > 0;
  return padded ? for_all_heads(padding_mask(lengths_of(ids, pad_id), ids.shape()[1])) : Tensor();
}

}  // namespace

Transformer::Transformer(const Config& config)
    : EncoderDecoderModel(config),
      options_(read_stack_options(config, false)),
      source_vocabulary_(read_vocabulary(config, "source_vocabulary")),
      target_vocabulary_(read_vocabulary(config, "target_vocabulary")),
      source_embedding_(make_embedding(options_, parameters_, "source_embedding", source_vocabulary_)),
      target_embedding_(make_embedding(options_, parameters_, "target_embedding", target_vocabulary_)),
      encoder_(make_blocks(options_, parameters_, "encoder")),
      decoder_(make_decoder_blocks(options_, parameters_, "decoder")),
      encoder_norm_(make_final_norm(options_, parameters_, "encoder")),
      decoder_norm_(make_final_norm(options_, parameters_, "decoder")),
      out_(make_output_layer(target_embedding_, options_, target_vocabulary_, parameters_)) {
  add_pair_inputs(source_vocabulary_, target_vocabulary_);
  check_positions(options_, inputs());
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
  check_positions(options_, "source", source.shape()[1]);
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
  Tensor x = dropout(source_embedding_(source), options_.block.dropout);  // (B, S, D)
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
  const Tensor causal = causal_mask_after(first, tokens.shape()[1]);                      // (T, past + T)
  BlockOutput output{dropout(target_embedding_(tokens, first), options_.block.dropout)};  // (B, T, D)
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    Scope block(std::to_string(i));
    output = decoder_[i].advance(output.x, cache.past[i], cache.memory[i], causal, cache.mask);  // (B, T, D)
  }
  return {normalised(decoder_norm_, output.x).as("s"), output.weights};
}

GeneratorState Transformer::start(const Tensor& source) {
  check_source(source);
  parameters_.record();
  DecoderCache cache = make_cache(source);
  if (!cache.mask) cache.mask = Tensor::full({source.shape()[0], 1, 1, source.shape()[1]}, 0);
  return GeneratorState(cache);
}

StepOutput Transformer::next(const Tensor& tokens, GeneratorState& state) {
  DecoderCache cache = state.as<DecoderCache>();
  const int rows = tokens.shape()[0];
  const auto [s, weights] = decode(reshape(tokens, {rows, 1}), cache);            // (R, 1, D), (R, N, 1, S)
  const Tensor logits = out_(reshape(s, {rows, options_.model()})).as("logits");  // (R, V)
  state = GeneratorState(cache);
  return {logits, weights ? at_position(mean(weights, 1), 0) : Tensor()};  // (R, S)
}

void Transformer::check_shape(const ModelInput& input, const Shape& shape) const {
  EncoderDecoderModel::check_shape(input, shape);
  check_positions(options_, input.name, shape[1]);
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
    : LanguageModel(config),
      options_(read_transformer_lm_options(config)),
      embedding_(make_embedding(options_.stack, parameters_, "embedding", options_.vocabulary)),
      blocks_(make_blocks(options_.stack, parameters_, "decoder")),
      norm_(make_final_norm(options_.stack, parameters_, "decoder")),
      out_(make_output_layer(embedding_, options_.stack, options_.vocabulary, parameters_)) {
  add_text_inputs(options_.vocabulary, 5);
  check_positions(options_.stack, inputs());
}

Tensor TransformerLm::loss() {
  output_ = {};  // frees its buffer for this pass
  parameters_.record();
  const Tensor target_in = use_input("target_in"), target_out = use_input("target_out");
  std::vector<KeysValues> cache(blocks_.size());
  output_ = out_(hidden_states(target_in, cache).x).as("logits");  // (B, T, V)
  const double smoothing = options_.stack.label_smoothing;
  return cross_entropy(output_, target_out, {.ignored = pad_id, .label_smoothing = smoothing}).as("L");
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
         heads.key_value_heads == heads.heads && options.stack.tied_embedding && options.stack.label_smoothing == 0;
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

ModelKind transformer_kind() { return task_kind_of<new_model<Transformer>, model_size_field>("transformer"); }
ModelKind transformer_lm_kind() { return task_kind_of<make_transformer_lm, model_size_field>("transformer_lm"); }

}  // namespace unroll
