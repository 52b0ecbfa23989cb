#include "engine/nn/masks.h"

#include <algorithm>
#include <limits>

namespace unroll {
namespace {

constexpr Scalar hidden = -std::numeric_limits<Scalar>::infinity();

}  // namespace

Tensor causal_mask(int queries, int keys) {
  Tensor mask = Tensor::full({queries, keys}, 0);
  for (int i = 0; i < queries; ++i)
    for (int j = i + 1; j < keys; ++j) mask.data()[i * keys + j] = hidden;
  return mask;
}

Tensor padding_mask(std::span<const int> lengths, int keys) {
  Tensor mask = Tensor::full({static_cast<int>(lengths.size()), 1, keys}, 0);
  for (std::size_t b = 0; b < lengths.size(); ++b)
    for (int j = std::max(lengths[b], 0); j < keys; ++j) mask.data()[b * keys + j] = hidden;
  return mask;
}

Tensor padding_mask(const Tensor& is_padding) {
  Tensor mask(is_padding.shape().inserted(1));
  std::ranges::transform(is_padding.values(), mask.data(), [](Scalar mark) { return mark != 0 ? hidden : Scalar(0); });
  return mask;
}

}  // namespace unroll
