// What a Transformer's stack of blocks is made of, as a config says it.
#pragma once

#include "engine/models/config.h"
#include "engine/models/model_size.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/positioned_embedding.h"
#include "engine/nn/transformer_block.h"

namespace unroll {

struct StackOptions {
  BlockOptions block;  // relative positions are in its attention
  int layers = 1;
  AbsolutePositions positions = AbsolutePositions::sinusoidal;
  int longest = 0;  // positions in a learned table

  int model() const { return block.attention.model; }  // D
  // Positions that a sequence may have.
  int most_read() const { return positions == AbsolutePositions::learned ? longest : most_positions; }
};

constexpr SizeField model_size_field{"model_size", 512, "feed_forward, layers"};

// Config: model_size (D, 1 to 512, 32), heads (1 to 32, 4), key_value_heads (as many), feed_forward (1 to 4096, 4 D),
// layers (1 to 8, 1), norm_place: pre post, norm: layer rms, activation (see activation_kinds), positions: sinusoidal
// none index learned alibi rotary, longest (1 to 64, 64: positions that a learned table has), dropout (0 to 0.9, 0).
// Throws Error(config). Whoever calls it asks refuse_too_large with model_size_field.
StackOptions read_stack_options(const Config& config);

// Throws Error(shape) where the table of learned positions has too few.
void refuse_too_long(const StackOptions& options, const std::string& input, int positions);

// The numbers in the weights of the blocks, and of a norm after them where there is one.
double stack_parameters(const StackOptions& options, bool cross);

// Of an embedding with its positions.
double embedding_parameters(const StackOptions& options, int vocabulary);

}  // namespace unroll
