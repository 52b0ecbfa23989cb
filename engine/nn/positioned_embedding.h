// Words that know their places: what a Transformer reads.
#pragma once

#include <string>

#include "engine/nn/embedding.h"
#include "engine/nn/positions.h"

namespace unroll {

// ids (B, T) → √D · E[ids] + P (B, T, D), E the embedding and P the positions. (Vaswani et al. 2017, §3.4 and §3.5.)
class PositionedEmbedding {
 public:
  // Declares name.weight (V, D), from a normal distribution of deviation 1/√D, so that √D · E is of the size of P; and
  // name.positions (longest, D) where the positions are learned.
  PositionedEmbedding(Parameters& parameters, const std::string& name, int vocabulary, int size,
                      AbsolutePositions positions, int longest);

  // The first of the ids is at first_position. Throws Error(shape) where a learned table ends before they do.
  Tensor operator()(Operand ids, int first_position = 0) const;

  const Tensor& table() const { return words_.weight; }  // E (V, D)

 private:
  Tensor positions_of(int count, int first_position) const;

  Embedding words_;
  AbsolutePositions kind_;
  LearnedPositions learned_;
};

}  // namespace unroll
