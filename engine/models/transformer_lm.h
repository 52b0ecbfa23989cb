// A decoder-only Transformer: a language model whose every position looks back at the ones before it. (Radford et al.
// 2018, §3.1; Vaswani et al. 2017, §3.1, without encoder and cross-attention.)
#pragma once

#include <optional>

#include "engine/models/model_size.h"
#include "engine/models/stack_options.h"
#include "engine/models/text_model.h"

namespace unroll {

struct TransformerLmOptions {
  StackOptions stack;
  int vocabulary = 0;
  bool tied_embedding = true;
  double label_smoothing = 0;
};

// How many numbers the parameters are, and about how many a training step holds beside their gradients, for rows of T
// positions.
double parameter_count(const TransformerLmOptions& options);
double activation_count(const TransformerLmOptions& options, int rows, int T);

// What a KV cache costs and saves, for one row. It holds this many bytes after so many positions: keys and values of
// each block and of each of its G heads for keys and values.
double cache_bytes(const TransformerLmOptions& options, int positions);
// Multiply-adds, in matrix products, of the logits behind the last of `positions` that are read at once, where a cache
// holds `cached` positions before them. A model without a cache reads all anew for each token: (t + 1, 0) where one
// with a cache reads (1, t).
double multiply_adds(const TransformerLmOptions& options, int positions, int cached);

// See TextModel for the inputs.
//   s = blocks(√D · E[target_in] + P), no position seeing a later one; with pre-norm blocks a norm behind them
//   logits = E s
// Loss L = the mean of −log p(target_out) over what is not padding.
//
// Config: what read_stack_options reads; vocabulary; tied_embedding (true): logits with the embedding's own table
// (Press & Wolf 2017), otherwise W s + b; label_smoothing (0 to 0.9, 0).
//
// On the tape: x, decoder.0.attention/α (B, N, T, T), decoder.0.feed_forward/hidden, decoder.0.norm1/…, decoder/s, and
// logits.
class TransformerLm : public TextModel {
 public:
  explicit TransformerLm(const Config& config);
  Tensor loss() override;

  // See model_size.
  static ModelSize size(const Config& config, const BatchSizes& batch);

  const TransformerLmOptions& options() const { return options_; }

  // The logits are those of loss(), bit for bit: the keys and values of a position stay as they are, in a KV cache.
  // The weights are where the last position looked in the last block, the mean of its heads.
  Written next(const Tensor& tokens, WriterState& state) override;
  int room(int opening) const override { return options_.stack.most_read() - opening; }
  std::optional<WritingCost> cost_behind(int positions) const override;

 private:
  BlockOutput read(Operand ids, std::vector<KeysValues>& past) const;

  double activations(int rows, int T) const override { return activation_count(options_, rows, T); }
  void check_shape(const ModelInput& input, const Shape& shape) const override;

  TransformerLmOptions options_;
  PositionedEmbedding words_;
  std::vector<EncoderBlock> blocks_;
  std::optional<Norm> norm_;
  Linear out_;
};

}  // namespace unroll
