// Attention inside a ConvNet: between the places of a feature grid, and over its channels.
//
// Letters: B batch, C channels, H × W the grid.
#pragma once

#include <string>

#include "engine/nn/conv2d.h"
#include "engine/nn/linear.h"

namespace unroll {

// A grid (B, C, H, W) as a sequence of its places (B, H·W, C), row by row, and back.
Tensor places_of(Operand grid);
Tensor grid_of(Operand places, int H, int W);

struct GridAttended {
  Tensor y;        // (B, C, H, W)
  Tensor weights;  // (B, H·W, H·W): row i says where place i looks
};

// Every place looks at every place: o = softmax(q · k) v with q, k and v from 1 × 1 convolutions, and y = γ o + x. γ
// starts at 0, so the layer begins as if it were not there. (Zhang et al. 2019, §3, where v has C/8 channels, as q and
// k have, and a fourth convolution makes C of the weighted mean, eq. 2; here v has all C and there is no fourth.)
struct GridAttention {
  // q and k have `key_channels`.
  GridAttention(Parameters& parameters, const std::string& name, int channels, int key_channels);
  GridAttention(Conv2d q, Conv2d k, Conv2d v, Tensor gamma)
      : q(std::move(q)), k(std::move(k)), v(std::move(v)), gamma(std::move(gamma)) {}

  GridAttended operator()(Operand x) const;

  Conv2d q, k, v;
  Tensor gamma;  // (1)
};

// No model here has what follows: it stands here for outside numbers (lab conform).

// What gates make of a grid.
struct Gated {
  Tensor y;            // (B, C, H, W)
  Tensor channels;     // (B, C), how much of each channel is let through
  Tensor places = {};  // (B, 1, H, W), of each place; no tensor where there is no such gate
};

// Channels weigh each other: g = σ(W₂ relu(W₁ mean over places)), y = g x. (Hu et al. 2018, §3.)
Gated squeeze_and_excitation(Operand x, const Linear& W1, const Linear& W2);

// First channels, of mean and maximum over the places: g = σ(f(mean) + f(max)), f = W₂ relu(W₁ ·); then places, of mean
// and maximum over the channels: σ(conv([mean; max])). (Woo et al. 2018, §3.)
Gated convolutional_block_attention(Operand x, const Linear& W1, const Linear& W2, const Conv2d& conv);

// How much of its context a decoder in state h (B, H) takes: β = σ(w · h + b) (B, 1), times c (B, C). (Xu et al. 2015,
// §4.2.1.)
struct GatedContext {
  Tensor context;  // (B, C)
  Tensor gate;     // (B, 1)
};
GatedContext gated_context(Operand h, Operand c, const Linear& gate);

}  // namespace unroll
