// Additive masks: 0 lets a score through, −∞ takes all its weight away. They are added before the softmax.
#pragma once

#include <span>

#include "engine/tensor/tensor.h"

namespace unroll {

// (T, S): query i sees keys 0 … i and no later one.
Tensor causal_mask(int queries, int keys);

// (B, 1, S): the first lengths[b] keys of row b are seen, the rest is padding.
Tensor padding_mask(std::span<const int> lengths, int keys);

// The same from marks (B, S), not 0 where there is padding.
Tensor padding_mask(const Tensor& is_padding);

}  // namespace unroll
