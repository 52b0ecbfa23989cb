#include "engine/nn/layers/dropout.h"

#include "tests/engine/support/test.h"

namespace {

const Tensor ones = Tensor::full({50, 40}, 1);

Tensor dropped(std::uint64_t seed, int step, double rate = 0.25) {
  const DropoutStep dropping(seed, step);
  return dropout(ones, rate);
}

}  // namespace

TEST_CASE("outside of a step, and at rate 0, nothing is dropped and nothing recorded") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", ones);
  const std::size_t before = tape.nodes().size();
  CHECK(same_bits(dropout(x, 0.5), ones));
  {
    const DropoutStep dropping(1, 1);
    CHECK(same_bits(dropout(x, 0), ones));
  }
  CHECK(same_bits(dropout(x, 0.5), ones));
  CHECK(tape.nodes().size() == before);
}

TEST_CASE("a share of the values is 0, the others grow so that the mean stays") {
  const Tensor y = dropped(3, 7);
  const auto zeros = std::ranges::count(y.values(), Scalar(0)), kept = std::ranges::count(y.values(), Scalar(1 / 0.75));
  CHECK(zeros + kept == 2000);
  CHECK(zeros > 420);  // 500 are expected, with a deviation of 19
  CHECK(zeros < 580);
}

TEST_CASE("what is dropped depends on seed, step and place alone") {
  CHECK(same_bits(dropped(3, 7), dropped(3, 7)));
  CHECK(!same_bits(dropped(3, 7), dropped(4, 7)));
  CHECK(!same_bits(dropped(3, 7), dropped(3, 8)));
  const DropoutStep dropping(3, 7);
  const Tensor first = dropout(ones, 0.25), second = dropout(ones, 0.25);
  CHECK(same_bits(first, dropped(3, 7)));
  CHECK(!same_bits(first, second));
  const DropoutStep anew(3, 7);
  dropout(Tensor::full({2}, 1), 0.25);  // whatever the size of the one before
  CHECK(same_bits(dropout(ones, 0.25), second));
}

TEST_CASE("the gradient flows through what is kept") {
  LiveTape tape(Tape::Detail::training);
  const DropoutStep dropping(3, 7);
  const Tensor x = input("x", ones, Role::parameter), y = dropout(x, 0.25);
  backward(sum(y));
  CHECK(same_bits(gradient(x), y));
}
