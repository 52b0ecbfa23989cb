// Fused layer_norm and rms_norm.
//
// Several gradient paths to x are several inputs: the gradient of x may already hold a value, from a residual
// connection around the norm, and each path adds to it separately, as in the composite.
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/kernels/sums.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll::fused {
namespace {

struct Normalised {
  Tensor x;      // (…, D): centred for layer_norm
  Tensor rms;    // (…, 1): √(mean of x² + ε)
  Tensor value;  // (…, D): x / rms

  explicit Normalised(const Tensor& x) : x(x), rms(x.shape().with(-1, 1)), value(x.shape()) {}
};

template <typename Job>
void for_each_row(const Tensor& x, Job job) {
  const int D = x.shape()[-1];
  for (std::size_t row = 0, at = 0; at < x.size(); ++row, at += static_cast<std::size_t>(D)) job(row, at, D);
}

Scalar mean_of(Scalar total, int D) { return total / static_cast<Scalar>(D); }

void centre_row(const Scalar* x, Scalar* __restrict y, int D) {
  const Scalar mean = mean_of(sum_of(x, static_cast<std::size_t>(D)), D);
  for (int i = 0; i < D; ++i) y[i] = x[i] - mean;
}

// y = x / rms; returns rms.
Scalar divide_row(const Scalar* x, double epsilon, Scalar* __restrict y, int D) {
  const Scalar total = sum_of(x, static_cast<std::size_t>(D), [](Lanes x) { return x * x; });
  const Scalar rms = std::sqrt(mean_of(total, D) + static_cast<Scalar>(epsilon));
  for (int i = 0; i < D; ++i) y[i] = x[i] / rms;
  return rms;
}

void scale_row(const Scalar* x, const Scalar* weight, Scalar* __restrict y, int D) {
  for (int i = 0; i < D; ++i) y[i] = x[i] * weight[i];
}

void scale_and_shift_row(const Scalar* x, const Scalar* weight, const Scalar* bias, Scalar* __restrict y, int D) {
  for (int i = 0; i < D; ++i) y[i] = x[i] * weight[i] + bias[i];
}

// One row of the backward pass.
struct Row {
  const Scalar *dy, *weight, *x, *value;
  Scalar rms;
  int D;
};

Row row_of(const Normalised& n, const Tensor& weight, const Tensor& dy, std::size_t row, std::size_t at, int D) {
  return {dy.data() + at, weight.data(), n.x.data() + at, n.value.data() + at, n.rms.data()[row], D};
}

// Returns the gradient of x², g: dx receives g · x through either factor of x². `work` (D) is overwritten.
Scalar grad_of_square(const Row& r, Scalar* __restrict work) {
  for (int i = 0; i < r.D; ++i) work[i] = -(r.dy[i] * r.weight[i] * r.value[i] / r.rms);
  return mean_of(sum_of(work, static_cast<std::size_t>(r.D)) / (2 * r.rms), r.D);
}

// dx = dy · weight / rms, the path with rms held constant.
void grad_row(const Row& r, Scalar* __restrict dx) {
  for (int i = 0; i < r.D; ++i) dx[i] = r.dy[i] * r.weight[i] / r.rms;
}

// dx = the sum of all three paths.
void grad_row(const Row& r, Scalar square_grad, Scalar* __restrict dx) {
  for (int i = 0; i < r.D; ++i) dx[i] = r.dy[i] * r.weight[i] / r.rms + square_grad * r.x[i] + square_grad * r.x[i];
}

// The gradient of x except for the path through the row's mean, whose gradient, the same for each value of a row, is
// stored in `through_mean` (…, 1).
Tensor gradient_of_centred(const Normalised& n, const Tensor& weight, const Tensor& dy, const Tensor& through_mean) {
  Tensor dx(dy.shape());
  for_each_row(dx, [&](std::size_t row, std::size_t at, int D) {
    const Row r = row_of(n, weight, dy, row, at, D);
    Scalar* to = dx.data() + at;
    grad_row(r, grad_of_square(r, to), to);
    const Scalar total = sum_of(to, static_cast<std::size_t>(D), [](Lanes x) { return -x; });
    through_mean.data()[row] = mean_of(total, D);
  });
  return dx;
}

// The gradient of x except for the paths through x², whose gradient is stored in `square_grads` (…, 1).
Tensor gradient_of_divided(const Normalised& n, const Tensor& weight, const Tensor& dy, const Tensor& square_grads) {
  Tensor dx(dy.shape());
  for_each_row(dx, [&](std::size_t row, std::size_t at, int D) {
    const Row r = row_of(n, weight, dy, row, at, D);
    square_grads.data()[row] = grad_of_square(r, dx.data() + at);
    grad_row(r, dx.data() + at);
  });
  return dx;
}

}  // namespace

Tensor layer_norm(Operand x, Operand weight, Operand bias, double epsilon) {
  const Normalised n(Tensor(x.shape()));
  Tensor y(x.shape()), through_mean(n.rms.shape());
  for_each_row(x, [&](std::size_t row, std::size_t at, int D) {
    Scalar *centred = n.x.data() + at, *value = n.value.data() + at;
    centre_row(x.data() + at, centred, D);
    n.rms.data()[row] = divide_row(centred, epsilon, value, D);
    scale_and_shift_row(value, weight.data(), bias.data(), y.data() + at, D);
  });
  return record({"layer_norm"}, y,  //
                Input{bias, [shape = bias.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                Input{weight, [=](const Tensor& dy) { return sum_to(dy * n.value, weight.shape()); }},
                Input{x, [=](const Tensor& dy) { return gradient_of_centred(n, weight, dy, through_mean); }},
                Input{x, [=](const Tensor& dy) { return broadcast_to(through_mean, dy.shape()); }});
}

Tensor rms_norm(Operand x, Operand weight, double epsilon) {
  const Normalised n(x);
  Tensor y(x.shape()), square_grads(n.rms.shape());
  for_each_row(x, [&](std::size_t row, std::size_t at, int D) {
    Scalar* value = n.value.data() + at;
    n.rms.data()[row] = divide_row(x.data() + at, epsilon, value, D);
    scale_row(value, weight.data(), y.data() + at, D);
  });
  const auto through_square = [=](const Tensor&) { return square_grads * n.x; };
  return record({"rms_norm"}, y,  //
                Input{weight, [=](const Tensor& dy) { return sum_to(dy * n.value, weight.shape()); }},
                Input{x, [=](const Tensor& dy) { return gradient_of_divided(n, weight, dy, square_grads); }},
                Input{x, through_square}, Input{x, through_square});
}

}  // namespace unroll::fused
