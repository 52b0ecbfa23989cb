// A decoder-only Transformer: a language model with causal self-attention. (Radford et al. 2018, §3.1; Vaswani et al.
// 2017, §3.1, without encoder and cross-attention.)
#pragma once

#include <optional>

#include "engine/models/block_stack.h"
#include "engine/models/language_model.h"

namespace unroll {

struct TransformerLmOptions {
  StackOptions stack;
  int vocabulary = 0;
  bool tied_embedding = true;
  double label_smoothing = 0;
};

// Bytes of the KV cache of one row after `positions` positions: the keys and values of each block and each of its G
// key-value heads.
double cache_bytes(const TransformerLmOptions& options, int positions);
// Multiply-adds in matrix products, for one row, to process `positions` new positions after `cached` ones and compute
// the logits of the last. For each token a model without a cache recomputes everything, (t + 1, 0), where one with a
// cache takes (1, t).
double multiply_adds(const TransformerLmOptions& options, int positions, int cached);

// See LanguageModel for the inputs.
//   s = blocks(√D · E[target_in] + P), causally masked; with pre-norm blocks followed by a final norm
//   logits = E s
// Loss L = the mean of −log p(target_out) over all non-padding positions.
//
// Config: the fields of read_stack_options; vocabulary; tied_embedding (true): logits with the embedding's own table
// (Press & Wolf 2017), otherwise W s + b; label_smoothing (0 to 0.9, 0); part and program (see learner_parts.h).
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
