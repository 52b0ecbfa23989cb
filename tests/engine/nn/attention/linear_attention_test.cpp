#include "engine/nn/attention/linear_attention.h"

#include "engine/nn/attention/masks.h"
#include "tests/engine/support/test.h"

namespace {

std::vector<double> values_of(const Tensor& x) { return {x.values().begin(), x.values().end()}; }

// The same, computed from the matrix of all similarities φ(q) · φ(k); `seen` (T, S) is 1 or 0.
Tensor with_all_pairs(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& seen) {
  const Tensor asked = positive_features(q);
  const Tensor similarity = matmul(asked, positive_features(k), Transposed::b) * seen;
  const Tensor weights = similarity / sum(similarity, -1, true);
  return matmul(weights, v);
}

}  // namespace

TEST_CASE("features are positive: x + 1 above 0, e^x below") {
  expect(positive_features(Tensor({4}, {2, 0, -1, -50})), {4}, {3, 1, 0.36787944, 0});
}

TEST_CASE("linear attention weights values by the similarity of features, without forming pairs") {
  Samples random(1);
  const Tensor q = random.tensor({2, 3, 5, 4}), k = random.tensor({2, 3, 7, 4}), v = random.tensor({2, 3, 7, 2});
  expect(linear_attention(q, k, v), {2, 3, 5, 2}, values_of(with_all_pairs(q, k, v, Tensor::full({5, 7}, 1))), 1e-5);
}

TEST_CASE("causal linear attention sees earlier positions only") {
  Samples random(2);
  const Tensor q = random.tensor({2, 6, 4}), k = random.tensor({2, 6, 4}), v = random.tensor({2, 6, 3});
  expect(causal_linear_attention(q, k, v), {2, 6, 3}, values_of(with_all_pairs(q, k, v, exp(causal_mask(6, 6)))), 1e-5);
  const Tensor before = causal_linear_attention(slice(q, 1, 0, 4), slice(k, 1, 0, 4), slice(v, 1, 0, 4));
  CHECK(same_bits(slice(causal_linear_attention(q, k, v), 1, 0, 4), before));
}

TEST_CASE("the state of causal linear attention does not grow with the sequence") {
  Samples random(3);
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = random.tensor({5, 2});
  causal_linear_attention(x, x, random.tensor({5, 3}));
  for (const char* name : {"t0/S", "t4/S"}) CHECK(tape.nodes()[tape.find(name)].value.shape() == Shape{2, 3});
  CHECK(tape.nodes()[tape.find("t4/z")].value.shape() == Shape{1, 2});
  CHECK(tape.nodes()[tape.find("t4/y")].value.shape() == Shape{1, 3});
}

TEST_CASE("causal linear attention needs a key for each query") {
  CHECK(REFUSAL(shape, causal_linear_attention(Tensor({2, 3}), Tensor({4, 3}), Tensor({4, 3}))) ==
        "[causal_linear_attention] there are 2 queries and 4 keys: use as many of both.");
  const std::string sentence = "[causal_linear_attention] axis is -2, but the operand is (3): use -1 to 0.";
  const Tensor rows({2, 3}), row({3});
  CHECK(REFUSAL(shape, causal_linear_attention(row, rows, rows)) == sentence);
  CHECK(REFUSAL(shape, causal_linear_attention(rows, row, rows)) == sentence);
}
