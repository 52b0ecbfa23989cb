// Attention whose cost grows with the length of a sequence and not with its square.
#pragma once

#include "engine/ops/ops.h"

namespace unroll {

// φ(x) = elu(x) + 1, always positive: the feature map that takes the place of exp. (Katharopoulos et al. 2020, eq. 7.)
Tensor positive_features(Operand x);

// y_i = φ(q_i) Σ_j φ(k_j) v_jᵀ / φ(q_i) · Σ_j φ(k_j) for queries q (…, T, K), keys k (…, S, K) and values v (…, S,
// size): y (…, T, size). All keys enter one matrix, which every query reads: no score is ever computed. (Katharopoulos
// et al. 2020, eq. 5 and 6.)
Tensor linear_attention(Operand q, Operand k, Operand v);

// The same where query i sees keys 0 … i: the sums run along the sequence, as a recurrent network's state does. T = S.
// Each position opens a scope t0, t1 … with the state `S` (…, K, size), `z` (…, 1, K) and the output `y` (…, 1, size).
// Throws Error(shape) where T and S differ. (Katharopoulos et al. 2020, eq. 16 to 20.)
Tensor causal_linear_attention(Operand q, Operand k, Operand v);

}  // namespace unroll
