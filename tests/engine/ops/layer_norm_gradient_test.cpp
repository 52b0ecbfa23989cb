#include "tests/engine/support/gradient_check.h"

namespace {

// Over one to all axes. A large ε keeps rows of nearly equal values away from a division by 0.
GradientCase normalised(Samples& random) {
  const Shape shape = random.shape();
  const int axes = random.up_to(shape.rank());
  const Shape last(std::span<const int>(shape.end() - axes, shape.end()));
  const double epsilon = random.between(0.01, 0.1);
  return {{random.tensor(shape), random.tensor(last), random.tensor(last)},
          [=](const Tensors& x) { return layer_norm(x[0], x[1], x[2], epsilon); }};
}

const GradientCases cases = {{"layer_norm(x, weight, bias, epsilon)", normalised}};

}  // namespace

TEST_CASE("gradients of layer_norm") { cases.check(); }
