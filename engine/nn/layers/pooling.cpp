#include "engine/nn/layers/pooling.h"

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

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

Tensor max_pool2d(Operand x, Windows windows) {
  Scope scope("max_pool2d", x.where);
  return as_image(max(windows_of("max_pool2d", x, windows), 1), x.shape(), windows);
}

Tensor global_max_pool(Operand x) { return max(flat("global_max_pool", x), -1); }
Tensor global_mean_pool(Operand x) { return mean(flat("global_mean_pool", x), -1); }

}  // namespace unroll
