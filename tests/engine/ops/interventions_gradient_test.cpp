// What flows through an intervention, in double: the gradient is that of the function that the intervention makes.
#include "engine/ops/interventions.h"
#include "tests/engine/support/gradient_check.h"

namespace {

const Shape shape = {2, 3, 2};

Tensor coins(Samples& random) {
  Tensor selected(shape);
  for (Scalar& each : selected.values()) each = random.coin();
  return selected;
}

// tanh(intervened(x)) · x: what is silent still counts where x is read beside it.
GradientCase beside(Samples& random, const char* target, InterventionKind kind) {
  Intervention one{kind, target_of(target), false, {}};
  if (kind == InterventionKind::from) one.other["h"] = random.tensor(shape);
  return {{random.tensor(shape)}, [one](const Tensors& x) { return tanh(one("h", x[0], {})) * x[0]; }};
}

}  // namespace

TEST_CASE("the gradient through values that are replaced, and through those that replace them") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Samples random(seed);
    const Tensor selected = coins(random);
    const auto f = [&](const Tensors& x) { return replace(selected, x[0], x[1]); };
    CHECK(gradient_error({{random.tensor(shape), random.tensor(shape)}, f}, random) < 1e-6);
  }
}

TEST_CASE("the gradient past a silent, an averaged and a patched part") {
  using enum InterventionKind;
  for (const InterventionKind kind : {zero, mean, from})
    for (const char* target : {"h", "h[:, 1]", "h[0]", "h[:,:,-1]"}) {
      CAPTURE(target);
      Samples random(7);
      CHECK(gradient_error(beside(random, target, kind), random) < 1e-6);
    }
}
