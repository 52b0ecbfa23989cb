// Gradients of values by their places, which may be named more than once.
#include "tests/engine/support/gradient_check.h"

namespace {

int values_in(const Shape& shape) { return static_cast<int>(shape.size()); }

GRADIENT("take(x, places)") {
  const Shape shape = random.shape();
  const Tensor places = random.ids(random.shape(0, 3), values_in(shape));
  return {{random.tensor(shape)}, [=](const Tensors& x) { return take(x[0], places); }};
}

GRADIENT("put(x, places, values)") {
  const Shape shape = random.shape();
  const Tensor places = random.ids(random.shape(0, 3), values_in(shape));
  const Tensor values = random.tensor(random.coin() ? places.shape() : Shape());
  return {{random.tensor(shape), values}, [=](const Tensors& x) { return put(x[0], places, x[1]); }};
}

GRADIENT("add_at(values, places, shape)") {
  const Shape shape = random.shape();
  const Tensor places = random.ids(random.shape(0, 3), values_in(shape));
  return {{random.tensor(places.shape())}, [=](const Tensors& x) { return add_at(x[0], places, shape); }};
}

// A shape, an axis of it, and ids along this axis, for a part of the other places.
struct Along {
  explicit Along(Samples& random) : shape(random.shape()), axis(random.below(shape.rank())) {
    Shape part = shape.with(axis, random.size());
    for (int i = 0; i < shape.rank(); ++i)
      if (i != axis) part = part.with(i, random.up_to(shape[i]));
    ids = random.ids(part, shape[axis]);
  }
  Shape shape;
  int axis;
  Tensor ids;
};

GRADIENT("take_along(x, ids, axis)") {
  const Along along(random);
  return {{random.tensor(along.shape)}, [=](const Tensors& x) { return take_along(x[0], along.ids, along.axis); }};
}

GRADIENT("put_along(x, ids, axis, values)") {
  const Along along(random);
  return {{random.tensor(along.shape), random.tensor(random.coin() ? along.ids.shape() : Shape())},
          [=](const Tensors& x) { return put_along(x[0], along.ids, along.axis, x[1]); }};
}

GRADIENT("add_along(values, ids, axis, shape)") {
  const Along along(random);
  return {{random.tensor(along.ids.shape())},
          [=](const Tensors& x) { return add_along(x[0], along.ids, along.axis, along.shape); }};
}

}  // namespace
