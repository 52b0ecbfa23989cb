// Additive masks: 0 lets a score through, −∞ takes all its weight away. They are added before the softmax.
#pragma once

#include <limits>
#include <span>

#include "engine/tensor/tensor.h"

namespace unroll {

inline constexpr Scalar hidden = -std::numeric_limits<Scalar>::infinity();

// (T, S): the query at position i sees keys 0 … i and no later one. Queries begin at first_position, keys at 0;
// with −1 each sees what is before its own place.
Tensor causal_mask(int queries, int keys, int first_position = 0);

// (T, S): the query at position i sees the last `window` keys up to i, itself among them (Beltagy et al. 2020, §3.1,
// here to the left only), and of the keys up to i also the first `sinks`, which models come to lean on (Xiao et al.
// 2023, §3.2).
Tensor sliding_window_mask(int queries, int keys, int window, int sinks = 0, int first_position = 0);

// (B, 1, S): the first lengths[b] keys of row b are seen, the rest is padding.
Tensor padding_mask(std::span<const int> lengths, int keys);

// The same from marks (B, S), not 0 where there is padding.
Tensor padding_mask(const Tensor& is_padding);

// What both let through, broadcast against each other; no tensor is no mask.
Tensor combined_mask(const Tensor& a, const Tensor& b);

// (B, T, S) → (B, 1, T, S): the same mask for all heads. (T, S) fits as it is.
Tensor for_all_heads(const Tensor& mask);

}  // namespace unroll
