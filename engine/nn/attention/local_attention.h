// Local attention: a query attends only to keys near one position of the source. (Luong et al. 2015, §3.2.)
//
// `last` (B, 1) is the position of each row's last token, counted from 0.
#pragma once

#include "engine/nn/attention/attention.h"

namespace unroll {

// Local-m: the query at target position t attends to keys t − D to t + D, D the half width. Returns an additive mask
// (B, 1, S). Past the end of the source the window stays centred on the last token.
Tensor window_mask(const Tensor& last, int keys, int position, int half_width);

// Local-p: p = last · σ(v · tanh(W q)) (B, T), the position that each query q (B, T, Q) predicts; W (A, Q), v (A).
// (Eq. 9, where positions count from 1.)
Tensor predicted_position(Operand q, Operand last, Operand W, Operand v);

// α = softmax((e + mask) / temperature) · exp(−(s − p)² / 2σ²) for key s, c = α v; p (B, T), σ the deviation. The
// weights decay on both sides of p and no longer sum to 1. Unlike in the paper, keys further than D = 2σ are not cut
// off, so p has a gradient everywhere. (Eq. 10.)
AttentionOutput attend_local_p(Operand e, Operand v, Operand p, double deviation, const Tensor& mask = {},
                               double temperature = 1);

}  // namespace unroll
