// The parts shared by Transformer models: stacks of blocks, the final norm, the output layer.
#pragma once

#include <string>
#include <vector>

#include "engine/models/config.h"
#include "engine/models/model_size.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/layers/positioned_embedding.h"
#include "engine/nn/transformer_block.h"

namespace unroll {

struct StackOptions {
  BlockOptions block;  // its attention holds relative positions
  int layers = 1;
  AbsolutePositions positions = AbsolutePositions::sinusoidal;
  int longest = 0;  // rows of a learned position table

  int model() const { return block.attention.model; }  // D
  // Maximum number of positions in a sequence.
  int max_length() const { return positions == AbsolutePositions::learned ? longest : max_positions; }
};

// Config (with range and default): model_size (D, 1 to 768, 32), heads (1 to 32, 4), key_value_heads (1 to heads,
// heads), feed_forward (1 to 4096, 4 D), layers (1 to 12, 1), norm_place: pre post, norm: layer rms, activation (see
// activation_kinds), positions: sinusoidal none index learned alibi rotary, longest (1 to 256, 64: rows of a learned
// position table), dropout (0 to 0.9, 0). Throws Error(config).
StackOptions read_stack_options(const Config& config);

// Throws Error(shape) if a learned position table has too few rows.
void check_positions(const StackOptions& options, const std::string& input, int positions);

// The blocks of a stack, named name.0, name.1 …
using Blocks = std::vector<std::unique_ptr<const Block>>;
Blocks make_blocks(const StackOptions& options, Parameters& parameters, const std::string& name);
std::vector<DecoderBlock> make_decoder_blocks(const StackOptions& options, Parameters& parameters,
                                              const std::string& name);

// Causal mask (count, first + count) for `count` positions after `first` earlier ones; empty for a single position,
// which attends to all of them.
Tensor causal_mask_after(int first, int count);

// The final norm of pre-norm stacks, name.norm; none for post-norm blocks, which end in one. (Xiong et al. 2020, §3.)
LayerFunction make_final_norm(const StackOptions& options, Parameters& parameters, const std::string& name);

// x (…, D) after the final norm, if there is one, in the scope "norm".
Tensor normalised(const LayerFunction& norm, Operand x);

// The output layer, named out: s (…, D) → logits (…, V) = W s + b; tied: E s, with the embedding table E and no
// parameters of its own (Press & Wolf 2017).
Linear make_output_layer(const PositionedEmbedding& embedding, bool tied, int vocabulary, const StackOptions& options,
                         Parameters& parameters);

}  // namespace unroll
