#include "engine/nn/attention/block_attention.h"

#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/masks.h"
#include "tests/engine/support/test.h"

namespace {

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
  switch (random.below(3)) {
    case 0:
      return {};
    case 1:
      return causal_mask(T, S, random.below(3));
    default:
      return random.mask({T, S});
  }
}

}  // namespace

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
    CAPTURE(seed);
    CAPTURE(S);
    CAPTURE(block);
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

TEST_CASE("each block can be stepped through") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor q({1, 1}, {1}), k({3, 1}, {1, 2, 0}), v({3, 1}, {1, 1, 1});
  block_attention(q, k, v, 2);
  const auto value_of = [&](const char* name) {
    REQUIRE_MESSAGE(tape.find(name) >= 0, name);
    return tape.nodes()[tape.find(name)].value;
  };
  expect(value_of("block0/m"), {1, 1}, {2});
  expect(value_of("block0/l"), {1, 1}, {1 + std::exp(-1)});
  expect(value_of("block1/m"), {1, 1}, {2});
  expect(value_of("block1/r"), {1, 1}, {1});
  expect(value_of("block1/l"), {1, 1}, {1 + std::exp(-1) + std::exp(-2)});
  expect(value_of("block1/o"), {1, 1}, {1 + std::exp(-1) + std::exp(-2)});
}

TEST_CASE("a later, larger score rescales the earlier sums") {
  const Tensor q({1, 1}, {1}), k({2, 1}, {0, 3}), v({2, 1}, {1, 0});
  LiveTape tape(Tape::Detail::trace);
  expect(block_attention(q, k, v, 1), {1, 1}, {1 / (1 + std::exp(3))});
  expect(tape.nodes()[tape.find("block1/r")].value, {1, 1}, {std::exp(-3)});
}

TEST_CASE("without keys there is nothing to attend to, as in plain attention") {
  const Tensor q = Tensor::full({2, 3}, 1), none({0, 3});
  CHECK(REFUSAL(shape, block_attention(q, none, none, 2)) == "[block_attention] k is (0, 3): give at least one key.");
  CHECK(REFUSAL(shape, block_attention(q, Tensor({3}), Tensor({3}), 2)) ==
        "[block_attention] axis is -2, but the operand is (3): use -1 to 0.");
  REFUSAL(shape, scaled_dot_product_attention(q, none, none));
}

TEST_CASE("a block holds at least one key") {
  CHECK(REFUSAL(config, block_attention(Tensor({1, 1}), Tensor({1, 1}), Tensor({1, 1}), 0)) ==
        "[block_attention] block is 0: use 1 key or more at a time.");
}
