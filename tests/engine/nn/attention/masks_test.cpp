#include "engine/nn/attention/masks.h"

#include "tests/engine/support/test.h"

TEST_CASE("a causal mask for queries that start later") {
  expect(causal_mask(2, 4, 1), {2, 4}, {0, 0, masked, masked, 0, 0, 0, masked});
  expect(causal_mask(1, 3, 2), {1, 3}, {0, 0, 0});
}

TEST_CASE("a causal mask that also hides a query's own position") {
  expect(causal_mask(3, 3, -1), {3, 3}, {masked, masked, masked, 0, masked, masked, 0, 0, masked});
  expect(causal_mask(1, 1, -1), {1, 1}, {masked});
}

TEST_CASE("a sliding window shows the last keys, and the first ones if they are sinks") {
  expect(sliding_window_mask(4, 4, 2), {4, 4},
         {0, masked, masked, masked, 0, 0, masked, masked, masked, 0, 0, masked, masked, masked, 0, 0});
  expect(sliding_window_mask(4, 4, 1, 1), {4, 4},
         {0, masked, masked, masked, 0, 0, masked, masked, 0, masked, 0, masked, 0, masked, masked, 0});
  expect(sliding_window_mask(1, 5, 2, 1, 3), {1, 5}, {0, masked, 0, 0, masked});
}

TEST_CASE("sinks do not allow looking ahead") {
  expect(sliding_window_mask(2, 3, 1, 3), {2, 3}, {0, masked, masked, 0, 0, masked});
}

TEST_CASE("two combined masks let through what both let through") {
  const int lengths[] = {1, 2};
  expect(combined_mask(causal_mask(2, 2), padding_mask(lengths, 2)), {2, 2, 2},
         {0, masked, 0, masked, 0, masked, 0, 0});
  expect(combined_mask({}, causal_mask(1, 2)), {1, 2}, {0, masked});
  expect(combined_mask(causal_mask(1, 2), {}), {1, 2}, {0, masked});
  CHECK_FALSE(combined_mask({}, {}));
}

TEST_CASE("a mask for all heads gets their axis") {
  CHECK(for_all_heads(Tensor::full({3, 1, 5}, 0)).shape() == Shape{3, 1, 1, 5});
  CHECK(for_all_heads(Tensor::full({4, 5}, 0)).shape() == Shape{4, 5});
  CHECK_FALSE(for_all_heads({}));
}
