#include "engine/nn/attention/image_attention.h"
#include "engine/nn/layers/convolution.h"
#include "tests/engine/support/test.h"

namespace {

// 1 2 3
// 4 5 6
// 7 8 9
const Tensor picture({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
const Tensor corners({1, 1, 2, 2}, {1, 0, 0, 10});  // the upper left value and ten times the lower right one

// The definition, value by value.
double convolved(const Tensor& x, const Conv2d& conv, int b, int out, int row, int column) {
  const Shape& w = conv.weight.shape();
  double y = conv.bias ? static_cast<double>(conv.bias.data()[out]) : 0;
  for (int c = 0; c < w[1]; ++c)
    for (int i = 0; i < w[2]; ++i)
      for (int j = 0; j < w[3]; ++j) {
        const int r = row * conv.stride + i - conv.padding.top, s = column * conv.stride + j - conv.padding.left;
        if (r < 0 || r >= x.shape()[2] || s < 0 || s >= x.shape()[3]) continue;
        y += static_cast<double>(conv.weight.data()[((out * w[1] + c) * w[2] + i) * w[3] + j]) *
             static_cast<double>(x.data()[((b * x.shape()[1] + c) * x.shape()[2] + r) * x.shape()[3] + s]);
      }
  return y;
}

}  // namespace

TEST_CASE("Conv2d by hand: windows times a weight, zero padding, stride 2; what does not fit is refused") {
  expect(Conv2d(corners, Tensor())(picture), {1, 1, 2, 2}, {51, 62, 84, 95});
  expect(Conv2d(corners, Tensor({1}, {1000}))(picture), {1, 1, 2, 2}, {1051, 1062, 1084, 1095});
  expect(Conv2d(corners, Tensor(), 2, {1, 0, 1, 0})(picture), {1, 1, 2, 2}, {10, 30, 70, 95});
  expect(Conv2d(corners, Tensor(), 1, {0, 1, 0, 0})(picture), {1, 1, 3, 2}, {51, 62, 84, 95, 7, 8});
  const Conv2d conv(corners, Tensor());
  CHECK(REFUSAL(shape, conv(Tensor::full({1, 2, 3, 3}, 0)))
            .starts_with("[conv2d] x is (1, 2, 3, 3), weight is (1, 1, 2, 2): they must be"));
  CHECK(REFUSAL(shape, conv(Tensor::full({3, 3}, 0))).starts_with("[conv2d] x is (3, 3)"));
  CHECK(REFUSAL(shape, conv(Tensor::full({1, 1, 1, 3}, 0))) ==
        "[unfold] windows of 2 × 2 do not fit into a picture of 1 × 3.");
}

TEST_CASE("Conv2d equals its definition for any size, stride and padding") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Samples random(seed);
    const int channels = random.up_to(3), out = random.up_to(3), height = random.up_to(3), width = random.up_to(3);
    const Padding padding = {random.below(3), random.below(2), random.below(3), random.below(2)};
    const Conv2d conv(random.tensor({out, channels, height, width}), random.coin() ? random.tensor({out}) : Tensor(),
                      random.up_to(3), padding);
    const Tensor x = random.tensor({random.up_to(2), channels, height + random.below(4), width + random.below(4)});
    const Tensor y = conv(x);
    std::vector<double> expected;
    for (int b = 0; b < y.shape()[0]; ++b)
      for (int o = 0; o < out; ++o)
        for (int row = 0; row < y.shape()[2]; ++row)
          for (int column = 0; column < y.shape()[3]; ++column)
            expected.push_back(convolved(x, conv, b, o, row, column));
    const int rows = (x.shape()[2] + padding.top + padding.bottom - height) / conv.stride + 1;
    const int columns = (x.shape()[3] + padding.left + padding.right - width) / conv.stride + 1;
    CAPTURE(seed);
    expect(y, {x.shape()[0], out, rows, columns}, expected, 1e-5);
  }
}

