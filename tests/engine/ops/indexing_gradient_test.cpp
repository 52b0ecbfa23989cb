#include "tests/engine/support/gradient_check.h"

GRADIENT("gather(table, ids)") {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor({count, random.size()})}, [=](const Tensors& x) { return gather(x[0], ids); }};
}

GRADIENT("scatter_add(rows, ids, count)") {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor(joined(ids.shape(), {random.size()}))},
          [=](const Tensors& x) { return scatter_add(x[0], ids, count); }};
}

GRADIENT("pick(x, ids)") {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor(joined(ids.shape(), {count}))}, [=](const Tensors& x) { return pick(x[0], ids); }};
}
