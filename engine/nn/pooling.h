// Pooling: what is left of a picture when places become fewer.
//
// Letters: B batch, C channels, H × W the picture.
#pragma once

#include "engine/ops/ops.h"

namespace unroll {

// x (B, C, H, W) → (B, C, rows, columns): the largest value of each window, every channel by itself.
Tensor max_pool2d(Operand x, Windows windows);

// x (B, C, H, W) → (B, C): over all places.
Tensor global_max_pool(Operand x);
Tensor global_mean_pool(Operand x);

}  // namespace unroll
