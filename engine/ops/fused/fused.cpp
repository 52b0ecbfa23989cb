// The one place that chooses between the kernel and the composite of an operation. A kernel takes only operands that
// its composite accepts: what is refused is refused by the composite.
#include "engine/ops/fused/fused.h"

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace fused {

bool runs() {
#ifdef UNROLL_DOUBLE
  return false;
#else
  return !Tape::live() || !Tape::live()->tracing();
#endif
}

}  // namespace fused

namespace {

using fused::runs;

// Whether v has one value for each column of x.
bool fits_rows(const Tensor& v, const Tensor& x) { return x.rank() > 0 && v.shape() == Shape{x.shape()[-1]}; }

// Rows of one value are left to the composite.
bool has_norm_kernel(const Tensor& x, const Tensor& weight) { return fits_rows(weight, x) && weight.size() > 1; }

bool runs_along_rows(const Tensor& x, int axis) {
  return x.rank() > 0 && x.shape()[-1] > 0 && (axis == -1 || axis == x.rank() - 1);
}

bool has_angles(const Tensor& x, const Tensor& cosine, const Tensor& sine) {
  return x.rank() > 1 && x.shape()[-1] % 2 == 0 && cosine.shape() == Shape{x.shape()[-2], x.shape()[-1] / 2} &&
         sine.shape() == cosine.shape();
}

}  // namespace

Tensor add_bias(Operand product, Operand bias) {
  return runs() && fits_rows(bias, product) ? fused::add_bias(product, bias) : composite::add_bias(product, bias);
}

Tensor gelu(Operand x) { return runs() ? fused::gelu(x) : composite::gelu(x); }

Tensor gradient_of_relu(Operand x, Operand dy) {
  return runs() ? fused::gradient_of_relu(x, dy) : composite::gradient_of_relu(x, dy);
}

Tensor layer_norm(Operand x, Operand weight, Operand bias, double epsilon) {
  return runs() && has_norm_kernel(x, weight) && bias.shape() == weight.shape()
             ? fused::layer_norm(x, weight, bias, epsilon)
             : composite::layer_norm(x, weight, bias, epsilon);
}

Tensor negative_log_likelihood(Operand logits, Operand target) {
  return runs() ? fused::negative_log_likelihood(logits, target) : composite::negative_log_likelihood(logits, target);
}

Tensor rms_norm(Operand x, Operand weight, double epsilon) {
  return runs() && has_norm_kernel(x, weight) ? fused::rms_norm(x, weight, epsilon)
                                              : composite::rms_norm(x, weight, epsilon);
}

Tensor rotate_pairs(Operand x, const Tensor& cosine, const Tensor& sine, bool interleaved) {
  return runs() && has_angles(x, cosine, sine) ? fused::rotary(x, cosine, sine, interleaved)
                                               : composite::rotate_pairs(x, cosine, sine, interleaved);
}

Tensor softmax(Operand x, int axis, double temperature) {
  return runs() && temperature == 1 && runs_along_rows(x, axis) ? fused::softmax(x)
                                                                : composite::softmax(x, axis, temperature);
}

}  // namespace unroll
