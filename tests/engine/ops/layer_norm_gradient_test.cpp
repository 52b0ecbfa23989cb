#include "tests/engine/support/gradient_check.h"

// Over one to all axes. A large ε keeps rows of nearly equal values away from a division by 0.
GRADIENT("layer_norm(x, weight, bias, epsilon)") {
  const Shape shape = random.shape();
  const int axes = random.up_to(shape.rank());
  const Shape last(std::span<const int>(shape.end() - axes, shape.end()));
  const double epsilon = random.between(0.01, 0.1);
  return {{random.tensor(shape), random.tensor(last), random.tensor(last)},
          [=](const Tensors& x) { return layer_norm(x[0], x[1], x[2], epsilon); }};
}
