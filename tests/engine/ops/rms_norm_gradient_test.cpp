#include "tests/engine/support/gradient_check.h"

// A large ε keeps rows of small values away from a division by 0.
GRADIENT("rms_norm(x, weight, epsilon)") {
  const Shape shape = random.shape();
  const double epsilon = random.between(0.01, 0.1);
  return {{random.tensor(shape), random.tensor({shape[-1]})},
          [=](const Tensors& x) { return rms_norm(x[0], x[1], epsilon); }};
}
