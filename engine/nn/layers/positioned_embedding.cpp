#include "engine/nn/layers/positioned_embedding.h"

#include <cmath>

namespace unroll {

PositionedEmbedding::PositionedEmbedding(Parameters& parameters, const std::string& name, int vocabulary, int size,
                                         AbsolutePositions positions, int max_positions, const Parts& parts)
    : embedding_(
          parameters.declare(name + ".weight", {vocabulary, size}, normal(1 / std::sqrt(static_cast<Scalar>(size))))),
      kind_(positions),
      learned_(positions == AbsolutePositions::learned
                   ? LearnedPositions(parameters, name + ".positions", max_positions, size)
                   : LearnedPositions(Tensor())),
      instead_(parts.positions(name + ".positions", size)) {}

Tensor PositionedEmbedding::operator()(Operand ids, int first_position) const {
  const double scale = std::sqrt(static_cast<double>(embedding_.weight.shape()[1]));
  const Tensor x = (scale * embedding_(ids)).as("words");  // (B, T, D)
  if (kind_ == AbsolutePositions::none && !instead_) return x;
  const Tensor P = positions_of(ids.shape()[1], first_position);  // (T, D), or (T, 1)
  return (x + P).as("x");                                         // (B, T, D)
}

Tensor PositionedEmbedding::positions_of(int count, int first_position) const {
  const int D = embedding_.weight.shape()[1];
  if (instead_) return slice((*instead_)(first_position + count, D), 0, first_position, count).as("positions");
  if (kind_ == AbsolutePositions::learned) return learned_(count, first_position).as("positions");
  return fixed_positions(kind_, count, D, first_position).as("positions", Role::input);
}

}  // namespace unroll
