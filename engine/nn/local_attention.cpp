#include "engine/nn/local_attention.h"

#include <algorithm>
#include <cmath>

#include "engine/nn/masks.h"

namespace unroll {
namespace {

Tensor counted_from_0(int count) {
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
    for (int s = 0; s < keys; ++s) mask.data()[b * keys + s] = std::abs(s - centre) <= half_width ? Scalar(0) : hidden;
  }
  return mask;
}

Tensor predicted_position(Operand q, Operand last, Operand W, Operand v) {
  const Tensor asked = tanh(matmul(q, W, Transposed::b));  // (B, T, A)
  return last * sigmoid(matmul(asked, v));                 // (B, T)
}

Attended attend_near(Operand e, Operand v, Operand p, double deviation, const Tensor& mask, double temperature) {
  const Tensor seen = mask ? e + mask : Tensor(e);                                               // (B, T, S)
  const Tensor away = counted_from_0(e.shape()[-1]) - reshape(p, p.shape().inserted(p.rank()));  // (B, T, S)
  const Tensor near = exp(-square(away) / (2 * deviation * deviation)).as("near");               // (B, T, S)
  const Tensor everywhere = softmax(seen, -1, temperature);                                      // (B, T, S)
  const Tensor weights = (everywhere * near).as("α", Role::weight);                              // (B, T, S)
  const Tensor context = matmul(weights, v).as("c");                                             // (B, T, size)
  return {context, weights};
}

}  // namespace unroll
