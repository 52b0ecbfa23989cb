// Fused Adam update: one pass over a parameter. Most of the optimiser's time is spent here.
#pragma once

#include <cstddef>

#include "engine/tensor/scalar.h"

namespace unroll::fused {

// Constants of one step, shared by all values of a parameter.
struct AdamStep {
  Scalar weight_scale;            // 1, or 1 − η λ with weight decay
  Scalar gradient_scale;          // 1, or less to clip
  Scalar beta1, one_minus_beta1;  // β₁ and 1 − β₁
  Scalar beta2, one_minus_beta2;  // β₂ and 1 − β₂
  Scalar rate;                    // η / (1 − β₁ᵗ)
  Scalar root;                    // √(1 − β₂ᵗ)
  Scalar epsilon;
};

// Updates the n values of w, m and v with the gradient gradient_scale · g; the four arrays must not overlap.
void adam(const AdamStep& step, std::size_t n, const Scalar* g, Scalar* w, Scalar* m, Scalar* v);

}  // namespace unroll::fused
