#include "tests/engine/support/gradient_check.h"

namespace {

GradientCase rows_taken(Samples& random) {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor({count, random.size()})}, [=](const Tensors& x) { return gather(x[0], ids); }};
}

GradientCase rows_added(Samples& random) {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor(joined(ids.shape(), {random.size()}))},
          [=](const Tensors& x) { return scatter_add(x[0], ids, count); }};
}

GradientCase one_of_each_row(Samples& random) {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor(joined(ids.shape(), {count}))}, [=](const Tensors& x) { return pick(x[0], ids); }};
}

const GradientCases cases = {
    {"gather(table, ids)", rows_taken},
    {"scatter_add(rows, ids, count)", rows_added},
    {"pick(x, ids)", one_of_each_row},
};

}  // namespace

TEST_CASE("gradients of indexing") { cases.check(); }
