// Fused layer_norm and rms_norm.
//
// Several gradient paths lead to x. The gradient of x may already hold a value, from a residual connection around the
// norm: as in the composite, each path adds to it separately, which rounds differently from adding their sum.
#include <cmath>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/lanes.h"
#include "engine/kernels/parallel.h"
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

// Room for D values.
Scalar* row_of_this_thread(int D) {
  thread_local std::vector<Scalar> row;
  if (row.size() < static_cast<std::size_t>(D)) row.resize(static_cast<std::size_t>(D));
  return row.data();
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
void grad_of_divided(const Row& r, Scalar* __restrict dx) {
  for (int i = 0; i < r.D; ++i) dx[i] = r.dy[i] * r.weight[i] / r.rms;
}

// dx = the gradient of the centred row, with g = grad_of_square. Returns the gradient of the row's mean, through which
// every value of the row has another path.
Scalar grad_of_centred(const Row& r, Scalar* __restrict dx) {
  const Scalar g = grad_of_square(r, dx);
  for (int i = 0; i < r.D; ++i) dx[i] = r.dy[i] * r.weight[i] / r.rms + g * r.x[i] + g * r.x[i];
  return mean_of(sum_of(dx, static_cast<std::size_t>(r.D), [](Lanes x) { return -x; }), r.D);
}

void add_number(Scalar number, Scalar* y, int D) {
  for (int i = 0; i < D; ++i) y[i] += number;
}

void add_multiple(Scalar factor, const Scalar* x, Scalar* __restrict y, int D) {
  for (int i = 0; i < D; ++i) y[i] += factor * x[i];
}

// The gradient of x. Paths::first sets a row of it along the first path; Paths::add_others adds the other paths, given
// what `first` returned.
template <typename Paths>
struct GradientOfX {
  Normalised n;
  Tensor weight;

  Tensor operator()(const Tensor& dy) const {
    Tensor dx(dy.shape());
    over_rows(dx, costly, [&](std::size_t row, std::size_t at, int D) {
      const Row r = row_of(n, weight, dy, row, at, D);
      Paths::add_others(r, Paths::first(r, dx.data() + at), dx.data() + at);
    });
    return dx;
  }

  void accumulate(const Tensor& dy, const Tensor& sum) const {
    over_rows(sum, costly, [&](std::size_t row, std::size_t at, int D) {
      const Row r = row_of(n, weight, dy, row, at, D);
      Scalar* along_first = row_of_this_thread(D);
      const Scalar shared = Paths::first(r, along_first);
      add_to(along_first, sum.data() + at, static_cast<std::size_t>(D));
      Paths::add_others(r, shared, sum.data() + at);
    });
  }
};

// layer_norm: through the centred value, then through the mean.
struct CentredPaths {
  static Scalar first(const Row& r, Scalar* dx) { return grad_of_centred(r, dx); }
  static void add_others(const Row& r, Scalar grad_of_mean, Scalar* dx) { add_number(grad_of_mean, dx, r.D); }
};

// rms_norm: with rms held constant, then through either factor of x².
struct DividedPaths {
  static Scalar first(const Row& r, Scalar* dx) {
    const Scalar g = grad_of_square(r, dx);
    grad_of_divided(r, dx);
    return g;
  }
  static void add_others(const Row& r, Scalar g, Scalar* dx) {
    add_multiple(g, r.x, dx, r.D);
    add_multiple(g, r.x, dx, r.D);
  }
};

}  // namespace

Tensor layer_norm(Operand x, Operand weight, Operand bias, double epsilon) {
  const Normalised n(Tensor(x.shape()));
  Tensor y(x.shape());
  over_rows(x, costly, [&](std::size_t row, std::size_t at, int D) {
    Scalar *centred = n.x.data() + at, *value = n.value.data() + at;
    centre_row(x.data() + at, centred, D);
    n.rms.data()[row] = divide_row(centred, epsilon, value, D);
    scale_and_shift_row(value, weight.data(), bias.data(), y.data() + at, D);
  });
  return record({"layer_norm"}, y,  //
                Input{bias, [shape = bias.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                Input{weight, [=](const Tensor& dy) { return sum_to(dy * n.value, weight.shape()); }},
                Input{x, GradientOfX<CentredPaths>{n, weight}});
}

Tensor rms_norm(Operand x, Operand weight, double epsilon) {
  const Normalised n(x);
  Tensor y(x.shape());
  over_rows(x, costly, [&](std::size_t row, std::size_t at, int D) {
    Scalar* value = n.value.data() + at;
    n.rms.data()[row] = divide_row(x.data() + at, epsilon, value, D);
    scale_row(value, weight.data(), y.data() + at, D);
  });
  return record({"rms_norm"}, y,  //
                Input{weight, [=](const Tensor& dy) { return sum_to(dy * n.value, weight.shape()); }},
                Input{x, GradientOfX<DividedPaths>{n, weight}});
}

}  // namespace unroll::fused
