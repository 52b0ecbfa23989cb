// Counter-based random numbers.
#pragma once

#include <array>
#include <cstdint>

#include "engine/tensor/scalar.h"

namespace unroll {

// Four random words from a 128-bit counter and a 64-bit key: Philox4x32-10 of Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), section 3.3.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// A stream of random numbers that is a pure function of (seed, stream, position): any draw can be repeated or
// skipped to. Streams of one seed never overlap. The float and double builds draw the same sequence.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  // 32 random bits; consumes one position.
  std::uint32_t bits();

  // Uniform in [0, 1), a multiple of 2⁻²⁴; consumes one position.
  Scalar uniform();

  // Uniform in [low, high], where rounding may give high itself; consumes one position.
  Scalar uniform(Scalar low, Scalar high);

  // Normal with mean 0 and standard deviation 1; consumes two positions.
  Scalar normal();

  // Uniform in {0, …, n − 1}; throws Error(internal) for n < 1. Consumes one position, rarely more.
  int below(int n);

  // The index of the next 32-bit word.
  std::uint64_t position() const { return position_; }

  // Makes the next draw start at the word with this index.
  void seek(std::uint64_t position);

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::array<std::uint32_t, 4> block_{};  // the words of positions 4k … 4k + 3 around position_
};

}  // namespace unroll
