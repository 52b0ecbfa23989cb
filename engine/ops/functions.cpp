// exp, log, sqrt, tanh, sigmoid, relu, sin, cos, erf, abs: unary elementwise functions.
#include "engine/kernels/functions.h"

#include <cmath>
#include <numbers>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

using Kernel = void (*)(const Scalar*, Scalar*, std::size_t);

Tensor map_values(Kernel kernel, const Tensor& x) {
  Tensor y(x.shape());
  kernel(x.data(), y.data(), x.size());
  return y;
}

}  // namespace

Tensor exp(Operand x) {
  const Tensor y = map_values(kernels::exp, x);
  return record({"exp", "elementwise", "exp {0}"}, y, Input{x, [y](const Tensor& dy) { return dy * y; }});
}

Tensor log(Operand x) {
  const Tensor y = map_values(kernels::log, x);
  return record({"log", "elementwise", "log {0}"}, y, Input{x, [x](const Tensor& dy) { return dy / x; }});
}

Tensor sqrt(Operand x) {
  const Tensor y = map_values(kernels::sqrt, x);
  return record({"sqrt", "elementwise", "√{0}"}, y, Input{x, [y](const Tensor& dy) { return dy / (2 * y); }});
}

Tensor root_of_variance(Operand x) {
  const Tensor y = map_values(kernels::sqrt, x);
  return record({"sqrt", "elementwise", "√{0}"}, y,
                Input{x, [y](const Tensor& dy) { return where(equal(y, 0), 0, dy / (2 * y)); }});
}

Tensor tanh(Operand x) {
  const Tensor y = map_values(kernels::tanh, x);
  return record({"tanh", "elementwise", "tanh {0}"}, y, Input{x, [y](const Tensor& dy) { return dy * (1 - y * y); }});
}

Tensor sigmoid(Operand x) {
  const Tensor y = map_values(kernels::sigmoid, x);
  return record({"sigmoid", "elementwise", "σ({0})"}, y,
                Input{x, [y](const Tensor& dy) { return dy * (y * (1 - y)); }});
}

// where() adds 0 to the chosen value, which turns −0 into 0; so does the kernel.
Tensor composite::gradient_of_relu(const Operand& x, const Operand& dy) { return where(greater(x, 0), dy, 0); }

Tensor relu(Operand x) {
  Tensor y(x.shape());
  // Written as v < 0 so that NaN stays NaN: comparisons with NaN are false.
  y.array() = x.array().unaryExpr([](Scalar v) { return v < 0 ? Scalar(0) : v; });
  return record({"relu", "elementwise", "max({0}, 0)"}, y,
                Input{x, [x](const Tensor& dy) { return gradient_of_relu(x, dy); }});
}

Tensor sin(Operand x) {
  return record({"sin", "elementwise", "sin {0}"}, map_values(kernels::sin, x),
                Input{x, [x](const Tensor& dy) { return dy * cos(x); }});
}

Tensor cos(Operand x) {
  return record({"cos", "elementwise", "cos {0}"}, map_values(kernels::cos, x),
                Input{x, [x](const Tensor& dy) { return -(dy * sin(x)); }});
}

Tensor erf(Operand x) {
  const Tensor y = map_values(kernels::erf, x);
  return record({"erf", "elementwise", "erf {0}"}, y,
                Input{x, [x](const Tensor& dy) { return dy * (2 / std::sqrt(std::numbers::pi) * exp(-(x * x))); }});
}

Tensor abs(Operand x) {
  Tensor y(x.shape());
  y.array() = x.array().abs();
  return record({"abs", "elementwise", "|{0}|"}, y,
                Input{x, [x](const Tensor& dy) { return dy * (greater(x, 0) - greater(0, x)); }});
}

}  // namespace unroll
