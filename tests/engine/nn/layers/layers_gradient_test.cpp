#include "engine/nn/attention/image_attention.h"
#include "engine/nn/layers/convolution.h"
#include "engine/nn/layers/position_wise.h"
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

int at_most(Samples& random, int most) { return std::min(random.size(), most); }

Shape grid(Samples& random, int channels) {
  return {at_most(random, 2), channels, at_most(random, 3), at_most(random, 3)};
}

// Inputs x, weight and optionally bias.
GRADIENT("Conv2d(x)") {
  const int channels = at_most(random, 3), out = at_most(random, 3), stride = random.up_to(2);
  const int height = random.up_to(3), width = random.up_to(3);
  const Padding padding = {random.below(2), random.below(3), random.below(3), random.below(2)};
  Tensors inputs{random.tensor({at_most(random, 2), channels, height + random.below(3), width + random.below(3)}),
                 random.tensor({out, channels, height, width})};
  if (random.coin()) inputs.push_back(random.tensor({out}));
  return {inputs,
          [=](const Tensors& x) { return Conv2d(x[1], x.size() > 2 ? x[2] : Tensor(), stride, padding)(x[0]); }};
}

// Two layers over a picture of distinct values. Each window's result is close to its central value and far above 0, so
// no maximum changes and ReLU stays away from its kink.
GRADIENT("ConvNet(x)") {
  const int H = random.coin() ? 4 : 6;
  const std::vector<int> channels = {random.up_to(2), random.up_to(3)};
  const Tensor picture = random.distinct({at_most(random, 2), 1, H, 4});
  return by_parameters(random, {picture}, [=, &random](Parameters& parameters) {
    const ConvNet net(parameters, "net", 1, channels);
    for (const auto& [name, value] : parameters.all())
      for (std::size_t i = 0; i < value.size(); ++i) {
        const bool middle = i % 9 == 4;
        value.data()[i] = name.ends_with(".bias") ? random.between(50, 51) : random.between(0, 0.0001) + middle;
      }
    return [=](const Tensors& x) { return net(x[0]); };
  });
}

GRADIENT("max_pool2d(x, windows)") {
  const Shape shape = {at_most(random, 2), at_most(random, 2), random.size(), random.size()};
  const Windows windows = {random.up_to(shape[2]), random.up_to(shape[3]), random.up_to(2)};
  return {{random.distinct(shape)}, [=](const Tensors& x) { return max_pool2d(x[0], windows); }};
}

Tensor distinct_picture(Samples& random) { return random.distinct(random.shape(4, 4)); }

const GradientCases of_pictures = {{"global_max_pool(x)", unary(global_max_pool, distinct_picture)},
                                   {"global_mean_pool(x)", unary(global_mean_pool, distinct_picture)},
                                   {"places_of(grid)", unary(places_of, distinct_picture)}};
TEST_CASE("gradients of functions of a picture") { of_pictures.check(); }

GRADIENT("grid_of(places, H, W)") {
  const int H = random.up_to(3), W = random.up_to(3);
  return {{random.tensor({random.up_to(2), H * W, random.size()})},
          [=](const Tensors& x) { return grid_of(x[0], H, W); }};
}

GRADIENT("GridAttention(x)") {
  const int C = at_most(random, 3), K = at_most(random, 2);
  return {{random.tensor(grid(random, C)), random.tensor({K, C, 1, 1}), random.tensor({K, C, 1, 1}),
           random.tensor({C, C, 1, 1}), random.tensor({K}), random.tensor({1})},
          [](const Tensors& x) {
            const GridAttention layer(Conv2d(x[1], x[4]), Conv2d(x[2], Tensor()), Conv2d(x[3], Tensor()), x[5]);
            const GridAttentionOutput found = layer(x[0]);
            return side_by_side(found.y, found.weights);
          }};
}

// x, W₁ (R, C) with a bias well above the kink of relu, W₂ (C, R).
Tensors gate_inputs(Samples& random, int C, int R) {
  return {random.distinct(grid(random, C)), random.tensor({R, C}, -0.1, 0.1), random.tensor({R}, 2, 3),
          random.tensor({C, R}, -0.1, 0.1)};
}

GRADIENT("squeeze_and_excitation(x, W1, W2)") {
  return {gate_inputs(random, at_most(random, 3), at_most(random, 2)), [](const Tensors& x) {
            const Gated y = squeeze_and_excitation(x[0], Linear(x[1], x[2]), Linear(x[3], Tensor()));
            return side_by_side(y.y, y.channels);
          }};
}

GRADIENT("convolutional_block_attention(x, W1, W2, conv)") {
  Tensors inputs = gate_inputs(random, at_most(random, 3), at_most(random, 2));
  inputs.push_back(random.tensor({1, 2, 3, 3}));
  return {inputs, [](const Tensors& x) {
            const Gated y = convolutional_block_attention(x[0], Linear(x[1], x[2]), Linear(x[3], Tensor()),
                                                          Conv2d(x[4], Tensor(), 1, Padding::around(1)));
            return side_by_side(side_by_side(y.y, y.channels), y.spatial);
          }};
}

GRADIENT("gated_context(h, c, gate)") {
  const int B = random.size(), H = random.size();
  return {{random.tensor({B, H}), random.tensor({B, random.size()}), random.tensor({1, H}), random.tensor({1})},
          [](const Tensors& x) {
            const GatedContext y = gated_context(x[0], x[1], Linear(x[2], x[3]));
            return side_by_side(y.context, y.gate);
          }};
}

}  // namespace
