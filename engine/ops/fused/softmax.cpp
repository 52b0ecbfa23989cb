// Fused softmax along the last axis, and cross-entropy.
#include <limits>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/functions.h"
#include "engine/kernels/lanes.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll::fused {
namespace {

struct Exponentials {
  Scalar shift;  // subtracted from x: the maximum, or 0 in a row of −∞
  Scalar total;  // Σ of the exponentials
};

// y = exp(x − shift), n ≥ 1 values.
Exponentials exponentials_of_row(const Scalar* x, Scalar* y, int n) {
  constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();
  const std::size_t count = static_cast<std::size_t>(n);
  const Scalar largest = max_of(x, count), shift = largest == -infinity ? 0 : largest;
  for (int i = 0; i < n; ++i) y[i] = x[i] - shift;
  kernels::exp(y, y, count);
  return {shift, sum_of(y, count)};
}

Scalar divisor(Scalar total) { return total == 0 ? 1 : total; }  // a row of −∞ has total 0

void shares_of(const Scalar* exponentials, Scalar total, Scalar* y, int count) {
  for (int i = 0; i < count; ++i) y[i] = exponentials[i] / total;
}

// dx = (dy / total − Σ dy · y / total) · exponentials, with y = exponentials / total.
void grad_row(const Scalar* dy, const Scalar* y, const Scalar* exponentials, Scalar total, Scalar* dx, int count) {
  const Scalar t = divisor(total);
  for (int i = 0; i < count; ++i) dx[i] = -(dy[i] * y[i] / t);
  const Scalar shared = total == 0 ? 0 : sum_of(dx, static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) dx[i] = (dy[i] / t + shared) * exponentials[i];
}

Tensor gradient_of(const Tensor& dy, const Tensor& y, const Tensor& exponentials, const Tensor& totals) {
  Tensor dx(y.shape());
  over_rows(y, costly, [&](std::size_t row, std::size_t at, int count) {
    grad_row(dy.data() + at, y.data() + at, exponentials.data() + at, totals.data()[row], dx.data() + at, count);
  });
  return dx;
}

// dl / Σ · exponentials, minus dl at the target; a row of −∞ has Σ = 0, and a gradient only at its target.
Tensor gradient_of_logits(const Tensor& dl, const Tensor& exponentials, const Tensor& totals, const Tensor& target) {
  Tensor dx(exponentials.shape());
  over_rows(dx, cheap, [&](std::size_t row, std::size_t at, int count) {
    const Scalar* from = exponentials.data() + at;
    Scalar* to = dx.data() + at;
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

Tensor softmax(Operand x) {
  Tensor exponentials(x.shape()), totals(x.shape().with(-1, 1)), y(x.shape());
  over_rows(x, costly, [&](std::size_t row, std::size_t at, int count) {
    const Scalar total = exponentials_of_row(x.data() + at, exponentials.data() + at, count).total, t = divisor(total);
    totals.data()[row] = total;
    shares_of(exponentials.data() + at, t, y.data() + at, count);
  });
  return record({"softmax"}, y, Input{x, [=](const Tensor& dy) { return gradient_of(dy, y, exponentials, totals); }});
}

Tensor negative_log_likelihood(Operand logits, Operand target) {
  const Tensor chosen = at_target(logits, target);
  Tensor exponentials(logits.shape()), totals(target.shape()), loss(target.shape());
  over_rows(logits, costly, [&](std::size_t row, std::size_t at, int count) {
    const auto [shift, total] = exponentials_of_row(logits.data() + at, exponentials.data() + at, count);
    totals.data()[row] = total;
    loss.data()[row] = -((chosen.data()[row] - shift) - (total == 0 ? 0 : kernels::log(total)));
  });
  return record({"negative_log_likelihood"}, loss,
                Input{logits, [=](const Tensor& dl) { return gradient_of_logits(dl, exponentials, totals, target); }},
                Input{target});
}

}  // namespace unroll::fused
