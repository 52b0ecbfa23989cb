#include "engine/generate/generator.h"

#include <algorithm>

#include "engine/ops/ops.h"

namespace unroll {

// Gathers rows of x (R, …) by index.
Tensor GeneratorState::chosen_rows(const Tensor& x, const Tensor& ids) {
  const int rows = x.shape()[0];
  const Tensor table = reshape(x, {rows, static_cast<int>(x.size()) / std::max(rows, 1)});
  return reshape(gather(table, ids), x.shape().with(0, ids.shape()[0]));
}

GeneratorState GeneratorState::select(std::span<const int> indices) const {
  GeneratorState result = *this;
  if (!kept_) return result;
  Tensor ids({static_cast<int>(indices.size())});
  std::ranges::transform(indices, ids.data(), [](int index) { return static_cast<Scalar>(index); });
  result.kept_ = kept_->select(ids);
  return result;
}

}  // namespace unroll
