#include "tests/engine/support/gradient_check.h"

namespace {

MakeGradientCase function(Tensor (*f)(Operand), double low, double high) {
  return [=](Samples& random) {
    return GradientCase{{random.tensor(random.shape(), low, high)}, [f](const Tensors& x) { return f(x[0]); }};
  };
}

// For functions with a kink at 0.
MakeGradientCase beside_zero(Tensor (*f)(Operand)) {
  return [=](Samples& random) {
    return GradientCase{{random.away_from_zero(random.shape())}, [f](const Tensors& x) { return f(x[0]); }};
  };
}

// Any numbers for cosine and sine, even of no angle: the derivative is the same expression.
GRADIENT("rotate_pairs(x, cosine, sine, interleaved)") {
  const int T = random.size(), pairs = random.size();
  const Tensor cosine = random.tensor({T, pairs}), sine = random.tensor({T, pairs});
  const bool interleaved = random.coin();
  return {{random.tensor(joined(random.batch(), {T, 2 * pairs}))},
          [=](const Tensors& x) { return rotate_pairs(x[0], cosine, sine, interleaved); }};
}

const GradientCases cases = {
    {"negate(x)", function(negate, -2, 2)},
    {"operator-(x)", function([](Operand x) { return -x; }, -2, 2)},
    {"exp(x)", function(exp, -2, 2)},
    {"log(x)", function(log, 0.2, 3)},
    {"sqrt(x)", function(sqrt, 0.2, 3)},
    {"tanh(x)", function(tanh, -3, 3)},
    {"sigmoid(x)", function(sigmoid, -4, 4)},
    {"erf(x)", function(erf, -2, 2)},
    {"sin(x)", function(sin, -3, 3)},
    {"cos(x)", function(cos, -3, 3)},
    {"abs(x)", beside_zero(abs)},
    {"square(x)", function(square, -2, 2)},
    {"gelu(x)", function(gelu, -3, 3)},
    {"gelu_tanh(x)", function(gelu_tanh, -3, 3)},
    {"silu(x)", function(silu, -4, 4)},
    {"relu(x)", beside_zero(relu)},
    {"root_of_variance(x)", function(root_of_variance, 0.2, 3)},
    {"softplus(x)", function(softplus, -4, 4)},
    {"elu(x, alpha)",
     [](Samples& random) {
       const double alpha = random.between(0.5, 2);
       return GradientCase{{random.away_from_zero(random.shape())}, [=](const Tensors& x) { return elu(x[0], alpha); }};
     }},
};

}  // namespace

TEST_CASE("gradients of functions of one tensor") { cases.check(); }
