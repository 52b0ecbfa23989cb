#include "tests/engine/support/gradient_check.h"

namespace {

// Two operands that broadcast, either being the smaller; the second can be a divisor.
MakeGradientCase pair(Tensor (*f)(Operand, Operand)) {
  return [f](Samples& random) {
    const Shape shape = random.shape();
    Tensor a = random.tensor(shape), b = random.away_from_zero(random.broadcast_partner(shape));
    if (random.coin()) std::swap(a, b);
    for (Scalar& value : b.values()) value += value < 0 ? Scalar(-0.5) : Scalar(0.5);
    return GradientCase{{a, b}, [f](const Tensors& x) { return f(x[0], x[1]); }};
  };
}

// Two operands that are nowhere nearly equal.
MakeGradientCase apart(Tensor (*f)(Operand, Operand)) {
  return [f](Samples& random) {
    const Tensor a = random.tensor(random.shape()), off = random.away_from_zero(a.shape());
    return GradientCase{{a, a + off}, [f](const Tensors& x) { return f(x[0], x[1]); }};
  };
}

const GradientCases cases = {
    {"add(a, b)", pair(add)},
    {"subtract(a, b)", pair(subtract)},
    {"multiply(a, b)", pair(multiply)},
    {"divide(a, b)", pair(divide)},
    {"maximum(a, b)", apart(maximum)},
    {"minimum(a, b)", apart(minimum)},
    {"at_least(x, bound)", apart(at_least)},
    {"at_most(x, bound)", apart(at_most)},
    {"remainder(a, b)",
     [](Samples& random) {
       const Shape shape = random.shape();
       const Tensor b = random.tensor(shape, 1, 2), rest = random.tensor(shape, 0.1, 0.9);
       const Tensor a = b * (rest + random.ids(shape, 5) - 2);  // away from the steps
       return GradientCase{{a, b}, [](const Tensors& x) { return remainder(x[0], x[1]); }};
     }},
    {"power(a, b)",
     [](Samples& random) {
       const Shape shape = random.shape();
       return GradientCase{{random.tensor(shape, 0.3, 3), random.tensor(random.broadcast_partner(shape))},
                           [](const Tensors& x) { return power(x[0], x[1]); }};
     }},
    {"power(a, b)",
     [](Samples& random) {
       const Shape shape = random.shape();
       const Tensor whole = random.ids(random.broadcast_partner(shape), 7) - 3;
       return GradientCase{{random.away_from_zero(shape) * 2}, [=](const Tensors& x) { return power(x[0], whole); }};
     }},
    {"operator+(a, b)", pair([](Operand a, Operand b) { return a + b; })},
    {"operator-(a, b)", pair([](Operand a, Operand b) { return a - b; })},
    {"operator*(a, b)", pair([](Operand a, Operand b) { return a * b; })},
    {"operator/(a, b)", pair([](Operand a, Operand b) { return a / b; })},
    {"where(condition, a, b)",
     [](Samples& random) {
       const Shape shape = random.shape();
       const Tensor condition = random.ids(random.broadcast_partner(shape), 2);
       return GradientCase{{random.tensor(shape), random.tensor(random.broadcast_partner(shape))},
                           [=](const Tensors& x) { return where(condition, x[0], x[1]); }};
     }},
    {"add_bias(product, bias)",
     [](Samples& random) {
       const Shape shape = random.shape();
       return GradientCase{{random.tensor(shape), random.tensor({shape[-1]})},
                           [](const Tensors& x) { return add_bias(x[0], x[1]); }};
     }},
};

}  // namespace

TEST_CASE("gradients of arithmetic") { cases.check(); }
