// Two-dimensional convolution.
//
// Letters: B batch, C channels, H × W the image.
#pragma once

#include <string>

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

}  // namespace unroll