TEST_CASE("Conv2d declares a weight within He's bound and a bias of 0, and keeps the picture's size") {
  Parameters parameters(3);
  const Conv2d conv(parameters, "conv", 4, 8, 3);
  const double bound = std::sqrt(6.0 / 36);
  double largest = 0;
  for (Scalar w : conv.weight.values()) largest = std::max(largest, std::abs(static_cast<double>(w)));
  CHECK(largest <= bound);
  CHECK(largest > 0.95 * bound);
  expect(sum(square(conv.bias)), {}, {0});
  CHECK(conv(Tensor::full({2, 4, 5, 7}, 1)).shape() == Shape{2, 8, 5, 7});
  CHECK(parameters.find("conv.weight")->value.shape() == Shape{8, 4, 3, 3});
}

TEST_CASE("pooling keeps the largest value of each window, or one value over all places, per channel") {
  expect(max_pool2d(picture, {2, 2, 1}), {1, 1, 2, 2}, {5, 6, 8, 9});
  const Tensor channels({1, 2, 2, 2}, {1, 2, 3, 4, -1, -2, -3, -4});
  expect(max_pool2d(channels, {2, 2, 2}), {1, 2, 1, 1}, {4, -1});
  expect(global_max_pool(channels), {1, 2}, {4, -1});
  expect(global_mean_pool(channels), {1, 2}, {2.5, -2.5});
  CHECK(REFUSAL(shape, max_pool2d(Tensor({2, 2}), {1, 1, 1})) ==
        "[max_pool2d] x is (2, 2): it must be (batch, channels, height, width).");
}

TEST_CASE("places_of and grid_of turn a grid into a sequence and back") {
  const Tensor grid({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor places = places_of(grid);
  expect(places, {1, 3, 2}, {1, 4, 2, 5, 3, 6});
  CHECK(same_bits(grid_of(places, 1, 3), grid));
  CHECK(REFUSAL(shape, grid_of(places, 2, 2)) == "[grid_of] places is (1, 3, 2): it must be (batch, 4, channels).");
}

TEST_CASE("attention over a grid starts as the identity, and attends everywhere") {
  Parameters parameters(5);
  const GridAttention layer(parameters, "layer", 6, 3);
  Samples random(1);
  const Tensor x = random.tensor({2, 6, 3, 2});
  const GridAttentionOutput before = layer(x);
  CHECK(before.weights.shape() == Shape{2, 6, 6});
  expect(sum(before.weights, -1), {2, 6}, std::vector<double>(12, 1));
  expect(before.y - x, {2, 6, 3, 2}, std::vector<double>(72, 0));
  layer.gamma.data()[0] = 1;
  CHECK_FALSE(same_bits(layer(x).y, x));
}

TEST_CASE("gates let through a fraction between 0 and 1") {
  const Linear zero(Tensor::full({1, 2}, 0), Tensor()), open(Tensor::full({2, 1}, 0), Tensor({2}, {0, 100}));
  const Tensor x({1, 2, 1, 2}, {2, 4, 6, 8});
  const Gated squeezed = squeeze_and_excitation(x, zero, open);
  expect(squeezed.channels, {1, 2}, {0.5, 1});
  expect(squeezed.y, {1, 2, 1, 2}, {1, 2, 6, 8});
  const Gated both = convolutional_block_attention(x, zero, open, Conv2d(Tensor::full({1, 2, 1, 1}, 0), Tensor()));
  expect(both.channels, {1, 2}, {0.5, 1});
  expect(both.spatial, {1, 1, 1, 2}, {0.5, 0.5});
  expect(both.y, {1, 2, 1, 2}, {0.5, 1, 3, 4});
  const GatedContext half = gated_context(Tensor({1, 2}, {3, -3}), Tensor({1, 2}, {8, 6}), zero);
  expect(half.context, {1, 2}, {4, 3});
  expect(half.gate, {1, 1}, {0.5});
}
