#include "engine/nn/layers/conv2d.h"

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

}  // namespace unroll
