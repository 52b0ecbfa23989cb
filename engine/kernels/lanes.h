// SIMD vectors for the hand-written loops: four lanes as in SSE, NEON and WebAssembly SIMD, or as wide as the target.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/tensor/scalar.h"

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

}  // namespace unroll
