#include "tests/engine/support/gradient_check.h"

namespace {

struct Sizes {
  int n, k, m;
};

Tensor left(Samples& random, const Shape& batch, Transposed transposed, Sizes s) {
  return random.tensor(transposed == Transposed::a ? joined(batch, {s.k, s.n}) : joined(batch, {s.n, s.k}));
}
Tensor right(Samples& random, const Shape& batch, Transposed transposed, Sizes s) {
  return random.tensor(transposed == Transposed::b ? joined(batch, {s.m, s.k}) : joined(batch, {s.k, s.m}));
}

// Plain and transposed, with broadcasting batches on either side, and vectors in place of matrices.
GRADIENT("matmul(a, b, transposed)") {
  const Transposed transposed = std::array{Transposed::none, Transposed::a, Transposed::b}[random.below(3)];
  const Sizes sizes{random.size(), random.size(), random.size()};
  const Shape batch = random.batch();
  Shape left_batch = batch, right_batch = random.broadcast_partner(batch);
  if (random.coin()) std::swap(left_batch, right_batch);
  Tensor a = left(random, left_batch, transposed, sizes), b = right(random, right_batch, transposed, sizes);
  switch (random.below(6)) {
    case 0:
      a = random.tensor({sizes.k});
      break;
    case 1:
      b = random.tensor({sizes.k});
      break;
    case 2:
      a = random.tensor({sizes.k}), b = random.tensor({sizes.k});
      break;
  }
  return {{a, b}, [=](const Tensors& x) { return matmul(x[0], x[1], transposed); }};
}

}  // namespace
