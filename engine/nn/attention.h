// Attention: scores become weights, weights mix values.
#pragma once

#include "engine/nn/scores.h"
#include "engine/ops/ops.h"

namespace unroll {

// What one look gives back.
struct Attended {
  Tensor context;  // (…, T, value size)
  Tensor weights;  // (…, T, S)
};

// α = softmax(e + mask), c = α v, for scores e (…, T, S) and values v (…, S, size). The mask, where there is one, is
// additive (0 or −∞) and broadcasts against e; a row that sees no key gets weights 0 and context 0.
Attended attend(Operand e, Operand v, const Tensor& mask = {}, double temperature = 1);

// softmax(q kᵀ / √K + mask) v. (Vaswani et al. 2017, eq. 1.)
Attended scaled_dot_product_attention(Operand q, Operand k, Operand v, const Tensor& mask = {});

}  // namespace unroll
