// gelu, gelu_tanh, silu, elu, softplus.
#include <cmath>
#include <numbers>

#include "engine/autograd/tape.h"
#include "engine/kernels/functions.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

// log(1 + u) for u from 0 to 1, also where 1 + u is rounded to 1 (Kahan).
Scalar log_of_one_plus(Scalar u) {
  const Scalar sum = 1 + u;
  return sum == 1 ? u : kernels::log(sum) * (u / (sum - 1));
}

}  // namespace

Tensor composite::gelu(const Operand& x) {
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
  Tensor y(x.shape());
  y.array() = x.array().unaryExpr(
      [](Scalar v) { return (v < 0 ? Scalar(0) : v) + log_of_one_plus(kernels::exp(-std::abs(v))); });
  return record({"softplus", "elementwise", "log(1 + exp({0}))"}, y,
                Input{x, [x](const Tensor& dy) { return dy * sigmoid(x); }});
}

}  // namespace unroll
