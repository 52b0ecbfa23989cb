#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/efficient_attention.h"
#include "tests/engine/support/test.h"

namespace {

// The same, computed from the matrix of all similarities φ(q) · φ(k); `seen` (T, S) is 1 or 0.
Tensor with_all_pairs(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& seen) {
  const Tensor asked = positive_features(q);
  const Tensor similarity = matmul(asked, positive_features(k), Transposed::b) * seen;
  const Tensor weights = similarity / sum(similarity, -1, true);
  return matmul(weights, v);
}

// The largest difference of two tensors in units in the last place of `scale`, which is as large as the summed terms.
double ulps_apart(const Tensor& a, const Tensor& b, const Tensor& scale) {
  REQUIRE(a.shape() == b.shape());
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float size = std::abs(static_cast<float>(scale.data()[i]));
    const double unit = static_cast<double>(std::nextafter(size, HUGE_VALF)) - static_cast<double>(size);
    const double apart = std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])) / unit;
    if (!(apart <= most)) most = apart;
  }
  return most;
}

Tensor magnitudes(const Tensor& x) { return sqrt(square(x)); }

Tensor any_mask(Samples& random, int T, int S) {
  const int kind = random.below(3);
  if (kind == 0) return {};
  return kind == 1 ? causal_mask(T, S, random.below(3)) : random.mask({T, S});
}

}  // namespace

TEST_CASE("linear attention weights values by the similarity of positive features, without forming pairs") {
  expect(positive_features(Tensor({4}, {2, 0, -1, -50})), {4}, {3, 1, 0.36787944, 0});
  Samples random(1);
  const Tensor q = random.tensor({2, 3, 5, 4}), k = random.tensor({2, 3, 7, 4}), v = random.tensor({2, 3, 7, 2});
  expect_near(linear_attention(q, k, v), with_all_pairs(q, k, v, Tensor::full({5, 7}, 1)), 1e-5);
}

TEST_CASE("causal linear attention sees earlier positions only, its state does not grow, each query needs a key") {
  Samples random(2);
  const Tensor q = random.tensor({2, 6, 4}), k = random.tensor({2, 6, 4}), v = random.tensor({2, 6, 3});
  expect_near(causal_linear_attention(q, k, v), with_all_pairs(q, k, v, exp(causal_mask(6, 6))), 1e-5);
  const Tensor before = causal_linear_attention(slice(q, 1, 0, 4), slice(k, 1, 0, 4), slice(v, 1, 0, 4));
  CHECK(same_bits(slice(causal_linear_attention(q, k, v), 1, 0, 4), before));
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = random.tensor({5, 2});
  causal_linear_attention(x, x, random.tensor({5, 3}));
  for (const char* name : {"t0/S", "t4/S"}) CHECK(node(tape, name).value.shape() == Shape{2, 3});
  CHECK(node(tape, "t4/z").value.shape() == Shape{1, 2});
  CHECK(node(tape, "t4/y").value.shape() == Shape{1, 3});
  CHECK(REFUSAL(shape, causal_linear_attention(Tensor({2, 3}), Tensor({4, 3}), Tensor({4, 3}))) ==
        "[causal_linear_attention] there are 2 queries and 4 keys: use as many of both.");
  const std::string sentence = "[causal_linear_attention] axis is -2, but the operand is (3): use -1 to 0.";
  const Tensor rows({2, 3}), row({3});
  CHECK(REFUSAL(shape, causal_linear_attention(row, rows, rows)) == sentence);
  CHECK(REFUSAL(shape, causal_linear_attention(rows, row, rows)) == sentence);
}

TEST_CASE("attention in blocks is attention within 2 ULP × the number of keys") {
  for (int seed = 0; seed < 400; ++seed) {
    Samples random(static_cast<std::uint64_t>(seed));
    const int T = random.up_to(6), S = random.up_to(seed % 10 ? 20 : 200), K = random.up_to(8),
              block = random.up_to(S + 1);
    const double size = std::pow(10.0, random.between(-3, 1.5));
    const Shape batch = random.batch();
    const Tensor q = random.tensor(joined(batch, {T, K}), -size, size),
                 k = random.tensor(joined(batch, {S, K}), -size, size);
    const Tensor v = random.tensor(joined(batch, {S, 3}), random.coin() ? 0.1 : -2, 2), mask = any_mask(random, T, S);
    const AttentionOutput plain = scaled_dot_product_attention(q, k, v, mask);
    const Tensor scale = matmul(plain.weights, magnitudes(v));
    INFO("seed ", seed, ", S ", S, ", block ", block);
    CHECK(ulps_apart(block_attention(q, k, v, block, mask), plain.context, scale) <= 2.0 * S);
  }
}

TEST_CASE("hidden blocks add nothing, even if the first or all are hidden") {
  const Tensor q = Tensor::full({1, 2}, 1), k = Tensor::full({4, 2}, 1), v({4, 1}, {1, 2, 4, 6});
  expect(block_attention(q, k, v, 2, Tensor({1, 4}, {masked, masked, 0, 0})), {1, 1}, {5});
  expect(block_attention(q, k, v, 2, Tensor({1, 4}, {0, 0, masked, masked})), {1, 1}, {1.5});
  expect(block_attention(q, k, v, 3, Tensor::full({1, 4}, masked)), {1, 1}, {0});
  expect(block_attention(q, k, v, 3, Tensor::full({1, 1}, masked)), {1, 1}, {0});
}

TEST_CASE("each block can be stepped through, and a later, larger score rescales the earlier sums") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor q({1, 1}, {1}), k({3, 1}, {1, 2, 0}), v({3, 1}, {1, 1, 1});
  block_attention(q, k, v, 2);
  const double sum = 1 + std::exp(-1) + std::exp(-2);
  expect(node(tape, "block0/m").value, {1, 1}, {2});
  expect(node(tape, "block0/l").value, {1, 1}, {1 + std::exp(-1)});
  expect(node(tape, "block1/m").value, {1, 1}, {2});
  expect(node(tape, "block1/r").value, {1, 1}, {1});
  expect(node(tape, "block1/l").value, {1, 1}, {sum});
  expect(node(tape, "block1/o").value, {1, 1}, {sum});
  const Tensor rising({2, 1}, {0, 3}), first({2, 1}, {1, 0});
  LiveTape other(Tape::Detail::trace);
  expect(block_attention(q, rising, first, 1), {1, 1}, {1 / (1 + std::exp(3))});
  expect(node(other, "block1/r").value, {1, 1}, {std::exp(-3)});
}

TEST_CASE("without keys there is nothing to attend to, as in plain attention, and a block holds at least one") {
  const Tensor q = Tensor::full({2, 3}, 1), none({0, 3});
  CHECK(REFUSAL(shape, block_attention(q, none, none, 2)) == "[block_attention] k is (0, 3): give at least one key.");
  CHECK(REFUSAL(shape, block_attention(q, Tensor({3}), Tensor({3}), 2)) ==
        "[block_attention] axis is -2, but the operand is (3): use -1 to 0.");
  REFUSAL(shape, scaled_dot_product_attention(q, none, none));
  CHECK(REFUSAL(config, block_attention(Tensor({1, 1}), Tensor({1, 1}), Tensor({1, 1}), 0)) ==
        "[block_attention] block is 0: use 1 key or more at a time.");
}
