#include "tests/engine/support/test.h"

const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

TEST_CASE("sums, means and maxima along each axis") {
  expect(sum(x, 0), {3}, {5, 7, 9});
  expect(sum(x, 1), {2}, {6, 15});
  expect(sum(x, -1, true), {2, 1}, {6, 15});
  expect(sum(x), {}, {21});
  expect(mean(x, 0), {3}, {2.5, 3.5, 4.5});
  expect(mean(x), {}, {3.5});
  expect(max(x, 0), {3}, {4, 5, 6});
  expect(max(x, 1, true), {2, 1}, {3, 6});
}

TEST_CASE("long sums along any axis equal a loop in double precision") {
  for (int n : {1, 3, 4, 5, 17, 1000}) {
    Tensor row({n});
    double total = 0;
    for (int i = 0; i < n; ++i) total += static_cast<double>(row.data()[i] = Scalar(1) / static_cast<Scalar>(i + 1));
    expect(sum(row), {}, {total});
    expect(sum(reshape(row, {n, 1}), 0), {1}, {total});
    expect(sum(reshape(row, {1, n}), 1), {1}, {total});
  }
}

TEST_CASE("an empty sum is 0; an empty maximum is refused") {
  expect(sum(Tensor({0, 2}), 0), {2}, {0, 0});
  CHECK(REFUSAL(shape, max(Tensor({2, 0}), 1)) == "[max] axis 1 of (2, 0) is empty: there is no largest value.");
  CHECK(REFUSAL(shape, mean(x, 7)) == "[mean] axis is 7, but the operand is (2, 3): use -2 to 1.");
}

TEST_CASE("max finds the largest value, and keeps NaN, wherever it is") {
  for (int length : {1, 3, 4, 11})
    for (int place = 0; place < length; ++place) {
      const Tensor x = Tensor::full({length}, -infinity), ones = Tensor::full({length}, 1);
      x.data()[place] = -7;
      CHECK(max(x, 0).item() == -7);
      ones.data()[place] = std::numeric_limits<Scalar>::quiet_NaN();
      CHECK(std::isnan(max(ones, 0).item()));
      CHECK(std::isnan(max(reshape(ones, {length, 1}), 0).item()));
    }
}

TEST_CASE("equal largest values share the gradient of max") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor tied = input("x", Tensor({4}, {3, 1, 3, 3}));
  backward(max(tied, 0) * 6);
  expect(gradient(tied), {4}, {2, 0, 2, 2});
}

const Tensor scores({5}, {1, 5, 2, 1, 1});

TEST_CASE("the five weights of the first lesson") {
  expect(softmax(scores), {5}, {0.016579, 0.905195, 0.045067, 0.016579, 0.016579}, 5e-7);
  expect(sum(softmax(scores)), {}, {1});
}

TEST_CASE("temperature: 0 is the argmax, small is nearly so, large is nearly uniform") {
  expect(softmax(scores, -1, 0), {5}, {0, 1, 0, 0, 0}, 0);
  expect(softmax(scores, -1, 0.1), {5}, {std::exp(-40.0), 1, std::exp(-30.0), std::exp(-40.0), std::exp(-40.0)});
  expect(softmax(scores, -1, 1000), {5}, {0.1998, 0.2006, 0.2, 0.1998, 0.1998}, 1e-4);
  expect(softmax(Tensor({3}, {2, 2, 1}), -1, 0), {3}, {0.5, 0.5, 0}, 0);
}

TEST_CASE("no temperature gives NaN, however small, and scores of any size stay finite") {
  for (double temperature : {1e-3, 1e-30, 1e-40, 1e-300})
    expect(softmax(scores, -1, temperature), {5}, {0, 1, 0, 0, 0});
  expect(softmax(Tensor({3}, {1e6, -1e6, 1e6})), {3}, {0.5, 0, 0.5});
  expect(log_softmax(Tensor({2}, {1e6, 0})), {2}, {0, -1e6});
  expect(logsumexp(Tensor({2}, {1e6, 1e6})), {}, {1e6 + std::log(2.0)});
}

TEST_CASE("a row of −∞ gives zeros at every temperature, and no NaN flows back through it") {
  const Tensor masked({2, 2}, {-infinity, -infinity, 0, -infinity});
  for (double temperature : {0.0, 0.5, 1.0, 1000.0}) expect(softmax(masked, -1, temperature), {2, 2}, {0, 0, 1, 0}, 0);
  expect(log_softmax(masked), {2, 2}, {-HUGE_VAL, -HUGE_VAL, 0, -HUGE_VAL});
  expect(logsumexp(masked), {2}, {-HUGE_VAL, 0});
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", Tensor({2, 2}, {1, 2, 3, 4}));
  const Tensor hidden = x + masked;
  backward(sum(softmax(hidden) * Tensor({2}, {1, 2})) + sum(exp(logsumexp(hidden))));
  expect(gradient(x), {2, 2}, {0, 0, std::exp(3.0), 0});
}

