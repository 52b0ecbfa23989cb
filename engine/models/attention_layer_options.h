// What an attention layer is made of, as a config says it.
#pragma once

#include "engine/models/config.h"
#include "engine/nn/multi_head.h"
#include "engine/nn/positioned_embedding.h"

namespace unroll {

// What is projected: keys, values and queries; only what is looked at, by queries that are words as they are; nothing.
enum class Projected { all, keys_values, none };

enum class MaskKind { none, causal, window };

// How the same look is computed: with all scores at once; without any, as sums over the keys; block of keys by block.
enum class AttentionForm { plain, linear, blocks };

struct AttentionLayerOptions {
  int words = 0;
  int source_words = 0;  // 0: the words look at each other
  MultiHeadOptions heads;
  Projected projected = Projected::all;
  bool output_projection = false;
  AbsolutePositions positions = AbsolutePositions::none;  // relative ones are in `heads`
  int longest = 0;                                        // rows of a learned table of positions
  MaskKind mask = MaskKind::none;
  int window = 0, sinks = 0;
  int padding = 0;  // how many of the last keys are padding
  AttentionForm form = AttentionForm::plain;
  int block = 0;

  bool cross() const { return source_words > 0; }
  int keys() const { return cross() ? source_words : words; }
  int output() const { return output_projection ? heads.model : heads.heads * heads.value_size; }
};

// Throws Error(config), for what does not go together as well.
AttentionLayerOptions read_attention_layer(const Config& config);

}  // namespace unroll
