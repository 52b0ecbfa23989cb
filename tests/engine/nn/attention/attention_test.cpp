#include "engine/nn/attention/attention.h"

#include "engine/nn/attention/multi_head.h"
#include "engine/nn/attention/source_attention.h"
#include "tests/engine/support/test.h"

TEST_CASE("masks hide with −∞ and let through with 0; causal ones may begin later or hide the own position, too") {
  expect(causal_mask(3, 3), {3, 3}, {0, masked, masked, 0, 0, masked, 0, 0, 0});
  expect(causal_mask(2, 3), {2, 3}, {0, masked, masked, 0, 0, masked});
  const int lengths[] = {1, 0, 5};
  expect(padding_mask(lengths, 2), {3, 1, 2}, {0, masked, masked, masked, 0, 0});
  expect(padding_mask(Tensor({2, 2}, {0, 1, 0, 0})), {2, 1, 2}, {0, masked, 0, 0});
  expect(causal_mask(2, 4, 1), {2, 4}, {0, 0, masked, masked, 0, 0, 0, masked});
  expect(causal_mask(1, 3, 2), {1, 3}, {0, 0, 0});
  expect(causal_mask(3, 3, -1), {3, 3}, {masked, masked, masked, 0, masked, masked, 0, 0, masked});
  expect(causal_mask(1, 1, -1), {1, 1}, {masked});
}

