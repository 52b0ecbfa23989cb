// Attention: the softmax turns scores into weights, the weights average the values.
#pragma once

#include <limits>
#include <span>

#include "engine/nn/attention/scores.h"
#include "engine/ops/ops.h"

namespace unroll {

struct AttentionOutput {
  Tensor context;  // (…, T, value size)
  Tensor weights;  // (…, T, S)
};

// α = softmax((e + mask) / temperature), c = α v, for scores e (…, T, S) and values v (…, S, size). The mask is
// optional and additive (0 or −∞) and broadcasts against e; a query that sees no key gets weights 0 and context 0.
AttentionOutput attend(Operand e, Operand v, const Tensor& mask = {}, double temperature = 1);

// softmax(q kᵀ / √K + mask) v. (Vaswani et al. 2017, eq. 1.)
AttentionOutput scaled_dot_product_attention(Operand q, Operand k, Operand v, const Tensor& mask = {});

// Additive masks, added to the scores before the softmax: 0 leaves a score as it is, −∞ sets its weight to 0.

inline constexpr Scalar masked = -std::numeric_limits<Scalar>::infinity();

// (T, S): the query at position i sees keys 0 … i. Queries start at first_position, keys at 0; with first_position −1,
// query t sees only the keys before t.
Tensor causal_mask(int queries, int keys, int first_position = 0);

// (T, S): the query at position i sees the last `window` keys up to and including i (Beltagy et al. 2020, §3.1, here to
// the left only), and of the keys up to i also the first `sinks`, on which models come to rely (Xiao et al. 2023,
// §3.2).
Tensor sliding_window_mask(int queries, int keys, int window, int sinks = 0, int first_position = 0);

// (B, 1, S): the first lengths[b] keys of row b are visible, the rest is padding.
Tensor padding_mask(std::span<const int> lengths, int keys);

// The same from flags (B, S), non-zero at padding.
Tensor padding_mask(const Tensor& is_padding);

// Keys that both masks leave visible: their sum, broadcast. An empty tensor means no mask.
Tensor combined_mask(const Tensor& a, const Tensor& b);

// (B, T, S) → (B, 1, T, S): the same mask for all heads. (T, S) broadcasts as it is.
Tensor for_all_heads(const Tensor& mask);

}  // namespace unroll
