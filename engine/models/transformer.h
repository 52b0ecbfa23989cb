// The Transformer: an encoder reads the source, a decoder writes the target, and attention is all that moves along the
// sequences. (Vaswani et al. 2017.)
#pragma once

#include <optional>

#include "engine/models/model_size.h"
#include "engine/models/pair_model.h"
#include "engine/models/transformer_options.h"

namespace unroll {

// Loss L = the mean of −log p(target_out) over all positions that are not padding; see PairModel for the inputs.
//   memory = encoder blocks(√D · E[source] + P)
//   s = decoder blocks(√D · E′[target_in] + P, memory), no position seeing a later one
//   logits = W s + b
// With pre-norm blocks one more norm stands behind each stack.
//
// Config: what read_stack_options reads, where layers is how many blocks the encoder has and how many the decoder;
// source_vocabulary, target_vocabulary; tied_embedding: logits = E′ s, without weights of their own (Press & Wolf
// 2017); label_smoothing (0 to 0.9, 0).
//
// On the tape: encoder/x, encoder.0.attention/α, encoder.0.feed_forward/hidden, encoder/memory, decoder/x,
// decoder.0.self_attention/α, decoder.0.cross_attention/α, decoder.0.norm3/…, then attention/α and logits. weights()
// and attention/α (B, T, S) are the mean of the cross-attention heads of the last block.
class Transformer : public PairModel {
 public:
  explicit Transformer(const Config& config);
  Tensor loss() override;

  // See model_size.
  static ModelSize size(const Config& config, const BatchSizes& batch);

  const TransformerOptions& options() const { return options_; }

  // The logits are those of loss(), bit for bit: what a position has computed stays as it is, in a KV cache.
  WriterState start(const Tensor& source) override;
  Written next(const Tensor& tokens, WriterState& state) override;
  int room(int) const override { return options_.stack.most_read(); }

 private:
  // What the decoder looks at: the source, and its own past.
  struct Known {
    Tensor mask = {};                                // (B, 1, 1, S), hides padding; no tensor where there is none
    std::vector<KeysValues> memory = {}, past = {};  // one a block
  };
  Known read(Operand source) const;
  Tensor encode(Operand source, const Tensor& mask) const;
  BlockOutput decode(Operand tokens, Known& known) const;
  std::vector<Tensor*> rows_of(Known& known) const;
  WriterState written_as(Known known) const;
  Known read_from(const WriterState& written) const;

  double activations(int rows, int S, int T) const override { return activation_count(options_, rows, S, T); }
  void check_shape(const ModelInput& input, const Shape& shape) const override;

  TransformerOptions options_;
  PositionedEmbedding source_words_, target_words_;
  std::vector<EncoderBlock> encoder_;
  std::vector<DecoderBlock> decoder_;
  std::optional<Norm> encoder_norm_, decoder_norm_;
  Linear out_;
};

}  // namespace unroll
