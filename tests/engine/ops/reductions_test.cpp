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

TEST_CASE("max keeps NaN, wherever it is") {
  for (int length : {1, 3, 4, 11})
    for (int place = 0; place < length; ++place) {
      Tensor x = Tensor::full({length}, 1);
      x.data()[place] = std::numeric_limits<Scalar>::quiet_NaN();
      CHECK(std::isnan(max(x, 0).item()));
      CHECK(std::isnan(max(reshape(x, {length, 1}), 0).item()));
    }
}

TEST_CASE("max finds the largest value, wherever it is") {
  for (int length : {1, 3, 4, 11})
    for (int place = 0; place < length; ++place) {
      Tensor x = Tensor::full({length}, -std::numeric_limits<Scalar>::infinity());
      x.data()[place] = -7;
      CHECK(max(x, 0).item() == -7);
    }
}

TEST_CASE("equal largest values share the gradient of max") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor tied = input("x", Tensor({4}, {3, 1, 3, 3}));
  backward(max(tied, 0) * 6);
  expect(gradient(tied), {4}, {2, 0, 2, 2});
}
