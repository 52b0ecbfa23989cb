// Bias addition in place.
#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"

namespace unroll::fused {

Tensor add_bias(Operand product, Operand bias) {
  const Tensor y = product.reshaped(product.shape());
  const std::size_t M = bias.size();
  if (M > 0) for_each_row(y.size() / M, M, cheap, [&](std::size_t row) { add_to(bias.data(), y.data() + row * M, M); });
  return record({"add_bias"}, y, Input{product, [](const Tensor& dy) { return dy; }},
                Input{bias, [shape = bias.shape()](const Tensor& dy) { return sum_to(dy, shape); }});
}

}  // namespace unroll::fused
