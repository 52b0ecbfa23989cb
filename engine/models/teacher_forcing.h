// Which token a decoder takes next while it trains: the true one, or the one it would have written itself.
#pragma once

#include "engine/ops/ops.h"
#include "engine/tensor/random.h"

namespace unroll {

// With probability 1 it is teacher forcing (Williams & Zipser 1989), with 0 free running, between them scheduled
// sampling: a coin for each row and position (Bengio et al. 2015, §2.4).
class TeacherForcing {
 public:
  TeacherForcing() = default;
  // `random` decides; a stream of its own for each training step makes the step repeatable. Throws Error(config) when
  // the probability is not 0 to 1.
  TeacherForcing(double probability, Random random);

  // The tokens (B) to take at a position, given target_in (B, T) and the logits (B, V) of the position before; at
  // position 0 always the true ones.
  Tensor token(Operand target_in, int position, const Tensor& logits_before) const;

 private:
  double probability_ = 1;
  Random random_{0};
};

}  // namespace unroll
