#include "tests/engine/support/test.h"

const double ln2 = std::log(2.0), ln4 = std::log(4.0);

// Rows with the probabilities (1/2, 1/4, 1/4) and (1/4, 1/2, 1/4).
const Tensor logits({2, 3}, {Scalar(std::log(2)), 0, 0, 0, Scalar(std::log(2)), 0});

TEST_CASE("cross-entropy: the mean surprise over the rows, or their sum") {
  const Tensor target({2}, {0, 2});
  expect(cross_entropy(logits, target), {}, {(ln2 + ln4) / 2});
  expect(cross_entropy(logits, target, {.reduction = Reduction::sum}), {}, {ln2 + ln4});
  expect(cross_entropy(Tensor({3}, {0, 0, 0}), 1), {}, {std::log(3.0)});
}

TEST_CASE("padding counts for nothing, whatever its logits are") {
  const Tensor padded({3, 3}, {Scalar(std::log(2)), 0, 0, -infinity, 5, -infinity, 0, Scalar(std::log(2)), 0});
  const Tensor target({3}, {0, -1, 2});
  expect(cross_entropy(padded, target), {}, {(ln2 + ln4) / 2});
  expect(cross_entropy(padded, target, {.label_smoothing = 0.3}), {},
         {(0.7 * ln2 + 0.7 * ln4 + 0.3 * 2 * (ln2 + 2 * ln4) / 3) / 2});
  expect(cross_entropy(logits, Tensor({2}, {0, 9}), {.ignored = 9}), {}, {ln2});
}

TEST_CASE("the loss of nothing but padding is 0") {
  expect(cross_entropy(logits, Tensor({2}, {-1, -1})), {}, {0});
  expect(cross_entropy(logits, Tensor({2}, {-1, -1}), {.label_smoothing = 0.1}), {}, {0});
}

TEST_CASE("label smoothing mixes in the mean surprise of all classes") {
  const double uniform = (ln2 + 2 * ln4) / 3;
  expect(cross_entropy(logits, Tensor({2}, {0, 1}), {.label_smoothing = 0.1}), {}, {0.9 * ln2 + 0.1 * uniform});
  expect(cross_entropy(logits, Tensor({2}, {0, 1}), {.label_smoothing = 1}), {}, {uniform});
}

TEST_CASE("mean squared error") {
  expect(mean_squared_error(Tensor({2, 2}, {1, 2, 3, 4}), Tensor({2, 2}, {1, 0, 3, 0})), {}, {5});
}

TEST_CASE("invalid targets and options are refused") {
  CHECK(REFUSAL(input, cross_entropy(logits, Tensor({2}, {0, 3}))) ==
        "[pick] the id at position 1 is 3: use a whole number from 0 to 2.");
  CHECK(REFUSAL(shape, cross_entropy(logits, Tensor({3}, {0, 1, 2}))) ==
        "[cross_entropy] logits is (2, 3), target is (3): give one target for each row of logits.");
  CHECK(REFUSAL(config, cross_entropy(logits, Tensor({2}, {0, 1}), {.label_smoothing = 1.5})) ==
        "[cross_entropy] label_smoothing is 1.5: use 0 to 1.");
}
