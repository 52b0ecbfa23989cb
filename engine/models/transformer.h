// The Transformers: one whose encoder reads the source and whose decoder generates the target (Vaswani et al. 2017),
// and one that is only a decoder, a language model with causal self-attention (Radford et al. 2018, §3.1).
#pragma once

#include <optional>

#include "engine/models/sequence_model.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/positions.h"
#include "engine/nn/transformer_block.h"

namespace unroll {

// What all stacks of blocks of a model share.
struct StackOptions {
  BlockOptions block;  // its attention holds relative positions
  int layers = 1;
  AbsolutePositions positions = AbsolutePositions::sinusoidal;
  int longest = 0;  // rows of a learned position table
  bool tied_embedding = false;
  double label_smoothing = 0;

  int model() const { return block.attention.model; }  // D
  // Maximum number of positions in a sequence.
  int max_length() const { return positions == AbsolutePositions::learned ? longest : max_positions; }
};

// The blocks of a stack, named name.0, name.1 …
using Blocks = std::vector<std::unique_ptr<const Block>>;

// Loss L = the mean of −log p(target_out) over all non-padding positions; see SequenceModel for the inputs.
//   memory = encoder blocks(√D · E[source] + P)
//   s = decoder blocks(√D · E′[target_in] + P, memory), causally masked
//   logits = W s + b
// With pre-norm blocks, each stack ends in a final norm (Xiong et al. 2020, §3).
//
// Config (with range and default): model_size (D, 1 to 768, 32), heads (1 to 32, 4), key_value_heads (1 to heads,
// heads), feed_forward (1 to 4096, 4 D), layers (1 to 12, 1), as many in the encoder as in the decoder; norm_place: pre
// post, norm: layer rms, activation (see activation_kinds), positions: sinusoidal none index learned alibi rotary,
// longest (1 to 256, 64: rows of a learned position table), dropout (0 to 0.9, 0), source_vocabulary,
// target_vocabulary; tied_embedding (false): logits = E′ s, without weights of their own (Press & Wolf 2017);
// label_smoothing (0 to 0.9, 0); part and program (see learner_parts.h).
//
// On the tape: encoder/x, encoder.0.attention/α, encoder.0.feed_forward/hidden, encoder/memory, decoder/x,
// decoder.0.self_attention/α, decoder.0.cross_attention/α, decoder.0.norm3/…, then attention/α and logits. weights()
// and attention/α (B, T, S) are the mean over the cross-attention heads of the last block.
class Transformer : public EncoderDecoderModel {
 public:
  explicit Transformer(const Config& config);
  Tensor loss() override;

  // The logits match loss() bit for bit: a KV cache holds the keys and values of earlier positions, which never change.
  GeneratorState start(const Tensor& source) override;
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;
  int max_new_tokens(int) const override { return options_.max_length(); }

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

  StackOptions options_;
  int source_vocabulary_, target_vocabulary_;
  PositionedEmbedding source_embedding_, target_embedding_;
  Blocks encoder_;
  std::vector<DecoderBlock> decoder_;
  LayerFunction encoder_norm_, decoder_norm_;
  Linear out_;
};

struct TransformerLmOptions {
  StackOptions stack;
  int vocabulary = 0;
};

// Bytes of the KV cache of one row after `positions` positions: the keys and values of each block and each of its G
// key-value heads.
double cache_bytes(const TransformerLmOptions& options, int positions);
// Multiply-adds in matrix products, for one row, to process `positions` new positions after `cached` ones and compute
// the logits of the last. For each token a model without a cache recomputes everything, (t + 1, 0), where one with a
// cache takes (1, t).
double multiply_adds(const TransformerLmOptions& options, int positions, int cached);

// See LanguageModel for the inputs, and Transformer for the loss and the config. (Vaswani et al. 2017, §3.1, without
// encoder and cross-attention.)
//   s = blocks(√D · E[target_in] + P), causally masked; with pre-norm blocks followed by a final norm
//   logits = E s
// In the config, one `vocabulary`; tied_embedding (true): logits with the embedding's own table, otherwise W s + b.
//
// On the tape: x, decoder.0.attention/α (B, N, T, T), decoder.0.feed_forward/hidden, decoder.0.norm1/…, decoder/s, and
// logits.
class TransformerLm : public LanguageModel {
 public:
  explicit TransformerLm(const Config& config);
  Tensor loss() override;

  const TransformerLmOptions& options() const { return options_; }

  // The logits match loss() bit for bit: a KV cache holds the keys and values of earlier positions, which never change.
  // The weights are those of the last position in the last block, averaged over its heads. With blocks that have no
  // cache it passes all positions again.
  StepOutput next(const Tensor& tokens, GeneratorState& state) override;
  int max_new_tokens(int prompt) const override { return options_.stack.max_length() - prompt; }
  std::optional<GenerationCost> generation_cost(int positions) const override;

 private:
  BlockOutput hidden_states(Operand ids, std::vector<KeysValues>& cache) const;

  void check_shape(const ModelInput& input, const Shape& shape) const override;

  TransformerLmOptions options_;
  PositionedEmbedding embedding_;
  Blocks blocks_;
  LayerFunction norm_;
  Linear out_;
};

}  // namespace unroll
