// One attention layer over a few words: heads, positions and masks, small enough to follow number by number.
#pragma once

#include <optional>

#include "engine/models/attention_layer_options.h"
#include "engine/models/model.h"

namespace unroll {

// Input X (n, D), one row a word; with source_words also source (m, D), which X then looks at instead of itself (m = n
// without it). Positions are added to the words or enter the scores; queries q (1, N, n, K), keys k (1, G, m, K),
// values v (1, G, m, value size), scores e and weights α (1, N, n, m), contexts c (1, N, n, value size), all in the
// scope "attention"; output o (n, D), or (n, N · value size) without W_O. Loss L = mean (o − target)². The inputs mask
// (n, m; none with form linear) and target can be set too; with another number of words both start afresh.
//
// Config: words (1 to 16), source_words (0 to 16; 0: self-attention), size (D, 1 to 32), heads (N, 1 to 8),
// key_value_heads (G; 0: N), key_size (K, 0 to 32; 0: D / N), value_size (0: K), bias; projections: all, keys_values
// (the queries are X itself), none; output_projection (as heads > 1); positions: none, index, sinusoidal, learned,
// alibi, rotary; longest (rows of a learned table); mask: none, causal, window; window and sinks (see
// sliding_window_mask); padding (how many of the last keys are hidden); form: plain, linear, blocks (see
// linear_attention.h, block_attention.h) and block; seed. Values as row-major lists for X, source, target and the
// weights, which have the layout of Linear: W_Q (N · K, D), W_K (G · K, D), W_V (G · value size, D), W_O (D, N · value
// size).
class AttentionLayer : public Model {
 public:
  static constexpr int most_words = 16, largest_size = 32, most_heads = 8;

  explicit AttentionLayer(const Config& config);
  Tensor loss() override;

 private:
  HeadProjections declare_projections(const Config& config);
  Tensor first_mask(int words, int keys) const;
  Tensor positions_of(int words) const;
  Tensor placed(Operand words, const char* name) const;
  Tensor look(Operand x, Operand source, const Tensor& mask) const;
  Tensor block_by_block(Operand q, Operand k, Operand v, const Tensor& mask) const;
  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void input_changed(const std::string& name) override;
  int words_of(const std::string& name) const;

  AttentionLayerOptions options_;
  MultiHeadAttention layer_;
  std::optional<LearnedPositions> table_;
};

}  // namespace unroll
