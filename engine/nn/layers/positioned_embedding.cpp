#include "engine/nn/layers/positioned_embedding.h"

#include <cmath>

namespace unroll {
namespace {

using Positions = std::function<Tensor(int count, int first_position)>;

// The rows from `first` on of what a function makes for all positions.
Positions rows_of(const PositionFunction& all, int size) {
  if (!all) return {};
  return [=](int count, int first) { return slice(all(first + count, size), 0, first, count).as("positions"); };
}

Positions learned_in(const LearnedPositions& table) {
  return [=](int count, int first) { return table(count, first).as("positions"); };
}

Positions fixed(AbsolutePositions kind, int size) {
  if (kind == AbsolutePositions::none) return {};
  return [=](int count, int first) { return fixed_positions(kind, count, size, first).as("positions", Role::input); };
}

}  // namespace

PositionedEmbedding::PositionedEmbedding(Parameters& parameters, const std::string& name, int vocabulary, int size,
                                         AbsolutePositions positions, int max_positions)
    : embedding_(
          parameters.declare(name + ".weight", {vocabulary, size}, normal(1 / std::sqrt(static_cast<Scalar>(size))))),
      positions_(replaced_or(rows_of(parameters.parts().positions(name + ".positions", size), size), [&] {
        return positions == AbsolutePositions::learned
                   ? learned_in({parameters, name + ".positions", max_positions, size})
                   : fixed(positions, size);
      })) {}

Tensor PositionedEmbedding::operator()(Operand ids, int first_position) const {
  const double scale = std::sqrt(static_cast<double>(embedding_.weight.shape()[1]));
  const Tensor x = (scale * embedding_(ids)).as("words");  // (B, T, D)
  return positions_ ? (x + positions_(ids.shape()[1], first_position)).as("x") : x;
}

}  // namespace unroll
