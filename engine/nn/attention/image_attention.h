// Attention in a ConvNet: between the positions of a feature map (here: grid), and over its channels.
//
// Letters: B batch, C channels, H × W the grid.
#pragma once

#include <string>

#include "engine/nn/layers/convolution.h"
#include "engine/nn/layers/position_wise.h"

namespace unroll {

// A grid (B, C, H, W) flattened to a sequence of its positions (B, H·W, C), row by row, and back. Both throw
// Error(shape) for any other shape.
Tensor places_of(Operand grid);
Tensor grid_of(Operand places, int H, int W);

struct GridAttentionOutput {
  Tensor y;        // (B, C, H, W)
  Tensor weights;  // (B, H·W, H·W): row i holds the weights of position i
};

// Self-attention over all positions: o = softmax(q · k) v with q, k and v from 1 × 1 convolutions, and y = γ o + x. γ
// starts at 0, so the layer starts as the identity. (Zhang et al. 2019, §3. There v has C/8 channels, as q and k have,
// and a fourth convolution maps the weighted mean to C channels, eq. 2; here v has all C and there is no fourth.)
struct GridAttention {
  // q and k have `key_channels` channels.
  GridAttention(Parameters& parameters, const std::string& name, int channels, int key_channels);
  GridAttention(Conv2d q, Conv2d k, Conv2d v, Tensor gamma)
      : q(std::move(q)), k(std::move(k)), v(std::move(v)), gamma(std::move(gamma)) {}

  GridAttentionOutput operator()(Operand x) const;

  Conv2d q, k, v;
  Tensor gamma;  // (1)
};

// No model uses the functions below: `lab conform` compares them with reference values computed elsewhere.

struct Gated {
  Tensor y;             // (B, C, H, W)
  Tensor channels;      // (B, C): gate of each channel, 0 to 1
  Tensor spatial = {};  // (B, 1, H, W): gate of each position; empty if there is none
};

// Channel gates from channel means: g = σ(W₂ relu(W₁ mean over positions)), y = g x. (Hu et al. 2018, §3.)
Gated squeeze_and_excitation(Operand x, const Linear& W1, const Linear& W2);

// CBAM: channel gates from mean and maximum over the positions, σ(f(mean) + f(max)) with f = W₂ relu(W₁ ·); then
// position gates from mean and maximum over the channels, σ(conv([mean; max])). (Woo et al. 2018, §3.)
Gated convolutional_block_attention(Operand x, const Linear& W1, const Linear& W2, const Conv2d& conv);

// Context gate: a decoder in state h (B, H) scales its context c (B, C) by β = σ(w · h + b) (B, 1). (Xu et al. 2015,
// §4.2.1.)
struct GatedContext {
  Tensor context;  // (B, C)
  Tensor gate;     // (B, 1)
};
GatedContext gated_context(Operand h, Operand c, const Linear& gate);

}  // namespace unroll
