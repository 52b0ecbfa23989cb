#include "engine/nn/layers/convnet.h"

#include "engine/autograd/tape.h"
#include "engine/nn/layers/pooling.h"

namespace unroll {

ConvNet::ConvNet(Parameters& parameters, const std::string& name, int in, const std::vector<int>& channels) {
  for (const int out : channels) {
    layers_.emplace_back(parameters, name + '.' + std::to_string(layers_.size()), in, out, 3);
    in = out;
  }
}

Tensor ConvNet::operator()(Operand x) const {
  Tensor y = x;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    Scope scope(std::to_string(layer));
    const Tensor activated = relu(layers_[layer](y)).as("seen");  // (B, channels, H, W)
    y = max_pool2d(activated, {2, 2, 2}).as("y");                 // (B, channels, H / 2, W / 2)
  }
  return y;
}

}  // namespace unroll
