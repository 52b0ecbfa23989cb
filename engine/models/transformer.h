// The Transformer: an encoder reads the source, a decoder generates the target. (Vaswani et al. 2017.)
#pragma once

#include <optional>

#include "engine/models/block_stack.h"
#include "engine/models/encoder_decoder_model.h"

namespace unroll {

struct TransformerOptions {
  StackOptions stack;  // of both encoder and decoder
  int source_vocabulary = 0, target_vocabulary = 0;
  bool tied_embedding = false;
  double label_smoothing = 0;
};

// Reads the fields that Transformer lists. Throws Error(config).
TransformerOptions read_transformer_options(const Config& config);

// Loss L = the mean of −log p(target_out) over all non-padding positions; see EncoderDecoderModel for the inputs.
//   memory = encoder blocks(√D · E[source] + P)
//   s = decoder blocks(√D · E′[target_in] + P, memory), causally masked
//   logits = W s + b
// With pre-norm blocks, each stack ends in a final norm.
//
// Config: the fields of read_stack_options, with `layers` blocks in the encoder and as many in the decoder;
// source_vocabulary, target_vocabulary; tied_embedding: logits = E′ s, without weights of their own (Press & Wolf
// 2017); label_smoothing (0 to 0.9, 0); part and program (see learner_parts.h).
//
// On the tape: encoder/x, encoder.0.attention/α, encoder.0.feed_forward/hidden, encoder/memory, decoder/x,
// decoder.0.self_attention/α, decoder.0.cross_attention/α, decoder.0.norm3/…, then attention/α and logits. weights()
// and attention/α (B, T, S) are the mean over the cross-attention heads of the last block.
class Transformer : public EncoderDecoderModel {
 public:
  explicit Transformer(const Config& config);
  Tensor loss() override;

  const TransformerOptions& options() const { return options_; }

  // The logits match loss() bit for bit: a KV cache holds the keys and values of earlier positions, which never change.
  GeneratorState start(const Tensor& source) override;
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;
  int max_new_tokens(int) const override { return options_.stack.max_length(); }

 private:
  // What the decoder attends to: the source, and its own earlier positions.
  struct DecoderCache {
    Tensor mask = {};                                // (B, 1, 1, S), hides padding; empty without padding
    std::vector<KeysValues> memory = {}, past = {};  // one per block
    auto tensors() { return std::tie(mask, memory, past); }
  };
  DecoderCache make_cache(Operand source) const;
  Tensor encode(Operand source, const Tensor& mask) const;
  BlockOutput decode(Operand tokens, DecoderCache& cache) const;

  void check_shape(const ModelInput& input, const Shape& shape) const override;

  TransformerOptions options_;
  PositionedEmbedding source_embedding_, target_embedding_;
  Blocks encoder_;
  std::vector<DecoderBlock> decoder_;
  LayerFunction encoder_norm_, decoder_norm_;
  Linear out_;
};

}  // namespace unroll
