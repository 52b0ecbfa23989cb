#include "engine/nn/attention/image_attention.h"

#include "engine/autograd/tape.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/convolution.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// Scales each channel of x (B, C, H, W) by its gate g (B, C).
Tensor gate_channels(Operand x, Operand g) { return x * reshape(g, {x.shape()[0], x.shape()[1], 1, 1}); }

// (B, C) → (B, C), through the bottleneck of W1 and W2.
Tensor excitation(Operand mean, const Linear& W1, const Linear& W2) { return W2(relu(W1(mean))); }

}  // namespace

Tensor places_of(Operand grid) {
  if (grid.rank() != 4) fail(ErrorCode::shape, "places_of_grid_shape", grid.shape());
  const Shape& shape = grid.shape();
  return transpose(reshape(grid, {shape[0], shape[1], shape[2] * shape[3]}));
}

Tensor grid_of(Operand places, int H, int W) {
  if (places.rank() != 3 || places.shape()[1] != H * W)
    fail(ErrorCode::shape, "grid_of_places_shape", places.shape(), H * W);
  return reshape(transpose(places), {places.shape()[0], places.shape()[2], H, W});
}

GridAttention::GridAttention(Parameters& parameters, const std::string& name, int channels, int key_channels)
    : q(parameters, name + ".q", channels, key_channels, 1),
      k(parameters, name + ".k", channels, key_channels, 1),
      v(parameters, name + ".v", channels, channels, 1),
      gamma(parameters.declare(name + ".gamma", {1}, constant(0))) {}

GridAttentionOutput GridAttention::operator()(Operand x) const {
  const Tensor queries = places_of(q(x)).as("q");                   // (B, H·W, key channels)
  const Tensor keys = places_of(k(x)).as("k");                      // (B, H·W, key channels)
  const Tensor values = places_of(v(x)).as("v");                    // (B, H·W, C)
  const Tensor e = dot_score(queries, keys).as("e", Role::score);   // (B, H·W, H·W)
  const auto [c, weights] = attend(e, values);                      // (B, H·W, C), (B, H·W, H·W)
  const Tensor o = grid_of(c, x.shape()[2], x.shape()[3]).as("o");  // (B, C, H, W)
  return {(gamma * o + x).as("y"), weights};
}

Gated squeeze_and_excitation(Operand x, const Linear& W1, const Linear& W2) {
  const Tensor g = sigmoid(excitation(global_mean_pool(x), W1, W2));  // (B, C)
  return {gate_channels(x, g), g};
}

Gated convolutional_block_attention(Operand x, const Linear& W1, const Linear& W2, const Conv2d& conv) {
  const Tensor mean_branch = excitation(global_mean_pool(x), W1, W2);                     // (B, C)
  const Tensor channels = sigmoid(mean_branch + excitation(global_max_pool(x), W1, W2));  // (B, C)
  const Tensor gated = gate_channels(x, channels);                                        // (B, C, H, W)
  const Tensor means = mean(gated, 1, true), largest = max(gated, 1, true);               // (B, 1, H, W)
  const Tensor spatial = sigmoid(conv(concat({means, largest}, 1)));                      // (B, 1, H, W)
  return {gated * spatial, channels, spatial};
}

GatedContext gated_context(Operand h, Operand c, const Linear& gate) {
  const Tensor beta = sigmoid(gate(h));  // (B, 1)
  return {c * beta, beta};
}

}  // namespace unroll
