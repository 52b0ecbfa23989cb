#include "engine/models/writer.h"

#include <algorithm>

#include "engine/ops/ops.h"

namespace unroll {
namespace {

// Rows of x (R, …) in a new order.
Tensor chosen_rows(Operand x, Operand numbers) {
  const int rows = x.shape()[0], count = numbers.shape()[0];
  const Tensor table = reshape(x, {rows, static_cast<int>(x.size()) / std::max(rows, 1)});
  const Tensor chosen = gather(table, numbers);
  return reshape(chosen, x.shape().with(0, count));
}

}  // namespace

WriterState WriterState::of(const std::vector<Tensor*>& kept) {
  WriterState state;
  for (const Tensor* each : kept)
    if (*each) state.rows.push_back(*each);
  return state;
}

void WriterState::put_back(const std::vector<Tensor*>& kept) const {
  for (std::size_t i = 0; i < std::min(rows.size(), kept.size()); ++i) *kept[i] = rows[i];
}

WriterState WriterState::select(std::span<const int> numbers) const {
  Tensor ids({static_cast<int>(numbers.size())});
  std::ranges::transform(numbers, ids.data(), [](int number) { return static_cast<Scalar>(number); });
  WriterState result;
  for (const Tensor& x : rows) result.rows.push_back(chosen_rows(x, ids));
  return result;
}

}  // namespace unroll
