#include "engine/nn/recurrent/sequence.h"

#include <algorithm>

namespace unroll {

Tensor at_position(Operand x, int position) {
  return reshape(slice(forward_operand(x), 1, position, 1), x.shape().without(1));
}

Tensor join_positions(const std::vector<Tensor>& positions) {
  std::vector<Operand> columns;
  for (const Tensor& x : positions) columns.push_back(reshape(x, x.shape().inserted(1)));  // (B, 1, …)
  return concat(columns, 1);
}

std::vector<int> lengths_of(const Tensor& ids, int padding) {
  const int batch = ids.shape()[0], positions = ids.shape()[1];
  std::vector<int> lengths(static_cast<std::size_t>(batch), 0);
  for (int b = 0; b < batch; ++b)
    for (int s = 0; s < positions; ++s)
      if (ids.data()[b * positions + s] != static_cast<Scalar>(padding)) lengths[b] = s + 1;
  return lengths;
}

Tensor present_tokens(const std::vector<int>& lengths, int positions) {
  if (std::ranges::all_of(lengths, [=](int length) { return length == positions; })) return {};
  Tensor present = Tensor::full({static_cast<int>(lengths.size()), positions}, 0);
  for (std::size_t b = 0; b < lengths.size(); ++b) std::fill_n(present.data() + b * positions, lengths[b], Scalar(1));
  return present;
}

}  // namespace unroll
