// Σ and the largest of neighbours in memory, in one fixed order.
#pragma once

#include "engine/tensor/lanes.h"

namespace unroll {

// Σ f(x[i]) of n neighbours: four lanes side by side, the last of them filled up with zeros, then lanes joined in
// pairs. So zeros at the end change no bit: a sentence gives the same numbers with padding and without. f takes Lanes;
// f(0) = 0.
template <typename F>
Scalar sum_run(const Scalar* x, std::size_t n, F f) {
  Lanes lanes = splat(0);
  std::size_t i = 0;
  for (; i + lane_count <= n; i += lane_count) lanes += f(load(x + i));
  if (i < n) {
    Lanes rest = splat(0);
    for (int lane = 0; i < n; ++i, ++lane) rest[lane] = x[i];
    lanes += f(rest);
  }
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

inline Scalar sum_run(const Scalar* x, std::size_t n) {
  return sum_run(x, n, [](auto value) { return value; });
}

// The larger of two numbers, or of each two lanes; NaN where there is one.
template <typename Numbers>
Numbers larger(Numbers x, Numbers y) {
  return ((x > y) | (x != x)) ? x : y;
}

// The largest of n neighbours, n at least 1.
inline Scalar max_run(const Scalar* x, std::size_t n) {
  Scalar largest = x[0];
  std::size_t i = 0;
  if (n >= lane_count) {
    Lanes lanes = load(x);
    for (i = lane_count; i + lane_count <= n; i += lane_count) lanes = larger(load(x + i), lanes);
    largest = larger(larger(lanes[0], lanes[2]), larger(lanes[1], lanes[3]));
  }
  for (; i < n; ++i) largest = larger(x[i], largest);
  return largest;
}

}  // namespace unroll
