// Contexts: what one sets, another does not see, however their calls interleave.
#include "engine/autograd/context.h"

#include <optional>

#include "engine/nn/layers/position_wise.h"
#include "tests/engine/support/test.h"

namespace {

// A training step in halves. Its tape and its dropout stay in force from one to the other.
class Halves {
 public:
  explicit Halves(std::uint64_t seed) : seed_(seed) {}

  void forward() {
    const CurrentContext current(context_);
    recording_.emplace(&tape_);
    dropping_.emplace(seed_, 1);
    x_ = input("x", Tensor({4}, {1, 2, 3, 4}), Role::parameter);
    y_ = dropout(x_ * x_, 0.5);
  }
  Tensor backward() {
    const CurrentContext current(context_);
    unroll::backward(sum(dropout(y_, 0.5)));
    const Tensor result = gradient(x_);
    dropping_.reset();
    recording_.reset();
    return result;
  }

 private:
  std::uint64_t seed_;
  Context context_;
  Tape tape_{Tape::Detail::training};
  Tensor x_, y_;
  std::optional<RecordingGuard> recording_;
  std::optional<DropoutStep> dropping_;
};

Tensor alone(std::uint64_t seed) {
  Halves step(seed);
  step.forward();
  return step.backward();
}

}  // namespace

TEST_CASE("two training steps interleave") {
  const Tensor first = alone(3), second = alone(4);
  REQUIRE(!same_bits(first, second));
  Halves a(3), b(4);
  a.forward();
  CHECK(Tape::live() == nullptr);
  b.forward();
  CHECK(same_bits(a.backward(), first));
  CHECK(same_bits(b.backward(), second));
}

TEST_CASE("within a context, another made current hides what the first has set, until it ends") {
  LiveTape tape(Tape::Detail::trace);
  const DropoutStep dropping(1, 1);
  const Setting<double> limit(Context::current().parameter_bytes, 1000);
  const Tensor x = input("x", Tensor::scalar(2));
  const std::size_t before = tape.nodes().size();
  {
    Context inner;
    const CurrentContext current(inner);
    CHECK(Context::current().parameter_bytes == max_parameter_bytes);
    CHECK(same_bits(dropout(x, 0.9), x));
    exp(x);
  }
  CHECK(tape.nodes().size() == before);
  CHECK(Context::current().parameter_bytes == 1000);
  exp(x);
  CHECK(tape.nodes().size() == before + 1);
}
