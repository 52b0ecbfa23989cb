#include "engine/models/transformer.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/block_stack.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/dropout.h"
#include "engine/nn/masks.h"
#include "engine/nn/sequence.h"
#include "engine/nn/tokens.h"

namespace unroll {
namespace {

PositionedEmbedding make_words(const TransformerOptions& options, Parameters& parameters, const char* name,
                               int vocabulary) {
  return {parameters, name, vocabulary, options.stack.model(), options.stack.positions, options.stack.longest};
}

// (B, 1, 1, S): hides the padding behind each row of ids (B, S); no tensor where there is none.
Tensor mask_of(const Tensor& ids) {
  const bool padded = std::ranges::count(ids.values(), Scalar(pad_id)) > 0;
  return padded ? for_all_heads(padding_mask(lengths_of(ids, pad_id), ids.shape()[1])) : Tensor();
}

}  // namespace

Transformer::Transformer(const Config& config)
    : PairModel(config.seed()),
      options_(read_transformer_options(config)),
      source_words_(make_words(options_, parameters_, "source_embedding", options_.source_vocabulary)),
      target_words_(make_words(options_, parameters_, "target_embedding", options_.target_vocabulary)),
      encoder_(make_blocks<EncoderBlock>(options_.stack, parameters_, "encoder")),
      decoder_(make_blocks<DecoderBlock>(options_.stack, parameters_, "decoder")),
      encoder_norm_(make_last_norm(options_.stack, parameters_, "encoder")),
      decoder_norm_(make_last_norm(options_.stack, parameters_, "decoder")),
      out_(make_out(target_words_, options_.tied_embedding, parameters_)) {
  add_pair_inputs(options_.source_vocabulary, options_.target_vocabulary);
}

ModelSize Transformer::size(const Config& config, const BatchSizes& batch) {
  const TransformerOptions options = read_transformer_options(config);
  return {parameter_count(options), activation_count(options, batch.rows, batch.source, batch.target)};
}

Tensor Transformer::loss() {
  output_ = weights_ = {};  // their memory serves the new ones
  parameters_.watch();
  const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
  Known known = read(source);
  refuse_too_long(options_.stack, "target_in", target_in.shape()[1]);
  const auto [s, weights] = decode(target_in, known);           // (B, T, D), (B, N, T, S)
  weights_ = mean(weights, 1).as("attention/α", Role::weight);  // (B, T, S)
  output_ = out_(s).as("logits");                               // (B, T, V)
  return cross_entropy(output_, target_out, {.ignored = pad_id, .label_smoothing = options_.label_smoothing}).as("L");
}

// What the decoder needs of the source (B, S).
Transformer::Known Transformer::read(Operand source) const {
  refuse_too_long(options_.stack, "source", source.shape()[1]);
  Known known{.mask = mask_of(source)};
  const Tensor memory = encode(source, known.mask);  // (B, S, D)
  Scope scope("decoder");
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    Scope block(std::to_string(i));
    known.memory.push_back(decoder_[i].read(memory));
  }
  known.past.resize(decoder_.size());
  return known;
}

Tensor Transformer::encode(Operand source, const Tensor& mask) const {
  Scope scope("encoder", source.where);
  Tensor x = dropout(source_words_(source), options_.stack.block.dropout);  // (B, S, D)
  for (std::size_t i = 0; i < encoder_.size(); ++i) {
    Scope block(std::to_string(i));
    x = encoder_[i](x, mask).x;  // (B, S, D)
  }
  return normalised(encoder_norm_, x).as("memory");  // (B, S, D)
}

// The tokens (B, T) behind those that `known` holds: the states (B, T, D), and where the last block looked.
BlockOutput Transformer::decode(Operand tokens, Known& known) const {
  Scope scope("decoder", tokens.where);
  const int first = length_of(known.past.front());
  const Tensor causal = causal_mask_behind(first, tokens.shape()[1]);                    // (T, past and T)
  BlockOutput now{dropout(target_words_(tokens, first), options_.stack.block.dropout)};  // (B, T, D)
  for (std::size_t i = 0; i < decoder_.size(); ++i) {
    Scope block(std::to_string(i));
    now = decoder_[i].advance(now.x, known.past[i], known.memory[i], causal, known.mask);  // (B, T, D)
  }
  return {normalised(decoder_norm_, now.x).as("s"), now.weights};
}

WriterState Transformer::start(const Tensor& source) {
  check_token_shape("source", source.shape());
  check_padding("source", source);
  parameters_.watch();
  return written_as(read(source));
}

Written Transformer::next(const Tensor& tokens, WriterState& state) {
  Known known = read_from(state);
  const int rows = tokens.shape()[0];
  const auto [s, weights] = decode(reshape(tokens, {rows, 1}), known);                  // (R, 1, D), (R, N, 1, S)
  const Tensor logits = out_(reshape(s, {rows, options_.stack.model()})).as("logits");  // (R, V)
  const Tensor looked = mean(weights, 1);                                               // (R, 1, S)
  state = written_as(known);
  return {logits, reshape(looked, looked.shape().without(1))};
}

// The tensors of what is known, in one order; a past that has not begun comes last.
std::vector<Tensor*> Transformer::rows_of(Known& known) const {
  std::vector<Tensor*> rows = {&known.mask};
  for (std::vector<KeysValues>* each : {&known.memory, &known.past})
    for (KeysValues& block : *each) rows.insert(rows.end(), {&block.keys, &block.values});
  return rows;
}

// As rows; a source without padding gets the mask that hides nothing.
WriterState Transformer::written_as(Known known) const {
  const Shape& keys = known.memory.front().keys.shape();
  if (!known.mask) known.mask = Tensor::full({keys[0], 1, 1, keys[2]}, 0);
  return WriterState::of(rows_of(known));
}

Transformer::Known Transformer::read_from(const WriterState& written) const {
  Known known{.memory = std::vector<KeysValues>(decoder_.size()), .past = std::vector<KeysValues>(decoder_.size())};
  written.put_back(rows_of(known));
  return known;
}

void Transformer::check_shape(const ModelInput& input, const Shape& shape) const {
  PairModel::check_shape(input, shape);
  refuse_too_long(options_.stack, input.name, shape[1]);
}

}  // namespace unroll
