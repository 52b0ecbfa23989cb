#include "tests/engine/support/gradient_check.h"

namespace {

using Reduce = Tensor (*)(Operand, int axis, bool keep_axis);

MakeGradientCase along_an_axis(Reduce f) {
  return [f](Samples& random) {
    const Shape shape = random.shape();
    const int axis = random.below(2 * shape.rank()) - shape.rank();
    const bool keep_axis = random.coin();
    return GradientCase{{random.distinct(shape)}, [=](const Tensors& x) { return f(x[0], axis, keep_axis); }};
  };
}

MakeGradientCase of_all(Tensor (*f)(Operand)) {
  return [f](Samples& random) {
    return GradientCase{{random.tensor(random.shape(0))}, [f](const Tensors& x) { return f(x[0]); }};
  };
}

const GradientCases cases = {
    {"sum(x, axis, keep_axis)", along_an_axis(sum)},
    {"sum(x)", of_all(sum)},
    {"mean(x, axis, keep_axis)", along_an_axis(mean)},
    {"mean(x)", of_all(mean)},
    {"cumsum(x, axis)", along_an_axis([](Operand x, int axis, bool) { return cumsum(x, axis); })},
    {"max(x, axis, keep_axis, gradient)",
     along_an_axis([](Operand x, int axis, bool keep_axis) { return max(x, axis, keep_axis); })},
};

}  // namespace

TEST_CASE("gradients of reductions") { cases.check(); }
