#include "engine/nn/attention/local_attention.h"

#include <algorithm>
#include <cmath>

#include "engine/nn/attention/masks.h"

namespace unroll {
namespace {

Tensor arange(int count) {
  Tensor positions({count});
  for (int i = 0; i < count; ++i) positions.data()[i] = static_cast<Scalar>(i);
  return positions;
}

}  // namespace

Tensor window_mask(const Tensor& last, int keys, int position, int half_width) {
  const int batch = last.shape()[0];
  Tensor mask({batch, 1, keys});
  for (int b = 0; b < batch; ++b) {
    const int centre = std::min(position, static_cast<int>(last.data()[b]));
    for (int s = 0; s < keys; ++s) mask.data()[b * keys + s] = std::abs(s - centre) <= half_width ? Scalar(0) : masked;
  }
  return mask;
}

Tensor predicted_position(Operand q, Operand last, Operand W, Operand v) {
  const Tensor hidden = tanh(matmul(q, W, Transposed::b));  // (B, T, A)
  return last * sigmoid(matmul(hidden, v));                 // (B, T)
}

AttentionOutput attend_local_p(Operand e, Operand v, Operand p, double deviation, const Tensor& mask,
                               double temperature) {
  const Tensor masked_scores = mask ? e + mask : Tensor(e);                                // (B, T, S)
  const Tensor offset = arange(e.shape()[-1]) - reshape(p, p.shape().inserted(p.rank()));  // (B, T, S)
  const Tensor gaussian = exp(-square(offset) / (2 * deviation * deviation)).as("near");   // (B, T, S)
  const Tensor global_weights = softmax(masked_scores, -1, temperature);                   // (B, T, S)
  const Tensor weights = (global_weights * gaussian).as("α", Role::weight);                // (B, T, S)
  const Tensor context = matmul(weights, v).as("c");                                       // (B, T, size)
  return {context, weights};
}

}  // namespace unroll
