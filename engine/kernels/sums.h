// Sum and maximum of contiguous values, in one fixed order.
#pragma once

#include "engine/kernels/lanes.h"

namespace unroll {

// Σ f(x[i]) of n contiguous values: accumulated in four lanes, the last vector zero-padded, then lanes added in pairs.
// Trailing zeros change no bits, so a sequence gives the same values with and without padding. f takes Lanes; f(0) = 0.
template <typename F>
Scalar sum_of(const Scalar* x, std::size_t n, F f) {
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

inline Scalar sum_of(const Scalar* x, std::size_t n) {
  return sum_of(x, n, [](auto value) { return value; });
}

// The maximum of two scalars, or of two vectors lane by lane; NaN where either is.
template <typename T>
T maximum(T x, T y) {
  return ((x > y) | (x != x)) ? x : y;
}

// The maximum of n ≥ 1 contiguous values.
inline Scalar max_of(const Scalar* x, std::size_t n) {
  Scalar largest = x[0];
  std::size_t i = 0;
  if (n >= lane_count) {
    Lanes lanes = load(x);
    for (i = lane_count; i + lane_count <= n; i += lane_count) lanes = maximum(load(x + i), lanes);
    largest = maximum(maximum(lanes[0], lanes[2]), maximum(lanes[1], lanes[3]));
  }
  for (; i < n; ++i) largest = maximum(x[i], largest);
  return largest;
}

}  // namespace unroll
