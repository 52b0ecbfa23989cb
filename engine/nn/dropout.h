// Dropout: while a model trains, values are left out at random.
#pragma once

#include <cstdint>

#include "engine/ops/ops.h"

namespace unroll {

// Dropout is on while one of these lives, and off everywhere else: who evaluates, decodes or looks on drops nothing.
// What is dropped depends on the seed, the step and how many dropouts came before in it, and on nothing else.
class DropoutStep {
 public:
  DropoutStep(std::uint64_t seed, int step);
  ~DropoutStep();
  DropoutStep(const DropoutStep&) = delete;

 private:
  friend Tensor dropout(Operand x, double rate);

  std::uint64_t seed_, step_;
  int place_ = 0;
  DropoutStep* before_;
};

// x with each value left out with probability `rate`, 0 ≤ rate < 1, and the others divided by 1 − rate, so that their
// mean stays. (Srivastava et al. 2014, §10.) x itself, and nothing recorded, where rate is 0 or dropout is off.
Tensor dropout(Operand x, double rate);

}  // namespace unroll