TEST_CASE("attention by hand: equal scores give the mean of what is seen, and seeing nothing gives 0") {
  const Tensor q = Tensor::full({2, 3}, 0), v({3, 1}, {3, 6, 30});
  expect(scaled_dot_product_attention(q, Tensor({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), v).context, {2, 1}, {13, 13});
  const AttentionOutput causal = scaled_dot_product_attention(q, Tensor::full({3, 3}, 1), v, causal_mask(2, 3));
  expect(causal.weights, {2, 3}, {1, 0, 0, 0.5, 0.5, 0});
  expect(causal.context, {2, 1}, {3, 4.5});
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

TEST_CASE("a sliding window shows the last keys, and the first ones if they are sinks, but none ahead") {
  expect(sliding_window_mask(4, 4, 2), {4, 4},
         {0, masked, masked, masked, 0, 0, masked, masked, masked, 0, 0, masked, masked, masked, 0, 0});
  expect(sliding_window_mask(4, 4, 1, 1), {4, 4},
         {0, masked, masked, masked, 0, 0, masked, masked, 0, masked, 0, masked, 0, masked, masked, 0});
  expect(sliding_window_mask(1, 5, 2, 1, 3), {1, 5}, {0, masked, 0, 0, masked});
  expect(sliding_window_mask(2, 3, 1, 3), {2, 3}, {0, masked, masked, 0, 0, masked});
}

TEST_CASE("two combined masks let through what both let through, and one for all heads gets their axis") {
  const int lengths[] = {1, 2};
  expect(combined_mask(causal_mask(2, 2), padding_mask(lengths, 2)), {2, 2, 2},
         {0, masked, 0, masked, 0, masked, 0, 0});
  expect(combined_mask({}, causal_mask(1, 2)), {1, 2}, {0, masked});
  expect(combined_mask(causal_mask(1, 2), {}), {1, 2}, {0, masked});
  CHECK_FALSE(combined_mask({}, {}));
  CHECK(for_all_heads(Tensor::full({3, 1, 5}, 0)).shape() == Shape{3, 1, 1, 5});
  CHECK(for_all_heads(Tensor::full({4, 5}, 0)).shape() == Shape{4, 5});
  CHECK_FALSE(for_all_heads({}));
}

namespace {

struct Layer {
  explicit Layer(const MultiHeadOptions& options) : attention(options, parameters, "attention") {}
  Tensor weight(const char* name) const { return parameters.find(name)->value; }

  Parameters parameters{7};
  MultiHeadAttention attention;
};

// One head's part of W x + b, as (B, T, size).
Tensor part_of(const Layer& layer, const std::string& which, const Tensor& x, int head, int size) {
  const Tensor all = Linear(layer.weight((which + ".weight").c_str()), layer.weight((which + ".bias").c_str()))(x);
  return slice(all, -1, head * size, size);
}

}  // namespace

TEST_CASE("multi-head attention computes each head separately, then concatenates and projects") {
  Samples random(1);
  const Layer layer({.model = 6, .heads = 3, .key_input = 4, .value_input = 5});
  const Tensor x = random.tensor({2, 3, 6}), of_keys = random.tensor({2, 4, 4}), of_values = random.tensor({2, 4, 5});
  const Tensor mask = random.mask({3, 4});
  const AttentionOutput found = layer.attention(x, of_keys, of_values, mask);

  std::vector<Operand> contexts;
  for (int head = 0; head < 3; ++head) {
    const AttentionOutput one = scaled_dot_product_attention(part_of(layer, "attention.W_Q", x, head, 2),
                                                             part_of(layer, "attention.W_K", of_keys, head, 2),
                                                             part_of(layer, "attention.W_V", of_values, head, 2), mask);
    contexts.push_back(one.context);
    CHECK(same_bits(reshape(slice(found.weights, 1, head, 1), {2, 3, 4}), one.weights));
  }
  const Linear W_O(layer.weight("attention.W_O.weight"), layer.weight("attention.W_O.bias"));
  CHECK(same_bits(found.context, W_O(concat(contexts, -1))));
}

TEST_CASE("shapes and parameters of grouped heads") {
  const Layer layer({.model = 8, .heads = 4, .key_value_heads = 2, .head_size = 3, .value_size = 5, .bias = false});
  CHECK(layer.weight("attention.W_Q.weight").shape() == Shape{12, 8});
  CHECK(layer.weight("attention.W_K.weight").shape() == Shape{6, 8});
  CHECK(layer.weight("attention.W_V.weight").shape() == Shape{10, 8});
  CHECK(layer.weight("attention.W_O.weight").shape() == Shape{8, 20});
  CHECK(layer.parameters.find("attention.W_Q.bias") == nullptr);
  Samples random(2);
  const Tensor x = random.tensor({2, 3, 8});
  const KeysValues memory = layer.attention.keys_and_values(x, x);
  CHECK(memory.keys.shape() == Shape{2, 2, 3, 3});
  CHECK(memory.values.shape() == Shape{2, 2, 3, 5});
  CHECK(layer.attention(x, x, x).weights.shape() == Shape{2, 4, 3, 3});
  CHECK(REFUSAL(config, Layer({.model = 6, .heads = 0})) == "heads is 0: use 1 or more.");
}

TEST_CASE("heads of a group see the same keys") {
  expect(repeat_kv(Tensor({1, 2, 1, 1}, {3, 4}), 6), {1, 6, 1, 1}, {3, 3, 3, 4, 4, 4});
  const Tensor x({1, 2, 6}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  expect(split_heads(x, 3), {1, 3, 2, 2}, {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11});
  CHECK(same_bits(join_heads(split_heads(x, 3)), x));
}

TEST_CASE("the window of local-m moves with the target; local-p predicts a position, with a bell curve around it") {
  const Tensor last({2, 1}, {4, 1});
  expect(window_mask(last, 5, 0, 1), {2, 1, 5}, {0, 0, masked, masked, masked, 0, 0, masked, masked, masked});
  expect(window_mask(last, 5, 3, 1), {2, 1, 5}, {masked, masked, 0, 0, 0, 0, 0, 0, masked, masked});
  const Tensor q({2, 1, 1}, {0, 1}), end({2, 1}, {8, 4}), W({1, 1}, {1}), v({1}, {2});
  const double share = 1 / (1 + std::exp(-2 * std::tanh(1.0)));
  expect(predicted_position(q, end, W, v), {2, 1}, {4, 4 * share});
  // Not renormalised.
  const AttentionOutput y =
      attend_local_p(Tensor({1, 1, 3}, {0, 0, 0}), Tensor({1, 3, 1}, {3, 6, 9}), Tensor({1, 1}, {1}), 0.5);
  const double beside = std::exp(-2.0) / 3;
  expect(y.weights, {1, 1, 3}, {beside, 1.0 / 3, beside});
  expect(y.context, {1, 1, 1}, {12 * beside + 2});
}

TEST_CASE("keys are the states, W h + b, or its tanh, sigmoid or relu") {
  const auto expect_keys = [](Projection kind, const std::function<double(double)>& wanted) {
    Parameters parameters(1);
    const SourceAttentionOptions options = {.score = "dot", .query = 1, .state = 1, .attention = 1, .keys = kind};
    const SourceAttention attention(options, parameters, "attention");
    if (kind != Projection::none) {
      parameters.find("attention.keys.weight")->value.data()[0] = 2;
      parameters.find("attention.keys.bias")->value.data()[0] = 1;
    }
    expect(attention.project_memory(Tensor({1, 2, 1}, {-3, 2}), {2}).keys, {1, 2, 1}, {wanted(-3), wanted(2)});
  };
  expect_keys(Projection::none, [](double h) { return h; });
  expect_keys(Projection::linear, [](double h) { return 2 * h + 1; });
  expect_keys(Projection::tanh, [](double h) { return std::tanh(2 * h + 1); });
  expect_keys(Projection::sigmoid, [](double h) { return 1 / (1 + std::exp(-2 * h - 1)); });
  expect_keys(Projection::relu, [](double h) { return std::max(2 * h + 1, 0.0); });
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
