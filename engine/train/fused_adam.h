// Adam's update of a parameter in one pass over it: where an optimiser's time goes.
#pragma once

#include <cstddef>

#include "engine/tensor/scalar.h"

namespace unroll::fused {

// What every value of the parameter has in common at one step.
struct AdamStep {
  Scalar kept_weight;   // 1, or 1 − η λ with weight decay
  Scalar keep1, take1;  // β₁ and 1 − β₁
  Scalar keep2, take2;  // β₂ and 1 − β₂
  Scalar rate;          // η / (1 − β₁ᵗ)
  Scalar root;          // √(1 − β₂ᵗ)
  Scalar epsilon;
};

// The n values of w, m and v move on by the gradient g; none of the four overlap.
void adam(const AdamStep& step, std::size_t n, const Scalar* g, Scalar* w, Scalar* m, Scalar* v);

}  // namespace unroll::fused
