// Attention block by block: the softmax of a whole row without ever holding the row.
#pragma once

#include "engine/ops/ops.h"

namespace unroll {

// softmax(q kᵀ / √K + mask) v for queries q (…, T, K), keys k (…, S, K), values v (…, S, size), computed from `block`
// keys at a time: y (…, T, size), within 2 ULP × S of scaled_dot_product_attention. What is kept between blocks is, for
// each query, the largest score so far m (…, T, 1), the sum of the powers l (…, T, 1) and the sum of the values
// weighted with them o (…, T, size); a larger score shrinks both sums by `r`. Block i opens the scope block0, block1 …
// with e, m, r, p, l and o. The additive mask broadcasts against (…, T, S); a query that sees no key gets 0. Throws
// Error(config) for a block below 1, Error(shape) where there is no key. (Milakov & Gimelshein 2018, §3; Dao et al.
// 2022, §3.1.)
Tensor block_attention(Operand q, Operand k, Operand v, int block, const Tensor& mask = {});

}  // namespace unroll
