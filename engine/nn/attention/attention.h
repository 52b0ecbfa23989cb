// Attention: the softmax turns scores into weights, the weights average the values.
#pragma once

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

}  // namespace unroll
