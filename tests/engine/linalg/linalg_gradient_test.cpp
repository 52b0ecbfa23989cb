// The gradient of svdvals against finite differences, in double precision.
#include "engine/linalg/linalg.h"
#include "tests/engine/support/gradient_check.h"

namespace {

Tensor singular_values_of(const Tensors& x) { return svdvals(x[0]); }

}  // namespace

TEST_CASE("gradient of svdvals(A): of wide, square and tall matrices") {
  for (const Shape& shape : {Shape{1, 1}, Shape{2, 5}, Shape{4, 4}, Shape{6, 3}})
    check_on_seeds([&](Samples& random) {
      return gradient_error({{random.tensor(shape)}, singular_values_of}, random);
    });
}

TEST_CASE("the gradient of the sum of all singular values is U Vᵀ, where some are equal, too") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor A = input("A", Tensor({2, 2}, {0, -3, 3, 0}), Role::input);
  backward(sum(svdvals(A)));
  expect(gradient(A), {2, 2}, {0, -1, 1, 0}, 1e-12);
}
