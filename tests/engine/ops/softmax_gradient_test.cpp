#include "tests/engine/support/gradient_check.h"

namespace {

// Scores, half of them with a mask that hides single values and whole rows.
struct Scores {
  explicit Scores(Samples& random)
      : x(random.tensor()), mask(random.coin() ? random.mask(x.shape()) : Tensor::full(x.shape(), 0)) {}
  Tensor x, mask;
};

GRADIENT("softmax(x, axis, temperature)") {
  const Scores scores(random);
  const int axis = random.below(2 * scores.x.rank()) - scores.x.rank();
  const double temperature = std::array{1.0, 0.5, 7.0}[random.below(3)];
  return {{scores.x}, [=](const Tensors& x) { return softmax(x[0] + scores.mask, axis, temperature); }};
}

// −∞ has no finite difference: the masked values are left out of the sum.
GRADIENT("log_softmax(x, axis)") {
  const Scores scores(random);
  const int axis = random.below(scores.x.rank());
  return {{scores.x},
          [=](const Tensors& x) { return where(equal(scores.mask, 0), log_softmax(x[0] + scores.mask, axis), 0); }};
}

GRADIENT("logsumexp(x, axis, keep_axis)") {
  const Scores scores(random);
  const int axis = random.below(scores.x.rank());
  const bool keep_axis = random.coin();
  return {{scores.x}, [=](const Tensors& x) {
            const Tensor y = logsumexp(x[0] + scores.mask, axis, keep_axis);
            return where(greater(y, -1e30), y, 0);
          }};
}

}  // namespace
