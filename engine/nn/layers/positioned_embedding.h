// Token embeddings plus position encodings: the input of a Transformer.
#pragma once

#include <string>

#include "engine/nn/layers/embedding.h"
#include "engine/nn/parts.h"
#include "engine/nn/positions.h"

namespace unroll {

// ids (B, T) → √D · E[ids] + P (B, T, D), E the embedding and P the positions. (Vaswani et al. 2017, §3.4 and §3.5.)
class PositionedEmbedding {
 public:
  // Declares name.weight (V, D), normal with standard deviation 1/√D, so that √D · E starts on the scale of sinusoidal
  // positions; and name.positions (max_positions, D) for learned positions.
  PositionedEmbedding(Parameters& parameters, const std::string& name, int vocabulary, int size,
                      AbsolutePositions positions, int max_positions);

  // The first id is at first_position. Throws Error(shape) when the ids run past the end of a learned table.
  Tensor operator()(Operand ids, int first_position = 0) const;

  const Tensor& table() const { return embedding_.weight; }  // E (V, D)

 private:
  Embedding embedding_;
  std::function<Tensor(int count, int first_position)> positions_;  // (T, D), or (T, 1); none for no positions
};

}  // namespace unroll
