// A ConvNet: feature maps become coarser and richer from layer to layer.
#pragma once

#include <string>
#include <vector>

#include "engine/nn/layers/conv2d.h"

namespace unroll {

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