TEST_CASE("softmax along another axis is softmax of the transposed; log_softmax is its logarithm, x − logsumexp") {
  Samples random(1);
  const Tensor x = random.tensor({4, 3});
  expect_near(softmax(x, 0), transpose(softmax(transpose(x), 1)));
  expect_near(exp(log_softmax(x)), softmax(x));
  expect_near(x - logsumexp(x, -1, true), log_softmax(x));
}

TEST_CASE("an invalid temperature is refused") {
  CHECK(REFUSAL(config, softmax(scores, -1, -1)) ==
        "[softmax] temperature is -1: use 0 (the argmax) or any positive number.");
  CHECK(REFUSAL(config, softmax(scores, -1, NAN)).starts_with("[softmax] temperature is NaN"));
  CHECK(REFUSAL(config, softmax(scores, -1, HUGE_VAL)).starts_with("[softmax] temperature is ∞"));
}

TEST_CASE("layer_norm by hand, with mean 2 and variance 2/3, and over several axes as over the joined one") {
  const double unit = 1 / std::sqrt(2.0 / 3 + 1e-5);
  const Tensor weight({3}, {1, 2, 3}), bias({3}, {0, 0, 1});
  expect(layer_norm(Tensor({2, 3}, {1, 2, 3, 5, 5, 5}), weight, bias), {2, 3}, {-unit, 0, 3 * unit + 1, 0, 0, 1});
  const Tensor x({1, 2, 2}, {1, 2, 3, 6}), ones = Tensor::full({2, 2}, 1), zeros = Tensor::full({2, 2}, 0);
  const Tensor joined = layer_norm(reshape(x, {1, 4}), reshape(ones, {4}), reshape(zeros, {4}));
  CHECK(same_bits(layer_norm(x, ones, zeros), reshape(joined, {1, 2, 2})));
}

TEST_CASE("weights that do not fit the end of x are refused") {
  CHECK(REFUSAL(shape, layer_norm(Tensor({2, 3}), Tensor({2}), Tensor({2}))) ==
        "[layer_norm] x is (2, 3), weight is (2), bias is (2): weight and bias must have the last sizes of x.");
  CHECK(REFUSAL(shape, layer_norm(Tensor({3}), Tensor({2, 3}), Tensor({2, 3}))).starts_with("[layer_norm]"));
  CHECK(REFUSAL(shape, rms_norm(Tensor({2, 3}), Tensor({2}))) ==
        "[rms_norm] x is (2, 3), weight is (2): weight must have the last size of x.");
  CHECK(REFUSAL(shape, rms_norm(Tensor::scalar(1), Tensor({1}))).starts_with("[rms_norm]"));
}

TEST_CASE("rms_norm by hand: mean square 12.5, a row of zeros, and a row of any scale") {
  const double unit = 1 / std::sqrt(12.5 + 1e-5);
  expect(rms_norm(Tensor({2, 2}, {3, -4, 0, 0}), Tensor({2}, {1, 2})), {2, 2}, {3 * unit, -8 * unit, 0, 0});
  const Tensor x({1, 3}, {1, 2, -3}), weight({3}, {1, 0.5, 2});
  expect_near(rms_norm(1024 * x, weight, 0), rms_norm(x, weight, 0));
}

const double ln2 = std::log(2.0), ln4 = std::log(4.0);

// Rows with the probabilities (1/2, 1/4, 1/4) and (1/4, 1/2, 1/4).
const Tensor logits({2, 3}, {Scalar(std::log(2)), 0, 0, 0, Scalar(std::log(2)), 0});

TEST_CASE("cross-entropy: the mean surprise over the rows, or their sum") {
  const Tensor target({2}, {0, 2});
  expect(cross_entropy(logits, target), {}, {(ln2 + ln4) / 2});
  expect(cross_entropy(logits, target, {.reduction = Reduction::sum}), {}, {ln2 + ln4});
  expect(cross_entropy(Tensor({3}, {0, 0, 0}), 1), {}, {std::log(3.0)});
}

TEST_CASE("padding counts for nothing, whatever its logits are, and the loss of nothing else is 0") {
  const Tensor padded({3, 3}, {Scalar(std::log(2)), 0, 0, -infinity, 5, -infinity, 0, Scalar(std::log(2)), 0});
  const Tensor target({3}, {0, -1, 2});
  expect(cross_entropy(padded, target), {}, {(ln2 + ln4) / 2});
  expect(cross_entropy(padded, target, {.label_smoothing = 0.3}), {},
         {(0.7 * ln2 + 0.7 * ln4 + 0.3 * 2 * (ln2 + 2 * ln4) / 3) / 2});
  expect(cross_entropy(logits, Tensor({2}, {0, 9}), {.ignored = 9}), {}, {ln2});
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
