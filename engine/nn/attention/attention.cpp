#include "engine/nn/attention/attention.h"

namespace unroll {

AttentionOutput attend(Operand e, Operand v, const Tensor& mask, double temperature) {
  const Tensor masked_scores = mask ? e + mask : Tensor(e);                              // (…, T, S)
  const Tensor weights = softmax(masked_scores, -1, temperature).as("α", Role::weight);  // (…, T, S)
  const Tensor context = matmul(weights, v).as("c");                                     // (…, T, size)
  return {context, weights};
}

AttentionOutput scaled_dot_product_attention(Operand q, Operand k, Operand v, const Tensor& mask) {
  return attend(scaled_dot_score(q, k).as("e", Role::score), v, mask);
}

}  // namespace unroll
