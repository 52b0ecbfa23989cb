#include "engine/autograd/tape.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/test.h"

TEST_CASE("gradients along several paths add up") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", Tensor::scalar(3));
  backward(x * x + 4 * x);
  expect(gradient(x), {}, {10});
}

TEST_CASE("a second backward starts anew and can differentiate the first: x³ gives 3x² and 6x") {
  LiveTape tape(Tape::Detail::trace);
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

TEST_CASE("a tensor that the loss does not depend on has no gradient") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", Tensor::scalar(2)), y = input("y", Tensor::scalar(2));
  const Tensor fixed = input("fixed", Tensor::scalar(2), Role::input, false);
  backward(exp(x * fixed) + detach(y));
  CHECK(gradient(x));
  CHECK_FALSE(gradient(y));
  CHECK_FALSE(gradient(fixed));
}

TEST_CASE("an invalid loss is refused") {
  CHECK(REFUSAL(input, backward(Tensor::scalar(1))) == "[backward] the loss was not computed on the live tape.");
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", Tensor({2}, {1, 2}));
  CHECK(REFUSAL(shape, backward(x)) == "[backward] the loss is (2): it must be a single value.");
  tape.clear();
  CHECK(REFUSAL(input, backward(x)).starts_with("[backward] the loss was not computed"));
}

TEST_CASE("training records only operations between a parameter and the loss") {
  LiveTape tape(Tape::Detail::training);
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

TEST_CASE("training frees tensors during the forward and the backward pass") {
  constexpr int n = 1 << 14;
  constexpr std::size_t bytes = n * sizeof(Scalar);
  LiveTape tape(Tape::Detail::training);
  const Tensor w = input("w", Tensor::full({n}, Scalar(0.5)), Role::parameter);
  const std::size_t before = pool_stats().in_use;
  {
    Tensor x = w;
    for (int i = 0; i < 8; ++i) x = exp(-x);  // backward needs only the result of exp
    const Tensor loss = sum(x);
    x = {};
    CHECK(pool_stats().in_use - before < 9 * bytes);
    pool_trim();
    const std::size_t at_the_loss = pool_stats().in_use;
    backward(loss);
    CHECK(pool_stats().peak - at_the_loss < 4 * bytes);
    CHECK(REFUSAL(input, backward(loss)) == "[backward] this loss went back already: compute it anew.");
  }
  CHECK(gradient(w));
  CHECK(pool_stats().in_use - before < 2 * bytes);
}

TEST_CASE("training keeps an operand's shape for its own gradient, and its values only for another's") {
  const Tensor k({2, 2}, {1, 0, 1, 1});  // a constant, which needs no gradient
  const std::pair<const char*, Tensor (*)(const Tensor&, const Tensor&)> operations[] = {
      {"x + k", [](const Tensor& x, const Tensor& k) { return x + k; }},
      {"x · k", [](const Tensor& x, const Tensor& k) { return x * k; }},
      {"k · x", [](const Tensor& x, const Tensor& k) { return k * x; }},
      {"x / k", [](const Tensor& x, const Tensor& k) { return x / k; }},
      {"where(k, x, 0)", [](const Tensor& x, const Tensor& k) { return where(k, x, 0); }},
      {"where(k, 0, x)", [](const Tensor& x, const Tensor& k) { return where(k, 0, x); }},
      {"matmul(x, k)", [](const Tensor& x, const Tensor& k) { return matmul(x, k); }},
      {"matmul(k, x)", [](const Tensor& x, const Tensor& k) { return matmul(k, x); }},
      {"matmul(x, k, b)", [](const Tensor& x, const Tensor& k) { return matmul(x, k, Transposed::b); }},
  };
  for (const auto& each : operations) {
    CAPTURE(each.first);
    LiveTape tape(Tape::Detail::training);
    const Tensor w = input("w", Tensor({2, 2}, {1, 2, 3, 4}), Role::parameter);
    const Tensor x = w + 1, y = each.second(x, k);
    CHECK(x.is_unique());
    backward(sum(y));
    CHECK(gradient(w));
  }
}

TEST_CASE("a gradient that is still needed elsewhere is not accumulated in place") {
  const auto slopes = [](Tape::Detail detail) {
    LiveTape tape(detail);
    const Tensor a = input("a", Tensor::scalar(2), Role::parameter), b = input("b", Tensor::scalar(3), Role::parameter);
    const Tensor both = a + b;       // gives the same gradient to a and b
    backward(both + a * b + a + a);  // a gets more than that
    return std::pair(gradient(a).item(), gradient(b).item());
  };
  CHECK(slopes(Tape::Detail::training) == std::pair(Scalar(6), Scalar(3)));
  CHECK(slopes(Tape::Detail::trace) == slopes(Tape::Detail::training));
}

TEST_CASE("differences: exact for polynomials to the fourth degree, near in single precision, where the step shrinks") {
  // In single precision, like a loss of the engine.
  const auto rounded = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  const auto f = [](double x) { return x * x * x * x - 3 * x * x + 2 * x; };
  CHECK(four_point_difference(f, 2, 0.5) == doctest::Approx(4 * 8 - 6 * 2 + 2).epsilon(1e-12));
  for (const double x : {-3.0, -0.5, 0.0, 0.7, 4.0}) {
    CAPTURE(x);
    CHECK(finite_difference([&](double x) { return rounded(std::exp(x)); }, x) ==
          doctest::Approx(std::exp(x)).epsilon(1e-4));
    CHECK(finite_difference([&](double x) { return rounded(1000 + x); }, x) == doctest::Approx(1).epsilon(0.01));
  }
  CHECK(finite_difference([&](double x) { return rounded(std::sin(100 * x)); }, 0) ==
        doctest::Approx(100).epsilon(1e-3));
  CHECK(finite_difference([&](double x) { return rounded(std::log(x)); }, 0.01) == doctest::Approx(100).epsilon(1e-3));
}
