// Gradients against finite differences, in double precision.
//
// A file …_gradient_test.cpp has a case for each signature in the header, or several that are computed together:
//
//   GRADIENT("tanh(x)") { return {{random.tensor()}, [](const Tensors& x) { return tanh(x[0]); }}; }
//
// or lists those that are alike, and checks them all: const GradientCases cases = {{"tanh(x)", function(tanh)}, …}.
//
// coverage_gradient_test.cpp fails for every operation of the engine that is in no checked list.
#pragma once

#include "engine/nn/parameters.h"
#include "tests/engine/support/test.h"

namespace unroll {

using Tensors = std::vector<Tensor>;

// One computation with one set of values: `f` of the inputs, each of which gets a gradient.
struct GradientCase {
  Tensors inputs;
  std::function<Tensor(const Tensors&)> f;
};

// Makes a case of random shape and values.
using MakeGradientCase = std::function<GradientCase(Samples&)>;

// A function of one tensor, which `draw` makes.
template <typename X, typename Draw>
MakeGradientCase unary(Tensor (*f)(X), Draw draw) {
  return [=](Samples& random) { return GradientCase{{draw(random)}, [f](const Tensors& x) { return f(x[0]); }}; };
}

// The inputs, and after them all parameters.
Tensors with_parameters(Tensors inputs, const Parameters& parameters);

// A layer as a function of its arguments and its declared parameters. `make` returns the call.
using MakeLayer = std::function<std::function<Tensor(const Tensors& xs)>(Parameters&)>;
GradientCase by_parameters(Samples& random, const Tensors& xs, const MakeLayer& make);

class GradientCases {
 public:
  GradientCases(std::initializer_list<std::pair<const std::string, MakeGradientCase>> cases) : cases_(cases) {}

  // Checks the gradient of each case on 24 seeds, and the gradient of its gradient on three small ones.
  void check() const;

  // The signatures of every list that has been checked.
  static const std::set<std::string>& checked() { return checked_; }

 private:
  std::map<std::string, MakeGradientCase> cases_;
  static inline std::set<std::string> checked_;
};

// ‖backward − differences‖ / max(‖backward‖, ‖differences‖), the largest over the inputs of the case, for the sum of
// f(inputs) weighted by random numbers. Recording for training and for tracing must give the same bits.
double gradient_error(const GradientCase& each, Samples& random);

// The same for ∂/∂inputs of Σ v · ∂f/∂inputs with random v: the backward pass is differentiable as well.
double second_gradient_error(const GradientCase& each, Samples& random);

// Checks an error that `error` finds on each of so many seeds.
inline void check_on_seeds(const std::function<double(Samples&)>& error, std::uint64_t seeds = 24) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Samples random(seed);
    CHECK(error(random) < 1e-6);
  }
}

// The outputs of a function as one list of values; "no tensor" is left out.
Tensor side_by_side(const Tensors& outputs);
Tensor side_by_side(const Tensor& a, const Tensor& b);
// Of attention: the context and the weights.
template <typename Output>
Tensor side_by_side(const Output& output) requires requires {
  output.weights;
}
{ return side_by_side(output.context, output.weights); }

}  // namespace unroll

#define GRADIENT(...) GRADIENT_BY(DOCTEST_ANONYMOUS(gradient_), __VA_ARGS__)
#define GRADIENT_BY(make, first, ...)                                                                            \
  static GradientCase make(Samples& random);                                                                     \
  TEST_CASE("gradient of " first) {                                                                              \
    for (const char* signature : {first __VA_OPT__(, ) __VA_ARGS__}) GradientCases({{signature, make}}).check(); \
  }                                                                                                              \
  static GradientCase make(Samples& random)
