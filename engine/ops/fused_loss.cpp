// Softmax and cross-entropy in one.
#include "engine/autograd/tape.h"
#include "engine/ops/fused.h"
#include "engine/ops/ops.h"
#include "engine/ops/powers.h"

namespace unroll::fused {
namespace {

// dl / Σ · powers − dl [target]; a row of −∞ has Σ 0, and no gradient but its target's.
Tensor gradient_of_logits(const Tensor& dl, const Tensor& powers, const Tensor& totals, const Tensor& target) {
  Tensor dx(powers.shape());
  const int count = powers.shape()[-1];
  const Scalar* from = powers.data();
  Scalar* to = dx.data();
  for (std::size_t row = 0; row < dl.size(); ++row, from += count, to += count) {
    const Scalar slope = dl.data()[row], total = totals.data()[row];
    const Scalar share = total == 0 ? 0 : slope / total;
    for (int i = 0; i < count; ++i) to[i] = share * from[i];
    to[static_cast<int>(target.data()[row])] -= slope;
  }
  return dx;
}

// x at the target of each row, which is checked there.
Tensor at_target(const Tensor& x, const Tensor& target) {
  Recording pause(nullptr);
  return pick(x, target);
}

}  // namespace

Tensor negative_log_likelihood(Operand logits, Operand target) {
  const Tensor chosen = at_target(logits, target);
  const int count = logits.shape()[-1];
  Tensor powers(logits.shape()), totals(target.shape()), loss(target.shape());
  for (std::size_t row = 0; row < loss.size(); ++row) {
    const std::size_t at = row * static_cast<std::size_t>(count);
    const auto [reference, total] = powers_of_row(logits.data() + at, powers.data() + at, count);
    totals.data()[row] = total;
    loss.data()[row] = -((chosen.data()[row] - reference) - (total == 0 ? 0 : kernels::log(total)));
  }
  return record({"negative_log_likelihood"}, loss,
                Input{logits, [=](const Tensor& dl) { return gradient_of_logits(dl, powers, totals, target); }},
                Input{target});
}

}  // namespace unroll::fused
