// SIMD vectors for the hand-written loops: four lanes as in SSE, NEON and WebAssembly SIMD, or as wide as the target.
// And with them, sum and maximum of contiguous values, in one fixed order.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/tensor/scalar.h"

// A browser runs the slow baseline code of a function until the next call, so hot loops are separate functions that are
// called often.
#define UNROLL_HOT __attribute__((noinline))

namespace unroll {

inline constexpr int lane_count = 4;

// Four Scalars; + - * / act on each lane with one IEEE rounding.
typedef Scalar Lanes __attribute__((vector_size(lane_count * sizeof(Scalar))));

#ifdef UNROLL_DOUBLE
using LaneInteger = std::int64_t;
#else
using LaneInteger = std::int32_t;
#endif

// The widest vector of the target, for loops without operations across lanes, as in the matrix product and in unary
// functions, so that the width does not change any bits.
#if defined(__AVX512F__)
inline constexpr int wide_count = 16;
#elif defined(__AVX__)
inline constexpr int wide_count = 8;
#else
inline constexpr int wide_count = lane_count;
#endif
typedef Scalar WideLanes __attribute__((vector_size(wide_count * sizeof(Scalar))));

// The number of lanes of V.
template <class V>
inline constexpr std::size_t width = sizeof(V) / sizeof(Scalar);

// Loads the lanes of V from p, which need not be aligned.
template <class V = Lanes>
V load(const Scalar* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Stores the lanes of v to p, which need not be aligned.
template <class V>
void store(Scalar* p, V v) {
  std::memcpy(p, &v, sizeof v);
}

// x in every lane.
template <class V = Lanes>
V splat(Scalar x) {
  return x - V{};  // equals x, also for -0
}

// Integers with as many lanes as V, each as wide as Scalar: the result of comparing two V, -1 (all bits set) where
// true, 0 where false.
template <class V>
using Integers = decltype(V{} < V{});

// The bit pattern of each lane, and back.
template <class V>
Integers<V> bits_of(V v) {
  return (Integers<V>)v;
}
template <class V>
V lanes_of(Integers<V> bits) {
  return (V)bits;
}

// yes where mask is -1, no where it is 0; both are evaluated.
template <class V>
V select(Integers<V> mask, V yes, V no) {
  return mask ? yes : no;
}

// Minimum and maximum of v and a limit; NaN where v is NaN.
template <class V>
V clamp_max(V v, Scalar limit) {
  return limit < v ? splat<V>(limit) : v;
}
template <class V>
V clamp_min(V v, Scalar limit) {
  return v < limit ? splat<V>(limit) : v;
}

// 4 × 4 transpose.
inline void transpose(Lanes (&r)[4]) {
  const Lanes a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5), b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
  const Lanes c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7), d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
  r[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5), r[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  r[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5), r[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

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
