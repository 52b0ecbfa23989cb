// Sequences position by position: (B, S, …) and S of (B, …).
#pragma once

#include <vector>

#include "engine/ops/ops.h"

namespace unroll {

// x (B, S, …) at one position (B, …).
Tensor at_position(Operand x, int position);

// S of (B, …), side by side as (B, S, …).
Tensor join_positions(const std::vector<Tensor>& positions);

// How many tokens each row of ids (B, S) has before its padding.
std::vector<int> lengths_of(const Tensor& ids, int padding);

// (B, S): 1 for the tokens, 0 for the padding behind them; no tensor where no row is padded.
Tensor present_tokens(const std::vector<int>& lengths, int positions);

}  // namespace unroll
