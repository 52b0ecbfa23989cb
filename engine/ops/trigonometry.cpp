// sin and cos.
#include "engine/autograd/tape.h"
#include "engine/kernels/functions.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

Tensor mapped(void (*kernel)(const Scalar*, Scalar*, std::size_t), const Tensor& x) {
  Tensor y(x.shape());
  kernel(x.data(), y.data(), x.size());
  return y;
}

}  // namespace

Tensor sin(Operand x) {
  return record({"sin", "elementwise", "sin {0}"}, mapped(kernels::sin, x),
                Input{x, [x](const Tensor& dy) { return dy * cos(x); }});
}

Tensor cos(Operand x) {
  return record({"cos", "elementwise", "cos {0}"}, mapped(kernels::cos, x),
                Input{x, [x](const Tensor& dy) { return -(dy * sin(x)); }});
}

}  // namespace unroll
