// softmax along the last axis in one.
#include "engine/autograd/tape.h"
#include "engine/ops/fused.h"
#include "engine/ops/powers.h"

namespace unroll::fused {
namespace {

Scalar divisor(Scalar total) { return total == 0 ? 1 : total; }  // a row of −∞ has the total 0

void shares_of(const Scalar* powers, Scalar total, Scalar* y, int count) {
  for (int i = 0; i < count; ++i) y[i] = powers[i] / total;
}

// dx = (dy / Σ − Σ dy y / Σ) · powers, y = powers / Σ.
void slope_run(const Scalar* dy, const Scalar* y, const Scalar* powers, Scalar total, Scalar* dx, int count) {
  const Scalar t = divisor(total);
  for (int i = 0; i < count; ++i) dx[i] = -(dy[i] * y[i] / t);
  const Scalar shared = total == 0 ? 0 : sum_run(dx, static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) dx[i] = (dy[i] / t + shared) * powers[i];
}

Tensor gradient_of(const Tensor& dy, const Tensor& y, const Tensor& powers, const Tensor& totals) {
  Tensor dx(y.shape());
  const int count = y.shape()[-1];
  for (std::size_t row = 0, at = 0; row < totals.size(); ++row, at += static_cast<std::size_t>(count))
    slope_run(dy.data() + at, y.data() + at, powers.data() + at, totals.data()[row], dx.data() + at, count);
  return dx;
}

}  // namespace

Tensor softmax(Operand x) {
  const int count = x.shape()[-1];
  Tensor powers(x.shape()), totals(x.shape().with(-1, 1)), y(x.shape());
  for (std::size_t row = 0, at = 0; row < totals.size(); ++row, at += static_cast<std::size_t>(count)) {
    const Scalar total = powers_of_row(x.data() + at, powers.data() + at, count).total, t = divisor(total);
    totals.data()[row] = total;
    shares_of(powers.data() + at, t, y.data() + at, count);
  }
  return record({"softmax"}, y, Input{x, [=](const Tensor& dy) { return gradient_of(dy, y, powers, totals); }});
}

}  // namespace unroll::fused
