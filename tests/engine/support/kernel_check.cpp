#include "tests/engine/support/kernel_check.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/autograd/backward.h"
#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "tests/engine/support/expect.h"

namespace unroll {
namespace {

struct Run {
  Tensors values, gradients;
  bool fused = false;
};

// Results and ∂/∂inputs of their sum weighted by `weights`.
Run run(const Function& f, const Tensors& inputs, const Tensors& weights, Tape::Detail detail,
        const std::string& kernel) {
  LiveTape tape(detail);
  Tensors xs;
  for (const Tensor& each : inputs) xs.push_back(input("x", each, Role::parameter));
  Run result;
  result.values = f(xs);
  Tensor total = sum(result.values[0] * weights[0]);
  for (std::size_t i = 1; i < weights.size(); ++i) total = total + sum(result.values[i] * weights[i]);
  backward(total);
  for (const Tensor& x : xs) {
    REQUIRE(gradient(x));
    result.gradients.push_back(gradient(x));
  }
  result.fused = std::ranges::any_of(tape.nodes(), [&](const Node& node) { return node.op.name == kernel; });
  return result;
}

void check_same(const Tensors& a, const Tensors& b, Zeros zeros) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(a[i].shape() == b[i].shape());
    CHECK((zeros == Zeros::of_same_sign ? same_bits(a[i], b[i]) : std::ranges::equal(a[i].values(), b[i].values())));
  }
}

}  // namespace

void check_kernel(const std::string& kernel, const Function& f, const Tensors& inputs, Samples& random, Zeros zeros) {
  Tensors weights;
  for (const Tensor& y : f(inputs)) weights.push_back(random.tensor(y.shape(), -1, 1));
  const Run trained = run(f, inputs, weights, Tape::Detail::training, kernel);
  const Run traced = run(f, inputs, weights, Tape::Detail::trace, kernel);
  CHECK(trained.fused);
  CHECK_FALSE(traced.fused);
  check_same(trained.values, traced.values, zeros);
  check_same(trained.gradients, traced.gradients, zeros);
  check_same(f(inputs), traced.values, zeros);  // without a tape
}

void check_kernel_in_company(const std::string& kernel, const std::function<Tensor(const Tensors&)>& y,
                             const Tensors& inputs, Samples& random) {
  const Tensor shown = random.ids(inputs[0].shape(), 2);
  const auto hidden = [&](Tensors x) {
    x[0] = x[0] * shown;
    return x;
  };
  const Function companies[] = {
      [&](const Tensors& x) { return Tensors{y(x)}; },
      [&](const Tensors& x) { return Tensors{y(hidden(x))}; },
      [&](const Tensors& x) { return Tensors{y(x) * shown}; },
      [&](const Tensors& x) { return Tensors{x[0] + y(x)}; },  // a bypass, whose gradient comes first
      [&](const Tensors& x) {
        return Tensors{square(x[0]), y(x)};
      },  // another use, whose gradient comes last
  };
  for (const Function& f : companies) check_kernel(kernel, f, inputs, random, Zeros::of_same_sign);
}

bool trains_with(const std::string& kernel, const Function& f, const Tensors& inputs) {
  return run(f, inputs, {Tensor::full(f(inputs)[0].shape(), 1)}, Tape::Detail::training, kernel).fused;
}

void for_seeds(const std::function<void(Samples&)>& job) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Samples random(seed, 19);
    job(random);
  }
}

}  // namespace unroll
