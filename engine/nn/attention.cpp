#include "engine/nn/attention.h"

namespace unroll {

Attended attend(Operand e, Operand v, const Tensor& mask, double temperature) {
  const Tensor seen = mask ? e + mask : Tensor(e);
  const Tensor weights = softmax(seen, -1, temperature).as("α", Role::weight);
  const Tensor context = matmul(weights, v).as("c");
  return {context, weights};
}

Attended scaled_dot_product_attention(Operand q, Operand k, Operand v, const Tensor& mask) {
  return attend(scaled_dot_score(q, k).as("e", Role::score), v, mask);
}

}  // namespace unroll
