// Backward: reverse-mode differentiation along the tape.
#pragma once

#include "engine/autograd/tensor.h"

namespace unroll {

// Computes the gradient ∂loss/∂node of every node that needs one. `loss` is a single value on the live tape. A tracing
// tape records the backward pass too, each node with the forward node it belongs to. A training tape frees gradients
// and saved tensors once used: only leaves keep gradients, and backward runs once per loss. Throws Error(shape) when
// loss is not a single value, Error(input) when it is not on the live tape or backward has already run on it.
void backward(const Tensor& loss);

// ∂loss/∂x after backward, or an empty tensor when x has no gradient.
Tensor gradient(const Tensor& x);

}  // namespace unroll
