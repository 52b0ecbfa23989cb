#include "tests/engine/support/test.h"

TEST_CASE("rms_norm by hand: mean square 12.5, and a row of zeros") {
  const double unit = 1 / std::sqrt(12.5 + 1e-5);
  expect(rms_norm(Tensor({2, 2}, {3, -4, 0, 0}), Tensor({2}, {1, 2})), {2, 2}, {3 * unit, -8 * unit, 0, 0});
}

TEST_CASE("rms_norm does not depend on the scale of a row") {
  const Tensor x({1, 3}, {1, 2, -3}), weight({3}, {1, 0.5, 2});
  const Tensor y = rms_norm(x, weight, 0);
  expect(rms_norm(1024 * x, weight, 0), {1, 3}, {y.values().begin(), y.values().end()});
}

TEST_CASE("a weight that is not as long as a row is refused") {
  CHECK(REFUSAL(shape, rms_norm(Tensor({2, 3}), Tensor({2}))) ==
        "[rms_norm] x is (2, 3), weight is (2): weight must have the last size of x.");
  CHECK(REFUSAL(shape, rms_norm(Tensor::scalar(1), Tensor({1}))).starts_with("[rms_norm]"));
}
