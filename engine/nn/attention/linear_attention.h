// Linear attention: its cost grows with the length of a sequence, not with the square of the length.
#pragma once

#include "engine/ops/ops.h"

namespace unroll {

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
