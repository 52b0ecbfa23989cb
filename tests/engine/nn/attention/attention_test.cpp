#include "engine/nn/attention/attention.h"

#include "engine/nn/attention/masks.h"
#include "tests/engine/support/test.h"

TEST_CASE("masks hide with −∞ and let through with 0") {
  expect(causal_mask(3, 3), {3, 3}, {0, masked, masked, 0, 0, masked, 0, 0, 0});
  expect(causal_mask(2, 3), {2, 3}, {0, masked, masked, 0, 0, masked});
  const int lengths[] = {1, 0, 5};
  expect(padding_mask(lengths, 2), {3, 1, 2}, {0, masked, masked, masked, 0, 0});
  expect(padding_mask(Tensor({2, 2}, {0, 1, 0, 0})), {2, 1, 2}, {0, masked, 0, 0});
}

TEST_CASE("attention by hand: equal scores give the mean of what is seen") {
  const Tensor q = Tensor::full({2, 3}, 0), v({3, 1}, {3, 6, 30});
  expect(scaled_dot_product_attention(q, Tensor({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), v).context, {2, 1}, {13, 13});
  const AttentionOutput causal = scaled_dot_product_attention(q, Tensor::full({3, 3}, 1), v, causal_mask(2, 3));
  expect(causal.weights, {2, 3}, {1, 0, 0, 0.5, 0.5, 0});
  expect(causal.context, {2, 1}, {3, 4.5});
}

TEST_CASE("a query that sees no key has weights 0 and context 0") {
  const int lengths[] = {0, 2};
  const AttentionOutput y = attend(Tensor::full({2, 1, 2}, 1), Tensor::full({2, 2, 1}, 7), padding_mask(lengths, 2));
  expect(y.weights, {2, 1, 2}, {0, 0, 0.5, 0.5});
  expect(y.context, {2, 1, 1}, {0, 7});
}

TEST_CASE("the rows of a batch attend independently") {
  Samples random(5);
  const Tensor q = random.tensor({2, 3, 4}), k = random.tensor({2, 5, 4}), v = random.tensor({2, 5, 2});
  const Tensor whole = scaled_dot_product_attention(q, k, v).context;
  for (int b = 0; b < 2; ++b) {
    const auto row = [b](const Tensor& x) {
      const Tensor part = slice(x, 0, b, 1);
      return reshape(part, part.shape().without(0));
    };
    CHECK(same_bits(row(whole), scaled_dot_product_attention(row(q), row(k), row(v)).context));
  }
}
