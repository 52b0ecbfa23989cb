// Pooling: reduces an image to fewer positions.
//
// Letters: B batch, C channels, H × W the image.
#pragma once

#include "engine/ops/ops.h"

namespace unroll {

// x (B, C, H, W) → (B, C, rows, columns): the largest value of each window, in each channel separately. Throws
// Error(shape) unless x has rank 4, as do the functions below.
Tensor max_pool2d(Operand x, Windows windows);

// x (B, C, H, W) → (B, C): over all positions.
Tensor global_max_pool(Operand x);
Tensor global_mean_pool(Operand x);

}  // namespace unroll
