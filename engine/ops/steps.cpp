// floor, ceil, trunc, round, sign: elementwise functions that are flat between their steps, so without gradients.
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

template <typename F>
Tensor step(const Op& op, Operand x, F f) {
  const Tensor y(x.shape());
  y.array() = x.array().unaryExpr(f);
  return record(op, y, Input{x});
}

}  // namespace

Tensor floor(Operand x) {
  return step({"floor", "elementwise", "⌊{0}⌋"}, forward_operand(x), [](Scalar v) { return std::floor(v); });
}

Tensor ceil(Operand x) {
  return step({"ceil", "elementwise", "⌈{0}⌉"}, forward_operand(x), [](Scalar v) { return std::ceil(v); });
}

Tensor trunc(Operand x) {
  return step({"trunc", "elementwise", "trunc({0})"}, forward_operand(x), [](Scalar v) { return std::trunc(v); });
}

Tensor round(Operand x) {
  return step({"round", "elementwise", "round({0})"}, forward_operand(x), [](Scalar v) { return std::nearbyint(v); });
}

// NaN has no sign: 0, as in PyTorch.
Tensor sign(Operand x) {
  return step({"sign", "elementwise", "sign({0})"}, forward_operand(x),
              [](Scalar v) { return static_cast<Scalar>((v > 0) - (v < 0)); });
}

}  // namespace unroll
