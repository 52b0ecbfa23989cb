#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/embedding.h"
#include "engine/nn/layers/linear.h"
#include "tests/engine/support/gradient_check.h"

namespace {

GRADIENT("Linear(x)") {
  const int in = random.size(), out = random.size();
  Tensors inputs{random.tensor(joined(random.shape(0, 3), {in})), random.tensor({out, in})};
  if (random.coin()) inputs.push_back(random.tensor({out}));
  return {inputs, [](const Tensors& x) { return Linear(x[1], x.size() > 2 ? x[2] : Tensor())(x[0]); }};
}

GRADIENT("Embedding(ids)") {
  const int vocabulary = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), vocabulary);
  return {{random.tensor({vocabulary, random.size()})}, [=](const Tensors& x) { return Embedding(x[0])(ids); }};
}

Tensor any_mask(Samples& random, const Shape& batch, int T, int S) {
  switch (random.below(3)) {
    case 0:
      return {};
    case 1:
      return random.mask({T, S});
    default:
      return random.mask(joined(batch, {1, S}));
  }
}

GRADIENT("attend(e, v, mask, temperature)") {
  const Shape batch = random.batch();
  const int T = random.size(), S = random.size();
  const Tensor mask = any_mask(random, batch, T, S);
  const double temperature = random.coin() ? 1 : 0.7;
  return {{random.tensor(joined(batch, {T, S})), random.tensor(joined(batch, {S, random.size()}))},
          [=](const Tensors& x) { return side_by_side(attend(x[0], x[1], mask, temperature)); }};
}

GRADIENT("scaled_dot_product_attention(q, k, v, mask)") {
  const Shape batch = random.batch();
  const int T = random.size(), S = random.size(), K = random.size();
  const Tensor mask = any_mask(random, batch, T, S);
  return {{random.tensor(joined(batch, {T, K})), random.tensor(joined(batch, {S, K})),
           random.tensor(joined(batch, {S, random.size()}))},
          [=](const Tensors& x) { return side_by_side(scaled_dot_product_attention(x[0], x[1], x[2], mask)); }};
}

}  // namespace
