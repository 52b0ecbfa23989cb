#include "engine/nn/attention/local_attention.h"

#include "engine/nn/attention/masks.h"
#include "engine/nn/attention/source_attention.h"
#include "tests/engine/support/test.h"

TEST_CASE("the window of local-m moves with the target and stays at the last token") {
  const Tensor last({2, 1}, {4, 1});
  expect(window_mask(last, 5, 0, 1), {2, 1, 5}, {0, 0, masked, masked, masked, 0, 0, masked, masked, masked});
  expect(window_mask(last, 5, 3, 1), {2, 1, 5}, {masked, masked, 0, 0, 0, 0, 0, 0, masked, masked});
}

TEST_CASE("local-p predicts a position between the first and the last token") {
  const Tensor q({2, 1, 1}, {0, 1}), last({2, 1}, {8, 4}), W({1, 1}, {1}), v({1}, {2});
  const double share = 1 / (1 + std::exp(-2 * std::tanh(1.0)));
  expect(predicted_position(q, last, W, v), {2, 1}, {4, 4 * share});
}

TEST_CASE("weights fall off around p like a bell curve and are not renormalised") {
  const AttentionOutput y =
      attend_local_p(Tensor({1, 1, 3}, {0, 0, 0}), Tensor({1, 3, 1}, {3, 6, 9}), Tensor({1, 1}, {1}), 0.5);
  const double beside = std::exp(-2.0) / 3;
  expect(y.weights, {1, 1, 3}, {beside, 1.0 / 3, beside});
  expect(y.context, {1, 1, 1}, {12 * beside + 2});
}

TEST_CASE("hard attention puts all the weight on the best key in the window; padding is never seen") {
  Parameters parameters(1);
  const SourceAttentionOptions options = {.score = "dot", .query = 1, .state = 1, .attention = 1};
  const SourceAttention attention(options, parameters, "attention");
  const Tensor h({2, 3, 1}, {1, 5, 3, 2, 1, 9}), s({2, 1}, {1, 1});
  const Memory memory = attention.project_memory(h, {3, 2});
  expect(attention.attend_to(s, memory, 0, 0).weights, {2, 1, 3}, {0, 1, 0, 1, 0, 0});
  expect(attention.attend_to(s, memory, 0, 0).context, {2, 1}, {5, 2});
  CHECK(attention.attend_to(s, memory, 0).weights.data()[5] == 0);
}
