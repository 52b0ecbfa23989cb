// gelu, gelu_tanh, silu, elu, softplus.
#include <cmath>
#include <numbers>

#include "engine/autograd/tape.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll {

Tensor gelu(Operand x) {
  if (fused::runs()) return fused::gelu(x);
  Scope scope("gelu", x.where);
  const Tensor half = 0.5 * x;
  return half * (1 + erf(x / std::numbers::sqrt2));
}

Tensor gelu_tanh(Operand x) {
  Scope scope("gelu_tanh", x.where);
  const Tensor half = 0.5 * x;
  return half * (1 + tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

Tensor silu(Operand x) {
  Scope scope("silu", x.where);
  return x * sigmoid(x);
}

// exp never gets a positive value, so it cannot overflow where its branch is not chosen.
Tensor elu(Operand x, double alpha) {
  Scope scope("elu", x.where);
  const Tensor positive = greater(x, 0);
  return where(positive, x, alpha * (exp(where(positive, 0, x)) - 1));
}

Tensor softplus(Operand x) {
  Scope scope("softplus", x.where);
  const Tensor positive = greater(x, 0), negated = -x;
  const Tensor beyond = log(1 + exp(where(positive, negated, x)));
  return where(positive, x, 0) + beyond;
}

}  // namespace unroll
