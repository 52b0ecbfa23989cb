// Fused add_bias, in place; gelu, and the gradient of relu. The two gradient paths of gelu to x are two inputs, each
// accumulated into the gradient of x separately: see norms.cpp.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/kernels/functions.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll::fused {
namespace {

constexpr std::size_t block = 512;  // values at a time, which stay in the L1 cache
constexpr Scalar root_two = static_cast<Scalar>(std::numbers::sqrt2);

// y = x/2 · (1 + erf), with erf = erf(x/√2) kept for backward.
void gelu_run(const Scalar* x, Scalar* erf, Scalar* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) erf[i] = x[i] / root_two;
  kernels::erf(erf, erf, n);
  for (std::size_t i = 0; i < n; ++i) y[i] = Scalar(0.5) * x[i] * (1 + erf[i]);
}

// dx = dy · x/2 · 2/√π e^(−x²/2) / √2, the path through erf.
void grad_through_erf(const Scalar* x, const Scalar* dy, Scalar* dx, std::size_t n) {
  const Scalar height = static_cast<Scalar>(2 / std::sqrt(std::numbers::pi));
  Scalar bell[block] = {};
  for (std::size_t i = 0; i < n; ++i) bell[i] = x[i] / root_two;
  for (std::size_t i = 0; i < n; ++i) bell[i] = -(bell[i] * bell[i]);
  kernels::exp(bell, bell, n);
  for (std::size_t i = 0; i < n; ++i) dx[i] = dy[i] * (Scalar(0.5) * x[i]) * (height * bell[i]) / root_two;
}

// dx = dy · (1 + erf) / 2, the path through x/2.
void grad_through_half(const Scalar* erf, const Scalar* dy, Scalar* dx, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) dx[i] = dy[i] * (1 + erf[i]) * Scalar(0.5);
}

template <typename Run>
void in_blocks(std::size_t n, Run run) {
  for_each_row((n + block - 1) / block, block, costly,
               [&](std::size_t i) { run(i * block, std::min(block, n - i * block)); });
}

}  // namespace

Tensor add_bias(Operand product, Operand bias) {
  const Tensor y = product.reshaped(product.shape());
  const std::size_t M = bias.size();
  if (M > 0) for_each_row(y.size() / M, M, cheap, [&](std::size_t row) { add_to(bias.data(), y.data() + row * M, M); });
  return record({"add_bias"}, y, Input{product, [](const Tensor& dy) { return dy; }},
                Input{bias, [shape = bias.shape()](const Tensor& dy) { return sum_to(dy, shape); }});
}

Tensor gelu(Operand x) {
  Tensor y(x.shape()), erf(x.shape());
  in_blocks(x.size(),
            [&](std::size_t at, std::size_t n) { gelu_run(x.data() + at, erf.data() + at, y.data() + at, n); });
  const auto through_erf = [x = Tensor(x)](const Tensor& dy) {
    Tensor dx(x.shape());
    in_blocks(x.size(), [&](std::size_t at, std::size_t n) {
      grad_through_erf(x.data() + at, dy.data() + at, dx.data() + at, n);
    });
    return dx;
  };
  const auto through_half = [erf](const Tensor& dy) {
    Tensor dx(erf.shape());
    in_blocks(erf.size(), [&](std::size_t at, std::size_t n) {
      grad_through_half(erf.data() + at, dy.data() + at, dx.data() + at, n);
    });
    return dx;
  };
  return record({"gelu"}, y, Input{x, through_erf}, Input{x, through_half});
}

Tensor gradient_of_relu(const Tensor& x, const Tensor& dy) {
  return map_pairs("relu", x, dy, [](Scalar x, Scalar dy) { return (x > 0 ? dy : 0) + 0; });
}

}  // namespace unroll::fused
