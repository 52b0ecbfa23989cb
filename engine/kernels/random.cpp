#include "engine/kernels/random.h"

#include "engine/kernels/functions.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::uint64_t words_per_block = 4;

constexpr std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

// The upper 24 bits as a fraction in [0, 1), exact in float and double.
Scalar fraction(std::uint32_t bits) { return static_cast<Scalar>(bits >> 8) * static_cast<Scalar>(0x1p-24); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {high_word(b) ^ counter[1] ^ key[0], low_word(b), high_word(a) ^ counter[3] ^ key[1], low_word(a)};
    key[0] += 0x9E3779B9;  // golden ratio
    key[1] += 0xBB67AE85;  // √3 − 1
  }
  return counter;
}

Random::Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) { seek(0); }

void Random::seek(std::uint64_t position) {
  position_ = position;
  const std::uint64_t block = position / words_per_block;
  block_ = philox({low_word(block), high_word(block), low_word(stream_), high_word(stream_)},
                  {low_word(seed_), high_word(seed_)});
}

std::uint32_t Random::bits() {
  const std::uint32_t word = block_[position_ % words_per_block];
  if (++position_ % words_per_block == 0) seek(position_);
  return word;
}

Scalar Random::uniform() { return fraction(bits()); }

Scalar Random::uniform(Scalar low, Scalar high) { return low + (high - low) * uniform(); }

// G. E. P. Box and M. E. Muller, "A note on the generation of random normal deviates" (1958); only the cosine half,
// so that no draw depends on the one before. 1 − u is in (0, 1], where the logarithm is finite.
Scalar Random::normal() {
  constexpr Scalar two_pi = static_cast<Scalar>(6.283185307179586);
  const Scalar radius = kernels::sqrt(-2 * kernels::log(1 - uniform()));
  return radius * kernels::cos(two_pi * uniform());
}

// D. Lemire, "Fast random integer generation in an interval" (2019): the upper half of bits · n, rejecting the few
// draws that would bias the result.
int Random::below(int n) {
  if (n < 1) fail(ErrorCode::internal, "random_below_needs_positive", n);
  const std::uint32_t range = static_cast<std::uint32_t>(n);
  const std::uint32_t excess = -range % range;  // 2³² mod n
  std::uint64_t product = std::uint64_t{bits()} * range;
  while (low_word(product) < excess) product = std::uint64_t{bits()} * range;
  return static_cast<int>(high_word(product));
}

}  // namespace unroll
