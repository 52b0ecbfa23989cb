// The powers of e of a row, as softmax and cross-entropy need them.
#pragma once

#include <limits>

#include "engine/tensor/functions.h"
#include "engine/tensor/sums.h"

namespace unroll::fused {

struct Powers {
  Scalar reference;  // what was subtracted: the largest value, or 0 in a row of −∞
  Scalar total;      // of the powers
};

// y = exp(x − reference), n ≥ 1 values.
inline Powers powers_of_row(const Scalar* x, Scalar* y, int n) {
  constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();
  const std::size_t count = static_cast<std::size_t>(n);
  const Scalar largest = max_run(x, count), reference = largest == -infinity ? 0 : largest;
  for (int i = 0; i < n; ++i) y[i] = x[i] - reference;
  kernels::exp(y, y, count);
  return {reference, sum_run(y, count)};
}

}  // namespace unroll::fused
