// The composites that have a fused kernel: the readable definitions of operations that fused.cpp chooses for.
//
// Operands are references, so that a scope opened in a composite has the call site of the operation.
#pragma once

#include "engine/autograd/operand.h"

namespace unroll {

// Two that are no operations of ops.h: −log softmax(logits)[target] (…) from logits (…, V) and target (…), and the
// gradient of relu(x), dy where x > 0.
Tensor negative_log_likelihood(Operand logits, Operand target);
Tensor gradient_of_relu(Operand x, Operand dy);

namespace composite {

Tensor add_bias(const Operand& product, const Operand& bias);
Tensor gelu(const Operand& x);
Tensor gradient_of_relu(const Operand& x, const Operand& dy);
Tensor layer_norm(const Operand& x, const Operand& weight, const Operand& bias, double epsilon);
Tensor negative_log_likelihood(const Operand& logits, const Operand& target);
Tensor rms_norm(const Operand& x, const Operand& weight, double epsilon);
Tensor rotate_pairs(const Operand& x, const Tensor& cosine, const Tensor& sine, bool interleaved);
Tensor softmax(const Operand& x, int axis, double temperature);

}  // namespace composite
}  // namespace unroll
