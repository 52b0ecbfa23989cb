// add, subtract, multiply, divide, negate, add_bias. Gradients capture only the shape of their own operand where its
// values are not needed, so that training can free them.
#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {

Tensor add(Operand a, Operand b) {
  const Tensor y = map_pairs("add", a, b, [](Scalar a, Scalar b) { return a + b; });
  return record({"add", "elementwise", "{0} + {1}"}, y,  //
                Input{a, [shape = a.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                Input{b, [shape = b.shape()](const Tensor& dy) { return sum_to(dy, shape); }});
}

Tensor subtract(Operand a, Operand b) {
  const Tensor y = map_pairs("subtract", a, b, [](Scalar a, Scalar b) { return a - b; });
  return record({"subtract", "elementwise", "{0} − {1}"}, y,  //
                Input{a, [shape = a.shape()](const Tensor& dy) { return sum_to(dy, shape); }},
                Input{b, [shape = b.shape()](const Tensor& dy) { return sum_to(-dy, shape); }});
}

Tensor multiply(Operand a, Operand b) {
  const Tensor y = map_pairs("multiply", a, b, [](Scalar a, Scalar b) { return a * b; });
  return record({"multiply", "elementwise", "{0} · {1}"}, y,  //
                Input{a, [b, shape = a.shape()](const Tensor& dy) { return sum_to(dy * b, shape); }},
                Input{b, [a, shape = b.shape()](const Tensor& dy) { return sum_to(dy * a, shape); }});
}

Tensor divide(Operand a, Operand b) {
  const Tensor y = map_pairs("divide", a, b, [](Scalar a, Scalar b) { return a / b; });
  return record({"divide", "elementwise", "{0} / {1}"}, y,  //
                Input{a, [b, shape = a.shape()](const Tensor& dy) { return sum_to(dy / b, shape); }},
                Input{b, [b, y](const Tensor& dy) { return sum_to(-(dy * y / b), b.shape()); }});
}

Tensor negate(Operand x) {
  Tensor y(x.shape());
  y.array() = -x.array();
  return record({"negate", "elementwise", "−{0}"}, y, Input{x, [](const Tensor& dy) { return -dy; }});
}

Tensor composite::add_bias(const Operand& product, const Operand& bias) {
  if (product.rank() == 0 || bias.shape() != Shape{product.shape()[-1]})
    fail(ErrorCode::shape, "add_bias_sizes_differ", product.shape(), bias.shape());
  return add(forward_operand(product), forward_operand(bias));
}

}  // namespace unroll
