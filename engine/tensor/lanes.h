// Four numbers side by side: the vector type of the hand-written loops, the same in SSE, NEON and WebAssembly SIMD.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/tensor/scalar.h"

namespace unroll {

inline constexpr int lane_count = 4;

/// Four Scalars; + - * / act on each lane with one IEEE rounding.
typedef Scalar Lanes __attribute__((vector_size(lane_count * sizeof(Scalar))));

#ifdef UNROLL_DOUBLE
using LaneInteger = std::int64_t;
#else
using LaneInteger = std::int32_t;
#endif

/// Four integers as wide as Scalar. Comparing two Lanes gives one: -1 (all bits set) where true, 0 where false.
typedef LaneInteger IntegerLanes __attribute__((vector_size(lane_count * sizeof(Scalar))));

// As many numbers side by side as this machine takes: for loops in which no lane ever meets another, such as the matrix
// product, so that the width changes no bit.
#if defined(__AVX512F__)
inline constexpr int wide_count = 16;
#elif defined(__AVX__)
inline constexpr int wide_count = 8;
#else
inline constexpr int wide_count = lane_count;
#endif
typedef Scalar WideLanes __attribute__((vector_size(wide_count * sizeof(Scalar))));

/// Reads as many values from p on as V has lanes; p needs no alignment.
template <class V = Lanes>
V load(const Scalar* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

/// Writes every lane to p and on; p needs no alignment.
template <class V>
void store(Scalar* p, V v) {
  std::memcpy(p, &v, sizeof v);
}

inline Lanes splat(Scalar x) { return Lanes{x, x, x, x}; }

/// The bit pattern of each lane, and back.
inline IntegerLanes bits_of(Lanes v) { return (IntegerLanes)v; }
inline Lanes lanes_of(IntegerLanes bits) { return (Lanes)bits; }

/// yes where mask is -1, no where it is 0; both sides are computed.
inline Lanes select(IntegerLanes mask, Lanes yes, Lanes no) { return mask ? yes : no; }

/// The smaller and the larger of two; where v is NaN, v.
inline Lanes at_most(Lanes v, Lanes limit) { return limit < v ? limit : v; }
inline Lanes at_least(Lanes v, Lanes limit) { return v < limit ? limit : v; }

}  // namespace unroll
