// Operations in two forms: composites, and fused kernels that take one pass over memory where a composite takes many.
//
// The composite remains the definition: the page shows it, a tracing tape records it, edits act on it and the double
// build differentiates it. Where only the result matters, in training and without a tape, its kernel runs instead:
// fused.cpp chooses. Kernel and composite compute the same in the same order, so values and gradients
// have the same bits, and a traced step shows exactly the values of the training step.
#pragma once

#include "engine/autograd/tensor.h"

namespace unroll {

// Two that are no operations of ops.h: −log softmax(logits)[target] (…) from logits (…, V) and target (…), and the
// gradient of relu(x), dy where x > 0.
Tensor negative_log_likelihood(Operand logits, Operand target);
Tensor gradient_of_relu(Operand x, Operand dy);

// The readable definitions. Operands are references, so that a scope opened in a composite has the call site of the
// operation.
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

namespace fused {

// Whether kernels run now: not while a tape traces, and never in the double build.
bool runs();

// add_bias, in place.
Tensor add_bias(Operand product, Operand bias);

// gru_step after its products: the new h (B, H) from Wx (B, 3H), Uh (B, 3H) and h (B, H).
Tensor gru(Operand Wx, Operand Uh, Operand h);

// lstm_step after its sums (B, 4H): the new c (B, H) from the previous c, and the new h (B, H) from the new c.
Tensor lstm_cell(Operand sums, Operand c);
Tensor lstm_output(Operand sums, Operand c);

// additive_score after its products: e (…, T, S) from q (…, T, A), k (…, S, A) and v (A).
Tensor additive_score(Operand q, Operand k, Operand v);
bool takes_additive_score(const Shape& q, const Shape& k, const Shape& v);  // rank 2 or 3, no broadcasting

// x Φ(x), the exact form.
Tensor gelu(Operand x);

// dy where x > 0, else 0.
Tensor gradient_of_relu(const Tensor& x, const Tensor& dy);

// softmax along the last axis, which must not be empty.
Tensor softmax(Operand x);

// layer_norm and rms_norm along the last axis, of D > 1 values: weight and bias (D).
Tensor layer_norm(Operand x, Operand weight, Operand bias, double epsilon);
Tensor rms_norm(Operand x, Operand weight, double epsilon);

// rotate_pairs.
Tensor rotary(Operand x, const Tensor& cosine, const Tensor& sine, bool interleaved);

// cross_entropy row by row: −log softmax(logits)[target] (…) from logits (…, V) and target (…).
Tensor negative_log_likelihood(Operand logits, Operand target);

}  // namespace fused
}  // namespace unroll
