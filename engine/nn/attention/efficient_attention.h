// Attention that never holds the scores of all queries and keys: block by block, and linear.
#pragma once

#include "engine/ops/ops.h"

namespace unroll {

// Attention computed block by block with an online softmax, which never holds a whole row of scores.
//
// softmax(q kᵀ / √K + mask) v for queries q (…, T, K), keys k (…, S, K) and values v (…, S, size), `block` keys at a
// time: y (…, T, size), within 2 ULP × S of scaled_dot_product_attention. Carried from block to block, per query: the
// largest score so far m (…, T, 1), the sum of exponentials l (…, T, 1) and the sum of the values weighted by them o
// (…, T, size); when m grows, r rescales both sums. Block i is recorded in the scope block0, block1 … with e, m, p, l,
// o and, from block1 on, r. The additive mask broadcasts against (…, T, S); a query that sees no key gets 0. Throws
// Error(config) for a block below 1, Error(shape) if there are no keys. (Milakov & Gimelshein 2018, §3; Dao et al.
// 2022, §3.1.)
Tensor block_attention(Operand q, Operand k, Operand v, int block, const Tensor& mask = {});

// Linear attention: its cost grows with the length of a sequence, not with the square of the length.

// φ(x) = elu(x) + 1, always positive: the feature map that replaces exp. (Katharopoulos et al. 2020, eq. 7.)
Tensor positive_features(Operand x);

// y_i = (φ(q_i)ᵀ Σ_j φ(k_j) v_jᵀ) / (φ(q_i) · Σ_j φ(k_j)) for queries q (…, T, K), keys k (…, S, K) and values
// v (…, S, size): y (…, T, size). The keys and values are summed into one matrix that every query reads, so no score is
// computed. (Katharopoulos et al. 2020, eq. 5 and 6.)
Tensor linear_attention(Operand q, Operand k, Operand v);

// Causal form: query i sees keys 0 … i, so the sums become a state that each position updates, as in a recurrent
// network. T = S. Each position is recorded in a scope t0, t1 … with the state `S` (…, K, size), `z` (…, 1, K) and the
// output `y` (…, 1, size). Throws Error(shape) if T and S differ. (Katharopoulos et al. 2020, eq. 16 to 20.)
Tensor causal_linear_attention(Operand q, Operand k, Operand v);

}  // namespace unroll
