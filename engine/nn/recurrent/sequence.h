// Conversions between a sequence (B, S, …) and its positions, S of (B, …); lengths and padding.
#pragma once

#include <vector>

#include "engine/ops/ops.h"

namespace unroll {

// x (B, S, …) at one position (B, …).
Tensor at_position(Operand x, int position);

// S of (B, …) stacked to (B, S, …).
Tensor join_positions(const std::vector<Tensor>& positions);

// Number of tokens in each row of ids (B, S) before its padding.
std::vector<int> lengths_of(const Tensor& ids, int padding);

// (B, S): 1 for the tokens, 0 for the padding after them; empty if no row is padded.
Tensor present_tokens(const std::vector<int>& lengths, int positions);

}  // namespace unroll
