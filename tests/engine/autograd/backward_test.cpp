#include "engine/autograd/backward.h"

#include <doctest/doctest.h>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "tests/engine/support/expect.h"

using namespace unroll;

TEST_CASE("gradients along several paths add up") {
  Tape tape(Tape::Detail::trace);
  Recording recording(&tape);
  const Tensor x = input("x", Tensor::scalar(3));
  backward(x * x + 4 * x);
  expect(gradient(x), {}, {10});
}

TEST_CASE("a second backward starts afresh, and can pass through the first: x³ has slope 3x² and 6x") {
  Tape tape(Tape::Detail::trace);
  Recording recording(&tape);
  const Tensor x = input("x", Tensor::scalar(2));
  const Tensor cube = x * x * x;
  backward(cube);
  const Tensor slope = gradient(x);
  expect(slope, {}, {12});
  backward(slope);
  expect(gradient(x), {}, {12});
  backward(cube);
  expect(gradient(x), {}, {12});
  backward(slope * 2);
  expect(gradient(x), {}, {24});
}

TEST_CASE("what the loss does not depend on has no gradient") {
  Tape tape(Tape::Detail::trace);
  Recording recording(&tape);
  const Tensor x = input("x", Tensor::scalar(2)), y = input("y", Tensor::scalar(2));
  const Tensor fixed = input("fixed", Tensor::scalar(2), Role::input, false);
  backward(exp(x * fixed) + detach(y));
  CHECK(gradient(x));
  CHECK_FALSE(gradient(y));
  CHECK_FALSE(gradient(fixed));
}

TEST_CASE("a loss that cannot be one is refused") {
  CHECK(refusal(ErrorCode::input, [] { backward(Tensor::scalar(1)); }) ==
        "[backward] the loss was not computed on the live tape.");
  Tape tape(Tape::Detail::trace);
  Recording recording(&tape);
  const Tensor x = input("x", Tensor({2}, {1, 2}));
  CHECK(refusal(ErrorCode::shape, [&] { backward(x); }) == "[backward] the loss is (2): it must be a single value.");
  tape.clear();
  CHECK(refusal(ErrorCode::input, [&] { backward(x); }).starts_with("[backward] the loss was not computed"));
}

TEST_CASE("training records only what leads from a parameter to the loss") {
  Tape tape(Tape::Detail::training);
  Recording recording(&tape);
  const Tensor x = input("x", Tensor({2}, {1, 2}));
  const Tensor w = input("w", Tensor({2}, {3, 4}), Role::parameter);
  exp(x);
  CHECK(tape.nodes().size() == 2);
  const Tensor loss = sum(w * exp(x));
  const std::size_t forward = tape.nodes().size();
  CHECK(forward == 5);  // and w · …, Σ, the constant exp(x)
  backward(loss);
  CHECK(tape.nodes().size() == forward);
  CHECK(tape.scopes().size() == 1);
  CHECK_FALSE(gradient(x));
  CHECK(gradient(w));
}
