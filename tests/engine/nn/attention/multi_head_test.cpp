#include "engine/nn/attention/multi_head.h"

#include "engine/nn/attention/masks.h"
#include "tests/engine/support/test.h"

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
