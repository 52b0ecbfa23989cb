// Local attention: a query looks near one position of the source only. (Luong et al. 2015, §3.2.)
//
// `last` (B, 1) is the position of each row's last token, counted from 0.
#pragma once

#include "engine/nn/attention.h"

namespace unroll {

// Local-m: query t looks at the keys t − D to t + D, D the half width. Additive (B, 1, S). Behind the source's end the
// window stays at its last token.
Tensor window_mask(const Tensor& last, int keys, int position, int half_width);

// Local-p: p = last · σ(v · tanh(W q)) (B, T), the position that each query q (B, T, Q) asks for; W (A, Q), v (A).
// (Eq. 9 of the paper, which counts positions from 1.)
Tensor predicted_position(Operand q, Operand last, Operand W, Operand v);

// α = softmax(e + mask) · exp(−(s − p)² / 2σ²) for key s, c = α v; p (B, T). The weights fall off from p on both sides
// and do not sum to 1 any more. No key is cut off, as the paper does at distance D = 2σ: so p keeps its gradient
// everywhere. (Eq. 10.)
Attended attend_near(Operand e, Operand v, Operand p, double deviation, const Tensor& mask = {},
                     double temperature = 1);

}  // namespace unroll
