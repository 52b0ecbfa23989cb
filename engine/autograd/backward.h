// Backward: the reverse walk along the tape.
#pragma once

#include "engine/tensor/tensor.h"

namespace unroll {

// Fills in the gradient ∂loss/∂node of every node that needs one. `loss` holds one value and was recorded on the live
// tape. On a tracing tape the walk is recorded as nodes too, each knowing the forward node it belongs to. On a training
// tape each node gives back what it held as soon as it is behind: in the end leaves have gradients, and the same loss
// cannot go back again. Throws Error(shape) when loss has more than one value, Error(input) when it is not on the live
// tape or went back already.
void backward(const Tensor& loss);

// ∂loss/∂x after backward, or no tensor when x takes no gradient.
Tensor gradient(const Tensor& x);

}  // namespace unroll
