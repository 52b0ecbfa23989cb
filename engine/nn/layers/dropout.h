// Dropout: zeroes values at random during training.
#pragma once

#include <cstdint>

#include "engine/autograd/context.h"
#include "engine/ops/ops.h"

namespace unroll {

// Dropout is active only while an instance is alive, i.e. in a training step: evaluation, generation and tracing drop
// nothing. Which values are dropped depends only on the seed, the step and the number of earlier dropouts in the step.
class DropoutStep {
 public:
  DropoutStep(std::uint64_t seed, int step);

 private:
  friend Tensor dropout(Operand x, double rate);

  std::uint64_t seed_, step_;
  int calls_ = 0;
  Setting<DropoutStep*> current_;
};

// x with each value zeroed with probability `rate`, 0 ≤ rate < 1, and the others divided by 1 − rate, which keeps the
// mean. (Srivastava et al. 2014, §10.) Returns x itself and records nothing if rate is 0 or dropout is inactive.
Tensor dropout(Operand x, double rate);

}  // namespace unroll
