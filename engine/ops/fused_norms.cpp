// layer_norm and rms_norm in one.
//
// What flows back to x along several paths comes as several inputs: the gradient of x may hold something already, from
// a way around the norm, and each path adds to it by itself, as in the composite.
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/ops/fused.h"
#include "engine/ops/ops.h"
#include "engine/tensor/sums.h"

namespace unroll::fused {
namespace {

struct Normal {
  Tensor x;      // (…, D): centred for layer_norm
  Tensor size;   // (…, 1): √(mean of x² + ε)
  Tensor value;  // (…, D): x / size

  explicit Normal(const Tensor& x) : x(x), size(x.shape().with(-1, 1)), value(x.shape()) {}
};

template <typename Job>
void for_each_row(const Tensor& x, Job job) {
  const int D = x.shape()[-1];
  for (std::size_t row = 0, at = 0; at < x.size(); ++row, at += static_cast<std::size_t>(D)) job(row, at, D);
}

Scalar mean_of(Scalar total, int D) { return total / static_cast<Scalar>(D); }

void centre_run(const Scalar* x, Scalar* __restrict y, int D) {
  const Scalar mean = mean_of(sum_run(x, static_cast<std::size_t>(D)), D);
  for (int i = 0; i < D; ++i) y[i] = x[i] - mean;
}

// y = x / size; the size.
Scalar divide_run(const Scalar* x, double epsilon, Scalar* __restrict y, int D) {
  const Scalar total = sum_run(x, static_cast<std::size_t>(D), [](Lanes x) { return x * x; });
  const Scalar size = std::sqrt(mean_of(total, D) + static_cast<Scalar>(epsilon));
  for (int i = 0; i < D; ++i) y[i] = x[i] / size;
  return size;
}

void scale_run(const Scalar* x, const Scalar* weight, Scalar* __restrict y, int D) {
  for (int i = 0; i < D; ++i) y[i] = x[i] * weight[i];
}

void scale_and_shift_run(const Scalar* x, const Scalar* weight, const Scalar* bias, Scalar* __restrict y, int D) {
  for (int i = 0; i < D; ++i) y[i] = x[i] * weight[i] + bias[i];
}

// A row on the way back.
struct Row {
  const Scalar *dy, *weight, *x, *value;
  Scalar size;
  int D;
};

Row row_of(const Normal& n, const Tensor& weight, const Tensor& dy, std::size_t row, std::size_t at, int D) {
  return {dy.data() + at, weight.data(), n.x.data() + at, n.value.data() + at, n.size.data()[row], D};
}

// x receives `slope` · x through either factor of x²; `work` (D) is overwritten.
Scalar slope_of_square(const Row& r, Scalar* __restrict work) {
  for (int i = 0; i < r.D; ++i) work[i] = -(r.dy[i] * r.weight[i] * r.value[i] / r.size);
  return mean_of(sum_run(work, static_cast<std::size_t>(r.D)) / (2 * r.size), r.D);
}

// dx = dy · weight / size, the path that leaves the size alone.
void slope_run(const Row& r, Scalar* __restrict dx) {
  for (int i = 0; i < r.D; ++i) dx[i] = r.dy[i] * r.weight[i] / r.size;
}

// dx = all three paths.
void slope_run(const Row& r, Scalar slope, Scalar* __restrict dx) {
  for (int i = 0; i < r.D; ++i) dx[i] = r.dy[i] * r.weight[i] / r.size + slope * r.x[i] + slope * r.x[i];
}

// The gradient of x but for the path through the row's mean; what comes along that one, the same for each value of a
// row, is left in `through_mean` (…, 1).
Tensor gradient_of_centred(const Normal& n, const Tensor& weight, const Tensor& dy, const Tensor& through_mean) {
  Tensor dx(dy.shape());
  for_each_row(dx, [&](std::size_t row, std::size_t at, int D) {
    const Row r = row_of(n, weight, dy, row, at, D);
    Scalar* to = dx.data() + at;
    slope_run(r, slope_of_square(r, to), to);
    const Scalar total = sum_run(to, static_cast<std::size_t>(D), [](Lanes x) { return -x; });
    through_mean.data()[row] = mean_of(total, D);
  });
  return dx;
}

// The gradient of x but for the paths through x², whose slopes are left in `slopes` (…, 1).
Tensor gradient_of_divided(const Normal& n, const Tensor& weight, const Tensor& dy, const Tensor& slopes) {
  Tensor dx(dy.shape());
  for_each_row(dx, [&](std::size_t row, std::size_t at, int D) {
    const Row r = row_of(n, weight, dy, row, at, D);
    slopes.data()[row] = slope_of_square(r, dx.data() + at);
    slope_run(r, dx.data() + at);
  });
  return dx;
}

}  // namespace

Tensor layer_norm(Operand x, Operand weight, Operand bias, double epsilon) {
  const Normal n(Tensor(x.shape()));
  Tensor y(x.shape()), through_mean(n.size.shape());
  for_each_row(x, [&](std::size_t row, std::size_t at, int D) {
    Scalar *centred = n.x.data() + at, *value = n.value.data() + at;
    centre_run(x.data() + at, centred, D);
    n.size.data()[row] = divide_run(centred, epsilon, value, D);
    scale_and_shift_run(value, weight.data(), bias.data(), y.data() + at, D);
  });
  return record({"layer_norm"}, y,  //
                Input{bias, [shape = bias.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                Input{weight, [=](const Tensor& dy) { return sum_to(dy * n.value, weight.shape()); }},
                Input{x, [=](const Tensor& dy) { return gradient_of_centred(n, weight, dy, through_mean); }},
                Input{x, [=](const Tensor& dy) { return broadcast_to(through_mean, dy.shape()); }});
}

Tensor rms_norm(Operand x, Operand weight, double epsilon) {
  const Normal n(x);
  Tensor y(x.shape()), slopes(n.size.shape());
  for_each_row(x, [&](std::size_t row, std::size_t at, int D) {
    Scalar* value = n.value.data() + at;
    n.size.data()[row] = divide_run(x.data() + at, epsilon, value, D);
    scale_run(value, weight.data(), y.data() + at, D);
  });
  const auto through_square = [=](const Tensor&) { return slopes * n.x; };
  return record({"rms_norm"}, y,  //
                Input{weight, [=](const Tensor& dy) { return sum_to(dy * n.value, weight.shape()); }},
                Input{x, [=](const Tensor& dy) { return gradient_of_divided(n, weight, dy, slopes); }},
                Input{x, through_square}, Input{x, through_square});
}

}  // namespace unroll::fused
