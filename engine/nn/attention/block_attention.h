// Attention computed block by block with an online softmax, which never holds a whole row of scores.
#pragma once

#include "engine/ops/ops.h"

namespace unroll {

// softmax(q kᵀ / √K + mask) v for queries q (…, T, K), keys k (…, S, K) and values v (…, S, size), `block` keys at a
// time: y (…, T, size), within 2 ULP × S of scaled_dot_product_attention. Carried from block to block, per query: the
// largest score so far m (…, T, 1), the sum of exponentials l (…, T, 1) and the sum of the values weighted by them o
// (…, T, size); when m grows, r rescales both sums. Block i is recorded in the scope block0, block1 … with e, m, p, l,
// o and, from block1 on, r. The additive mask broadcasts against (…, T, S); a query that sees no key gets 0. Throws
// Error(config) for a block below 1, Error(shape) if there are no keys. (Milakov & Gimelshein 2018, §3; Dao et al.
// 2022, §3.1.)
Tensor block_attention(Operand q, Operand k, Operand v, int block, const Tensor& mask = {});

}  // namespace unroll
