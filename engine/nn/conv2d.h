// Convolution over pictures.
//
// Letters: B batch, C channels, H × W the picture.
#pragma once

#include <string>

#include "engine/nn/parameters.h"
#include "engine/ops/ops.h"

namespace unroll {

// Zeros around a picture.
struct Padding {
  int top = 0, bottom = 0, left = 0, right = 0;

  static Padding around(int size) { return {size, size, size, size}; }
};

// x (B, C, H, W) → y (B, out, rows, columns): every window of x, times the same weight (out, C, height, width), plus
// bias (out). As in every library of the field the weight is not turned round: it is cross-correlation. (LeCun et al.
// 1989, §3; as a product of matrices: Chellapilla et al. 2006, §4.)
struct Conv2d {
  // Weights start uniform with the variance 2 / (in · size · size) that ReLU wants (He et al. 2015, §2.2), and the
  // padding keeps the picture's size at stride 1: `size` is odd.
  Conv2d(Parameters& parameters, const std::string& name, int in, int out, int size);
  Conv2d(Tensor weight, Tensor bias, int stride = 1, Padding padding = {})
      : weight(std::move(weight)), bias(std::move(bias)), stride(stride), padding(padding) {}

  Tensor operator()(Operand x) const;

  Tensor weight, bias;
  int stride = 1;
  Padding padding;
};

}  // namespace unroll
