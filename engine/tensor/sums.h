// Σ of neighbours in memory, in one fixed order.
#pragma once

#include "engine/tensor/lanes.h"

namespace unroll {

// Σ f(x[i]) of n neighbours: four lanes side by side, lanes joined in pairs, then the rest in sequence. f takes Lanes
// and single values alike.
template <typename F>
Scalar sum_run(const Scalar* x, std::size_t n, F f) {
  Lanes lanes = splat(0);
  std::size_t i = 0;
  for (; i + lane_count <= n; i += lane_count) lanes += f(load(x + i));
  Scalar total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  for (; i < n; ++i) total += f(x[i]);
  return total;
}

inline Scalar sum_run(const Scalar* x, std::size_t n) {
  return sum_run(x, n, [](auto value) { return value; });
}

}  // namespace unroll
