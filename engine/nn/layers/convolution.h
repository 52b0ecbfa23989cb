// Convolution and pooling of images, and the ConvNet made of both.
//
// Letters: B batch, C channels, H × W the image.
#pragma once

#include <string>
#include <vector>

#include "engine/nn/parameters.h"
#include "engine/ops/ops.h"

namespace unroll {

// Zero padding around an image.
struct Padding {
  int top = 0, bottom = 0, left = 0, right = 0;

  static Padding around(int size) { return {size, size, size, size}; }
};

// x (B, C, H, W) → y (B, out, rows, columns): every window of x, times the same weight (out, C, height, width), plus
// bias (out). As in all deep-learning libraries, the kernel is not flipped: this is cross-correlation. Throws
// Error(shape) unless x and weight have rank 4 and the same number of channels. (LeCun et al. 1989, §3; as a matrix
// product: Chellapilla et al. 2006, §4.)
struct Conv2d {
  // Weights start uniform with variance 2 / (in · size · size), which suits ReLU (He et al. 2015, §2.2). For an odd
  // `size`, the padding keeps the image size at stride 1.
  Conv2d(Parameters& parameters, const std::string& name, int in, int out, int size);
  Conv2d(Tensor weight, Tensor bias, int stride = 1, Padding padding = {})
      : weight(std::move(weight)), bias(std::move(bias)), stride(stride), padding(padding) {}

  Tensor operator()(Operand x) const;

  Tensor weight, bias;
  int stride = 1;
  Padding padding;
};

// Pooling reduces an image to fewer positions.

// x (B, C, H, W) → (B, C, rows, columns): the largest value of each window, in each channel separately. Throws
// Error(shape) unless x has rank 4, as do the functions below.
Tensor max_pool2d(Operand x, Windows windows);

// x (B, C, H, W) → (B, C): over all positions.
Tensor global_max_pool(Operand x);
Tensor global_mean_pool(Operand x);

// For each entry of `channels`, a 3 × 3 convolution to that many channels, ReLU and 2 × 2 max pooling: x (B, in, H, W)
// → (B, channels.back(), H / 2^layers, W / 2^layers). Parameters name.0.weight, name.0.bias …; each layer is recorded
// in the scope of its number. (After the VGG nets of Simonyan & Zisserman 2015, §2.1.)
class ConvNet {
 public:
  ConvNet(Parameters& parameters, const std::string& name, int in, const std::vector<int>& channels);

  Tensor operator()(Operand x) const;

 private:
  std::vector<Conv2d> layers_;
};

}  // namespace unroll
