// Fused softmax and cross-entropy.
#include "engine/autograd/tape.h"
#include "engine/kernels/exponentials.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll::fused {
namespace {

// dl / Σ · exponentials, minus dl at the target; a row of −∞ has Σ = 0, and a gradient only at its target.
Tensor gradient_of_logits(const Tensor& dl, const Tensor& exponentials, const Tensor& totals, const Tensor& target) {
  Tensor dx(exponentials.shape());
  const int count = exponentials.shape()[-1];
  const auto length = static_cast<std::size_t>(count);
  for_each_row(dl.size(), length, cheap, [&](std::size_t row) {
    const Scalar* from = exponentials.data() + row * length;
    Scalar* to = dx.data() + row * length;
    const Scalar grad = dl.data()[row], total = totals.data()[row];
    const Scalar share = total == 0 ? 0 : grad / total;
    for (int i = 0; i < count; ++i) to[i] = share * from[i];
    to[static_cast<int>(target.data()[row])] -= grad;
  });
  return dx;
}

// x at the target of each row; pick checks the targets.
Tensor at_target(const Tensor& x, const Tensor& target) {
  RecordingGuard pause(nullptr);
  return pick(x, target);
}

}  // namespace

Tensor negative_log_likelihood(Operand logits, Operand target) {
  const Tensor chosen = at_target(logits, target);
  const int count = logits.shape()[-1];
  Tensor exponentials(logits.shape()), totals(target.shape()), loss(target.shape());
  const auto length = static_cast<std::size_t>(count);
  for_each_row(loss.size(), length, costly, [&](std::size_t row) {
    const std::size_t at = row * length;
    const auto [shift, total] = exponentials_of_row(logits.data() + at, exponentials.data() + at, count);
    totals.data()[row] = total;
    loss.data()[row] = -((chosen.data()[row] - shift) - (total == 0 ? 0 : kernels::log(total)));
  });
  return record({"negative_log_likelihood"}, loss,
                Input{logits, [=](const Tensor& dl) { return gradient_of_logits(dl, exponentials, totals, target); }},
                Input{target});
}

}  // namespace unroll::fused
