// A kernel of engine/ops/fused/fused.h runs in training, its composite in tracing: both must give the same values and
// gradients, bit for bit.
#pragma once

#include "tests/engine/support/test.h"

namespace unroll {

using Tensors = std::vector<Tensor>;

// From inputs to any number of results.
using Function = std::function<Tensors(const Tensors&)>;

// Whether the sign of a zero counts. Some composites add zeros where the kernel adds nothing.
enum class Zeros { of_either_sign, of_same_sign };

struct KernelRun {
  Tensors values, gradients;
  bool fused = false;
};

// Results and ∂/∂inputs of their sum weighted by `weights`.
inline KernelRun run(const Function& f, const Tensors& inputs, const Tensors& weights, Tape::Detail detail,
                     const std::string& kernel) {
  LiveTape tape(detail);
  Tensors xs;
  for (const Tensor& each : inputs) xs.push_back(input("x", each, Role::parameter));
  KernelRun result;
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

inline void check_same(const Tensors& a, const Tensors& b, Zeros zeros) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(a[i].shape() == b[i].shape());
    CHECK((zeros == Zeros::of_same_sign ? same_bits(a[i], b[i]) : std::ranges::equal(a[i].values(), b[i].values())));
  }
}

// Runs f with the kernel and as a composite, and compares its results and the gradients of all inputs.
inline void check_kernel(const std::string& kernel, const Function& f, const Tensors& inputs, Samples& random,
                         Zeros zeros = Zeros::of_either_sign) {
  Tensors weights;
  for (const Tensor& y : f(inputs)) weights.push_back(random.tensor(y.shape(), -1, 1));
  const KernelRun trained = run(f, inputs, weights, Tape::Detail::training, kernel);
  const KernelRun traced = run(f, inputs, weights, Tape::Detail::trace, kernel);
  CHECK(trained.fused);
  CHECK_FALSE(traced.fused);
  check_same(trained.values, traced.values, zeros);
  check_same(trained.gradients, traced.gradients, zeros);
  check_same(f(inputs), traced.values, zeros);  // without a tape
}

// The same for y of the first input, with other uses of the input before and after, zeros among its values, and zeros
// of both signs in the gradients.
inline void check_kernel_in_company(const std::string& kernel, const std::function<Tensor(const Tensors&)>& y,
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

// Whether a step of training f runs the kernel.
inline bool trains_with(const std::string& kernel, const Function& f, const Tensors& inputs) {
  return run(f, inputs, {Tensor::full(f(inputs)[0].shape(), 1)}, Tape::Detail::training, kernel).fused;
}

// for 24 seeds
inline void for_seeds(const std::function<void(Samples&)>& job) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Samples random(seed, 19);
    job(random);
  }
}

}  // namespace unroll
