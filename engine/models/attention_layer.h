// One attention layer over a few words: heads, positions and masks, small enough to follow value by value.
#pragma once

#include <optional>

#include "engine/models/config.h"
#include "engine/models/model.h"
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/layers/positioned_embedding.h"

namespace unroll {

// Which inputs are projected: queries, keys and values; keys and values only, the queries being the words; none.
enum class Projected { all, keys_values, none };

enum class MaskKind { none, causal, window };

// How attention is computed: all scores at once; no scores, but sums over the keys; one block of keys at a time.
enum class AttentionForm { plain, linear, blocks };

struct AttentionLayerOptions {
  int words = 0;
  int source_words = 0;  // 0: self-attention
  MultiHeadOptions heads;
  Projected projected = Projected::all;
  bool output_projection = false;
  AbsolutePositions positions = AbsolutePositions::none;  // relative positions are in `heads`
  int longest = 0;                                        // rows of a learned position table
  MaskKind mask = MaskKind::none;
  int window = 0, sinks = 0;
  int padding = 0;  // number of trailing keys that are padding
  AttentionForm form = AttentionForm::plain;
  int block = 0;

  bool cross() const { return source_words > 0; }
  int keys() const { return cross() ? source_words : words; }
  int output() const { return output_projection ? heads.model : heads.heads * heads.value_size; }
};

// Throws Error(config) for a field out of range or an invalid combination.
AttentionLayerOptions read_attention_layer(const Config& config);

// Input X (n, D), one row per word; with source_words also source (m, D), which X then attends to instead of itself (m
// = n without it). Positions are added to the words or enter the scores; queries q (1, N, n, K), keys k (1, G, m, K),
// values v (1, G, m, value size), scores e and weights α (1, N, n, m), contexts c (1, N, n, value size), all in the
// scope "attention"; output o (n, D), or (n, N · value size) without W_O. Loss L = mean (o − target)². The inputs mask
// (n, m; none with form linear) and target can be set too; a new n resets both, a new m the mask.
//
// Config: words (1 to 16), source_words (0 to 16; 0: self-attention), size (D, 1 to 32), heads (N, 1 to 8),
// key_value_heads (G; 0: N), key_size (K, 0 to 32; 0: D / N), value_size (0: K), bias; projections: all, keys_values
// (the queries are X itself), none; output_projection (default: heads > 1); positions: none, index, sinusoidal,
// learned, alibi, rotary; longest (rows of a learned table); mask: none, causal, window; window and sinks (see
// sliding_window_mask); padding (number of trailing keys hidden); form: plain, linear, blocks (see linear_attention.h,
// block_attention.h) and block; seed. Values as row-major lists for X, source, target and the weights, which have the
// layout of Linear: W_Q (N · K, D), W_K (G · K, D), W_V (G · value size, D), W_O (D, N · value size). Also part and
// program (see learner_parts.h).
class AttentionLayer : public Model {
 public:
  static constexpr int max_words = 16, max_size = 32, max_heads = 8;

  explicit AttentionLayer(const Config& config);
  Tensor loss() override;

 private:
  HeadProjections declare_projections(const Config& config);
  Tensor first_mask(int words, int keys) const;
  Tensor positions_of(int words) const;
  Tensor with_positions(Operand words, const char* name) const;
  Tensor attend_to(Operand x, Operand source, const Tensor& mask) const;
  Tensor block_by_block(Operand q, Operand k, Operand v, const Tensor& mask) const;
  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void input_changed(const std::string& name) override;
  int words_of(const std::string& name) const;

  AttentionLayerOptions options_;
  MultiHeadAttention layer_;
  std::optional<LearnedPositions> table_;
  PositionFunction positions_;
};

}  // namespace unroll
