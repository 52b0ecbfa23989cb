// RMS normalisation.
#include "engine/autograd/tape.h"
#include "engine/ops/fused/composites.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {

Tensor composite::rms_norm(const Operand& x, const Operand& weight, double epsilon) {
  if (x.rank() == 0 || weight.shape() != Shape{x.shape()[-1]})
    fail(ErrorCode::shape, "rms_norm_sizes_differ", x.shape(), weight.shape());
  Scope scope("rms_norm", x.where);
  const Tensor rms = sqrt(mean(square(x), -1, true) + epsilon).as("size");
  const Tensor normal = (x / rms).as("normal");
  return normal * weight;
}

}  // namespace unroll
