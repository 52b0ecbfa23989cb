#include "tests/engine/support/gradient_check.h"

// With padding rows, sometimes only those; with and without smoothing; mean or sum.
GRADIENT("cross_entropy(logits, target, options)") {
  const int vocabulary = 1 + random.size();
  const Tensor target = random.ids(random.shape(0, 2), vocabulary);
  for (Scalar& id : target.values())
    if (random.below(3) == 0) id = -1;
  const CrossEntropyOptions options{.label_smoothing = random.coin() ? 0.1 : 0,
                                    .reduction = random.coin() ? Reduction::mean : Reduction::sum};
  return {{random.tensor(joined(target.shape(), {vocabulary}))},
          [=](const Tensors& x) { return cross_entropy(x[0], target, options); }};
}

GRADIENT("mean_squared_error(x, target)") {
  const Shape shape = random.shape();
  return {{random.tensor(shape), random.tensor(shape)},
          [](const Tensors& x) { return mean_squared_error(x[0], x[1]); }};
}
