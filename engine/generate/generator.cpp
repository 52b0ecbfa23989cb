#include "engine/generate/generator.h"

#include <algorithm>

#include "engine/ops/ops.h"

namespace unroll {
namespace {

// Gathers rows of x (R, …) by index.
Tensor chosen_rows(Operand x, Operand indices) {
  const int rows = x.shape()[0], count = indices.shape()[0];
  const Tensor table = reshape(x, {rows, static_cast<int>(x.size()) / std::max(rows, 1)});
  const Tensor chosen = gather(table, indices);
  return reshape(chosen, x.shape().with(0, count));
}

}  // namespace

GeneratorState GeneratorState::pack(const std::vector<Tensor*>& kept, int position) {
  GeneratorState state{.rows = {}, .position = position};
  for (const Tensor* each : kept)
    if (*each) state.rows.push_back(*each);
  return state;
}

void GeneratorState::unpack(const std::vector<Tensor*>& kept) const {
  for (std::size_t i = 0; i < std::min(rows.size(), kept.size()); ++i) *kept[i] = rows[i];
}

GeneratorState GeneratorState::select(std::span<const int> indices) const {
  Tensor ids({static_cast<int>(indices.size())});
  std::ranges::transform(indices, ids.data(), [](int index) { return static_cast<Scalar>(index); });
  GeneratorState result{.rows = {}, .position = position};
  for (const Tensor& x : rows) result.rows.push_back(chosen_rows(x, ids));
  return result;
}

}  // namespace unroll
