#include "engine/nn/attention/attention.h"

#include <algorithm>

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

Tensor causal_mask(int queries, int keys, int first_position) {
  return sliding_window_mask(queries, keys, first_position + queries, 0, first_position);
}

Tensor sliding_window_mask(int queries, int keys, int window, int sinks, int first_position) {
  Tensor mask({queries, keys});
  Scalar* at = mask.data();
  for (int i = first_position; i < first_position + queries; ++i)
    for (int j = 0; j < keys; ++j) *at++ = j <= i && (j > i - window || j < sinks) ? Scalar(0) : masked;
  return mask;
}

Tensor padding_mask(std::span<const int> lengths, int keys) {
  Tensor mask = Tensor::full({static_cast<int>(lengths.size()), 1, keys}, 0);
  for (std::size_t b = 0; b < lengths.size(); ++b)
    for (int j = std::max(lengths[b], 0); j < keys; ++j) mask.data()[b * keys + j] = masked;
  return mask;
}

Tensor padding_mask(const Tensor& is_padding) {
  Tensor mask(is_padding.shape().inserted(1));
  std::ranges::transform(is_padding.values(), mask.data(), [](Scalar mark) { return mark != 0 ? masked : Scalar(0); });
  return mask;
}

Tensor combined_mask(const Tensor& a, const Tensor& b) {
  if (!a || !b) return a ? a : b;
  return a + b;
}

Tensor for_all_heads(const Tensor& mask) {
  return mask && mask.rank() == 3 ? reshape(mask, mask.shape().inserted(1)) : mask;
}

}  // namespace unroll
