#include "engine/nn/layers/convolution.h"

#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

Tensor padded(Operand x, Padding padding) {
  const auto [top, bottom, left, right] = padding;
  const Tensor taller = top || bottom ? pad(x, 2, top, bottom) : Tensor(x);
  return left || right ? pad(taller, 3, left, right) : taller;
}

void check_operands(const Tensor& x, const Tensor& weight) {
  if (x.rank() != 4 || weight.rank() != 4 || x.shape()[1] != weight.shape()[1])
    fail(ErrorCode::shape, "conv2d_shapes", x.shape(), weight.shape());
}

void check_image(const char* name, const Tensor& x) {
  if (x.rank() != 4) fail(ErrorCode::shape, "pooling_shape", std::string_view(name), x.shape());
}

// (B, C, H, W) → (B·C, area of a window, L): each channel becomes an image of its own.
Tensor windows_of(const char* name, Operand x, Windows windows) {
  check_image(name, x);
  const Shape& shape = x.shape();
  return unfold(reshape(x, {shape[0] * shape[1], 1, shape[2], shape[3]}), windows);
}

// (B·C, L) → (B, C, rows, columns)
Tensor as_image(Operand pooled, const Shape& x, Windows windows) {
  return reshape(pooled, {x[0], x[1], windows.rows(x[2]), windows.columns(x[3])});
}

// (B, C, H, W) → (B, C, H·W)
Tensor flat(const char* name, Operand x) {
  check_image(name, x);
  return reshape(x, {x.shape()[0], x.shape()[1], x.shape()[2] * x.shape()[3]});
}

}  // namespace

Conv2d::Conv2d(Parameters& parameters, const std::string& name, int in, int out, int size)
    : weight(parameters.declare(name + ".weight", {out, in, size, size},
                                uniform(std::sqrt(Scalar(6) / static_cast<Scalar>(in * size * size))))),
      bias(parameters.declare(name + ".bias", {out}, constant(0))),
      padding(Padding::around(size / 2)) {}

Tensor Conv2d::operator()(Operand x) const {
  Scope scope("conv2d", x.where);
  check_operands(x, weight);
  const int out = weight.shape()[0];
  const Windows windows{weight.shape()[2], weight.shape()[3], stride};
  const Tensor image = padded(x, padding);
  const Tensor columns = unfold(image, windows);                                       // (B, C · height · width, L)
  const Tensor product = matmul(reshape(weight, {out, columns.shape()[1]}), columns);  // (B, out, L)
  const Tensor y = bias ? product + reshape(bias, {out, 1}) : product;
  return reshape(y, {x.shape()[0], out, windows.rows(image.shape()[2]), windows.columns(image.shape()[3])});
}

Tensor max_pool2d(Operand x, Windows windows) {
  Scope scope("max_pool2d", x.where);
  return as_image(max(windows_of("max_pool2d", x, windows), 1), x.shape(), windows);
}

Tensor global_max_pool(Operand x) { return max(flat("global_max_pool", x), -1); }
Tensor global_mean_pool(Operand x) { return mean(flat("global_mean_pool", x), -1); }

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
