#include "tests/engine/support/gradient_check.h"

namespace {

int any_axis(Samples& random, const Shape& shape) { return random.below(2 * shape.rank()) - shape.rank(); }

GradientCase permuted(Samples& random) {
  switch (random.below(4)) {
    case 0:
      return {{random.tensor(random.shape(1, 1))}, [](const Tensors& x) { return permute(x[0], {0}); }};
    case 1:
      return {{random.tensor(random.shape(2, 2))}, [](const Tensors& x) { return permute(x[0], {1, 0}); }};
    case 2:
      return {{random.tensor(random.shape(3, 3))}, [](const Tensors& x) { return permute(x[0], {2, 0, 1}); }};
    default:
      return {{random.tensor(random.shape(4, 4))}, [](const Tensors& x) { return permute(x[0], {1, -1, 0, 2}); }};
  }
}

GradientCase turned_round(Samples& random) {
  const Shape shape = random.shape();
  const int axis = any_axis(random, shape);
  return {{random.tensor(shape)}, [=](const Tensors& x) { return flip(x[0], axis); }};
}

GradientCase repeated(Samples& random) {
  const Shape shape = random.shape();
  return {{random.tensor(random.broadcast_partner(shape))},
          [=](const Tensors& x) { return broadcast_to(x[0], shape); }};
}

GradientCase summed_back(Samples& random) {
  const Shape shape = random.shape(), target = random.broadcast_partner(shape);
  return {{random.tensor(shape)}, [=](const Tensors& x) { return sum_to(x[0], target); }};
}

GradientCase regrouped(Samples& random) {
  const Tensor x = random.tensor();
  const int count = static_cast<int>(x.size());
  const Shape shape = random.coin() ? Shape{count} : Shape{1, count, 1};
  return {{x}, [=](const Tensors& x) { return reshape(x[0], shape); }};
}

GradientCase put_together(Samples& random) {
  const Shape shape = random.shape();
  const int axis = any_axis(random, shape);
  Tensors parts;
  for (int i = random.up_to(3); i > 0; --i) parts.push_back(random.tensor(shape.with(axis, random.size())));
  return {parts, [=](const Tensors& x) { return concat({x.begin(), x.end()}, axis); }};
}

GradientCase cut(Samples& random) {
  const Tensor x = random.tensor();
  const int axis = any_axis(random, x.shape()), start = random.below(x.shape()[axis]);
  const int length = random.up_to(x.shape()[axis] - start);
  return {{x}, [=](const Tensors& x) { return slice(x[0], axis, start, length); }};
}

GradientCase padded(Samples& random) {
  const Tensor x = random.tensor();
  const int axis = any_axis(random, x.shape()), before = random.below(3), after = random.below(3);
  return {{x}, [=](const Tensors& x) { return pad(x[0], axis, before, after); }};
}

const GradientCases cases = {
    {"transpose(x)",
     [](Samples& random) {
       return GradientCase{{random.tensor(random.shape(2))}, [](const Tensors& x) { return transpose(x[0]); }};
     }},
    {"permute(x, axes)", permuted},
    {"flip(x, axis)", turned_round},
    {"reshape(x, shape)", regrouped},
    {"broadcast_to(x, shape)", repeated},
    {"sum_to(x, shape)", summed_back},
    {"concat(parts, axis, where)", put_together},
    {"slice(x, axis, start, length)", cut},
    {"pad(x, axis, before, after)", padded},
};

}  // namespace

TEST_CASE("gradients of shaping") { cases.check(); }
