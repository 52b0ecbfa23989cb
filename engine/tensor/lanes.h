// Four numbers side by side: the vector type of the hand-written loops, the same in SSE, NEON and WebAssembly SIMD.
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

// As many numbers side by side as this machine takes: for loops in which no lane ever meets another, as in the matrix
// product and in functions of one number, so that the width changes no bit.
#if defined(__AVX512F__)
inline constexpr int wide_count = 16;
#elif defined(__AVX__)
inline constexpr int wide_count = 8;
#else
inline constexpr int wide_count = lane_count;
#endif
typedef Scalar WideLanes __attribute__((vector_size(wide_count * sizeof(Scalar))));

// How many lanes V has.
template <class V>
inline constexpr std::size_t width = sizeof(V) / sizeof(Scalar);

// Reads as many values from p on as V has lanes; p needs no alignment.
template <class V = Lanes>
V load(const Scalar* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Writes every lane to p and on; p needs no alignment.
template <class V>
void store(Scalar* p, V v) {
  std::memcpy(p, &v, sizeof v);
}

// x in every lane.
template <class V = Lanes>
V splat(Scalar x) {
  return x - V{};  // which is x, -0 too
}

// As many integers as V has lanes, each as wide as Scalar. Comparing two V gives one: -1 (all bits set) where true, 0
// where false.
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

// yes where mask is -1, no where it is 0; both sides are computed.
template <class V>
V select(Integers<V> mask, V yes, V no) {
  return mask ? yes : no;
}

// The smaller and the larger of two; where v is NaN, v.
template <class V>
V at_most(V v, Scalar limit) {
  return limit < v ? splat<V>(limit) : v;
}
template <class V>
V at_least(V v, Scalar limit) {
  return v < limit ? splat<V>(limit) : v;
}

}  // namespace unroll
