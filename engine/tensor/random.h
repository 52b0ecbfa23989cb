// Random numbers that can be repeated and skipped: a pure function of (seed, stream, position).
#pragma once

#include <array>
#include <cstdint>

#include "engine/tensor/scalar.h"

namespace unroll {

// Four random words from a 128-bit counter and a 64-bit key: Philox4x32-10 of Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), section 3.3.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// A stream of random numbers that is a pure function of (seed, stream, position): any draw can be repeated or
// skipped to. Streams of one seed never overlap. The float and the double build draw the same sequence.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  // 32 random bits; takes one position.
  std::uint32_t bits();

  // In [0, 1): a multiple of 2⁻²⁴; takes one position.
  Scalar uniform();

  // In [low, high], where rounding may give high itself; takes one position.
  Scalar uniform(Scalar low, Scalar high);

  // Mean 0, standard deviation 1; takes two positions.
  Scalar normal();

  // In {0, …, n − 1}, each equally often; throws Error for n < 1. Takes one position, rarely more.
  int below(int n);

  // How many 32-bit words were taken so far.
  std::uint64_t position() const { return position_; }

  // Makes the next draw start at the word of that number.
  void seek(std::uint64_t position);

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t position_ = 0;
  std::array<std::uint32_t, 4> block_{};  // the words of positions 4k … 4k + 3 around position_
};

}  // namespace unroll
