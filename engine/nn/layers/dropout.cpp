#include "engine/nn/layers/dropout.h"

#include "engine/kernels/random.h"

namespace unroll {
namespace {

// Streams far from those of batches. A parameter draws from the stream that is the hash of its name, which may coincide
// with one of these, though very improbably.
std::uint64_t stream_of(std::uint64_t step, int call) {
  constexpr std::uint64_t first = std::uint64_t{1} << 62;
  constexpr int call_bits = 16;
  return first + (step << call_bits) + static_cast<std::uint64_t>(call);
}

}  // namespace

DropoutStep::DropoutStep(std::uint64_t seed, int step)
    : seed_(seed), step_(static_cast<std::uint64_t>(step)), current_(&Context::dropout, this) {}

Tensor dropout(Operand x, double rate) {
  DropoutStep* step = Context::current().dropout;
  if (!step || rate == 0) return x;
  Random random(step->seed_, stream_of(step->step_, step->calls_++));
  Tensor factor(x.shape());  // 0, or 1 / (1 − rate)
  const auto threshold = static_cast<Scalar>(rate), scale = static_cast<Scalar>(1 / (1 - rate));
  for (Scalar& each : factor.values()) each = random.uniform() < threshold ? 0 : scale;
  return multiply(forward_operand(x), factor).as("dropped");
}

}  // namespace unroll
