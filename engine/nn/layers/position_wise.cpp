#include "engine/nn/layers/position_wise.h"

#include "engine/kernels/random.h"

namespace unroll {
namespace {

// In the order of Activation.
constexpr Tensor (*activations[])(Operand) = {relu, gelu, gelu_tanh, silu};

// Streams far from those of batches. A parameter draws from the stream that is the hash of its name, which may coincide
// with one of these, though very improbably.
std::uint64_t stream_of(std::uint64_t step, int call) {
  constexpr std::uint64_t first = std::uint64_t{1} << 62;
  constexpr int call_bits = 16;
  return first + (step << call_bits) + static_cast<std::uint64_t>(call);
}

}  // namespace

std::vector<std::string> activation_kinds() { return {"relu", "gelu", "gelu_tanh", "swiglu"}; }

FeedForward::FeedForward(Activation activation, Parameters& parameters, const std::string& name, int model, int hidden)
    : activation_(activation),
      W_1_(parameters, name + ".W_1", model, hidden, activation != Activation::swiglu),
      W_2_(parameters, name + ".W_2", hidden, model, activation != Activation::swiglu),
      V_(activation == Activation::swiglu ? Linear(parameters, name + ".V", model, hidden, false)
                                          : Linear(Tensor(), Tensor())) {}

FeedForward::FeedForward(Activation activation, Linear W_1, Linear W_2, Linear V)
    : activation_(activation), W_1_(std::move(W_1)), W_2_(std::move(W_2)), V_(std::move(V)) {}

Tensor FeedForward::operator()(Operand x) const {
  const auto activated = activations[static_cast<std::size_t>(activation_)];
  Tensor hidden = activated(W_1_(x).as("preactivation")).as("hidden");                     // (…, F)
  if (activation_ == Activation::swiglu) hidden = (hidden * V_(x).as("V x")).as("gated");  // (…, F)
  return W_2_(hidden).as("y");                                                             // (…, D)
}

DropoutStep::DropoutStep(std::uint64_t seed, int step)
    : seed_(seed), step_(static_cast<std::uint64_t>(step)), current_(Context::current().dropout, this) {}

std::optional<Random> random_of_step() {
  DropoutStep* step = Context::current().dropout;
  if (!step) return std::nullopt;
  return Random(step->seed_, stream_of(step->step_, step->calls_++));
}

Tensor dropout(Operand x, double rate) {
  std::optional<Random> random = rate == 0 ? std::nullopt : random_of_step();
  if (!random) return x;
  Tensor factor(x.shape());  // 0, or 1 / (1 − rate)
  const auto threshold = static_cast<Scalar>(rate), scale = static_cast<Scalar>(1 / (1 - rate));
  for (Scalar& each : factor.values()) each = random->uniform() < threshold ? 0 : scale;
  return multiply(forward_operand(x), factor).as("dropped");
}

}  // namespace unroll
