// Fused softmax along the last axis.
#include "engine/autograd/tape.h"
#include "engine/kernels/exponentials.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/fused/fused.h"

namespace unroll::fused {
namespace {

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
  const int count = y.shape()[-1];
  const auto length = static_cast<std::size_t>(count);
  for_each_row(totals.size(), length, costly, [&](std::size_t row) {
    const std::size_t at = row * length;
    grad_row(dy.data() + at, y.data() + at, exponentials.data() + at, totals.data()[row], dx.data() + at, count);
  });
  return dx;
}

}  // namespace

Tensor softmax(Operand x) {
  const int count = x.shape()[-1];
  Tensor exponentials(x.shape()), totals(x.shape().with(-1, 1)), y(x.shape());
  const auto length = static_cast<std::size_t>(count);
  for_each_row(totals.size(), length, costly, [&](std::size_t row) {
    const std::size_t at = row * length;
    const Scalar total = exponentials_of_row(x.data() + at, exponentials.data() + at, count).total, t = divisor(total);
    totals.data()[row] = total;
    shares_of(exponentials.data() + at, t, y.data() + at, count);
  });
  return record({"softmax"}, y, Input{x, [=](const Tensor& dy) { return gradient_of(dy, y, exponentials, totals); }});
}

}  // namespace unroll::fused
