// The exponentials of a row, for softmax and cross-entropy.
#pragma once

#include <limits>

#include "engine/kernels/functions.h"
#include "engine/kernels/sums.h"

namespace unroll::fused {

struct Exponentials {
  Scalar shift;  // subtracted from x: the maximum, or 0 in a row of −∞
  Scalar total;  // Σ of the exponentials
};

// y = exp(x − shift), n ≥ 1 values.
inline Exponentials exponentials_of_row(const Scalar* x, Scalar* y, int n) {
  constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();
  const std::size_t count = static_cast<std::size_t>(n);
  const Scalar largest = max_of(x, count), shift = largest == -infinity ? 0 : largest;
  for (int i = 0; i < n; ++i) y[i] = x[i] - shift;
  kernels::exp(y, y, count);
  return {shift, sum_of(y, count)};
}

}  // namespace unroll::fused
