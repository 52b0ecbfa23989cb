#include "engine/nn/layers/dropout.h"

#include "tests/engine/support/test.h"

namespace {

const Tensor ones = Tensor::full({50, 40}, 1);

Tensor dropped(std::uint64_t seed, int step, double rate = 0.25) {
  const DropoutStep dropping(seed, step);
  return dropout(ones, rate);
}

}  // namespace

TEST_CASE("outside a training step, and at rate 0, nothing is dropped or recorded") {
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

TEST_CASE("a fraction of the values is 0, and the others grow to keep the mean") {
  const Tensor y = dropped(3, 7);
  const auto zeros = std::ranges::count(y.values(), Scalar(0)), kept = std::ranges::count(y.values(), Scalar(1 / 0.75));
  CHECK(zeros + kept == 2000);
  CHECK(zeros > 420);  // expected: 500, standard deviation 19
  CHECK(zeros < 580);
}

TEST_CASE("which values are dropped depends only on seed, step and place") {
  CHECK(same_bits(dropped(3, 7), dropped(3, 7)));
  CHECK(!same_bits(dropped(3, 7), dropped(4, 7)));
  CHECK(!same_bits(dropped(3, 7), dropped(3, 8)));
  const DropoutStep dropping(3, 7);
  const Tensor first = dropout(ones, 0.25), second = dropout(ones, 0.25);
  CHECK(same_bits(first, dropped(3, 7)));
  CHECK(!same_bits(first, second));
  const DropoutStep anew(3, 7);
  dropout(Tensor::full({2}, 1), 0.25);  // whatever the size of the previous one
  CHECK(same_bits(dropout(ones, 0.25), second));
}

TEST_CASE("the gradient flows through the kept values") {
  LiveTape tape(Tape::Detail::training);
  const DropoutStep dropping(3, 7);
  const Tensor x = input("x", ones, Role::parameter), y = dropout(x, 0.25);
  backward(sum(y));
  CHECK(same_bits(gradient(x), y));
}
