// Which token a decoder consumes next in training: the true one, or its own prediction (argmax).
#pragma once

#include "engine/kernels/random.h"
#include "engine/ops/ops.h"

namespace unroll {

// Probability 1 is teacher forcing (Williams & Zipser 1989), 0 is free running, and values between are scheduled
// sampling: a coin toss for each row and position (Bengio et al. 2015, §2.4).
class TeacherForcing {
 public:
  TeacherForcing() = default;
  // `random` tosses the coins; with its own stream for each training step, the step is repeatable. Throws Error(config)
  // unless 0 ≤ probability ≤ 1.
  TeacherForcing(double probability, Random random);

  // The tokens (B) to consume at a position, given target_in (B, T) and the logits (B, V) of the previous position; at
  // position 0 always the true ones.
  Tensor token(Operand target_in, int position, const Tensor& logits_before) const;

 private:
  double probability_ = 1;
  Random random_{0};
};

}  // namespace unroll
