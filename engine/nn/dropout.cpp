#include "engine/nn/dropout.h"

#include "engine/tensor/random.h"

namespace unroll {
namespace {

DropoutStep* live = nullptr;  // one for all sessions, for the time of a call: see live_tape

// Streams far from those of batches. A parameter draws from the one that its name hashes to: that it is none of these
// is only very probable.
std::uint64_t stream_of(std::uint64_t step, int place) {
  constexpr std::uint64_t first = std::uint64_t{1} << 62;
  constexpr int place_bits = 16;
  return first + (step << place_bits) + static_cast<std::uint64_t>(place);
}

}  // namespace

DropoutStep::DropoutStep(std::uint64_t seed, int step)
    : seed_(seed), step_(static_cast<std::uint64_t>(step)), before_(live) {
  live = this;
}

DropoutStep::~DropoutStep() { live = before_; }

Tensor dropout(Operand x, double rate) {
  if (!live || rate == 0) return x;
  Random random(live->seed_, stream_of(live->step_, live->place_++));
  Tensor factor(x.shape());  // 0, or 1 / (1 − rate)
  const auto least = static_cast<Scalar>(rate), kept = static_cast<Scalar>(1 / (1 - rate));
  for (Scalar& each : factor.values()) each = random.uniform() < least ? 0 : kept;
  return multiply(pass_on(x), factor).as("dropped");
}

}  // namespace unroll
