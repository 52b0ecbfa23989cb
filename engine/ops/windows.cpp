// unfold and fold: an image as columns of windows, and back.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

void check_windows(const char* op, Windows windows, int H, int W) {
  const auto [height, width, stride] = windows;
  if (height < 1 || width < 1 || stride < 1)
    fail(ErrorCode::shape, "window_size_below_one", std::string_view(op), height, width, stride);
  if (height > H || width > W)
    fail(ErrorCode::shape, "window_larger_than_picture", std::string_view(op), height, width, H, W);
}

Op op_of(const char* name, const char* formula, Windows windows) {
  return {name, name, formula, {windows.height, windows.width, windows.stride}, 3};
}

// Calls f(values of `image`, values of `columns`, count) for each row of windows and each offset in a window: one
// value per window, contiguous in `columns` and windows.stride apart in `image`.
template <typename F>
void for_each_run(const Tensor& image, const Tensor& columns, Windows windows, F f) {
  const int H = image.shape()[2], W = image.shape()[3], planes = image.shape()[0] * image.shape()[1];
  const int rows = windows.rows(H), length = windows.columns(W);
  Scalar* run = columns.data();
  for (int plane = 0; plane < planes; ++plane)
    for (int i = 0; i < windows.height; ++i)
      for (int j = 0; j < windows.width; ++j)
        for (int row = 0; row < rows; ++row, run += length)
          f(image.data() + (std::size_t(plane) * H + row * windows.stride + i) * W + j, run, length);
}

}  // namespace

Tensor unfold(Operand x, Windows windows) {
  if (x.rank() != 4) fail(ErrorCode::shape, "unfold_shape", x.shape());
  const int H = x.shape()[2], W = x.shape()[3];
  check_windows("unfold", windows, H, W);
  const int area = windows.height * windows.width, places = windows.rows(H) * windows.columns(W);
  Tensor y({x.shape()[0], x.shape()[1] * area, places});
  for_each_run(x, y, windows, [stride = windows.stride](const Scalar* from, Scalar* to, int count) {
    if (stride == 1)
      std::copy_n(from, count, to);
    else
      for (int i = 0; i < count; ++i) to[i] = from[i * stride];
  });
  return record(op_of("unfold", "{0}", windows), y,
                Input{x, [=](const Tensor& dy) { return fold(dy, windows, H, W); }});
}

Tensor fold(Operand columns, Windows windows, int H, int W) {
  check_windows("fold", windows, H, W);
  const Shape image{H, W};  // throws if too large, before the windows are counted
  const int area = windows.height * windows.width, places = windows.rows(H) * windows.columns(W);
  if (columns.rank() != 3 || columns.shape()[1] % area != 0 || columns.shape()[2] != places)
    fail(ErrorCode::shape, "fold_shape", columns.shape(), area, places, windows.height, windows.width, H, W);
  const Tensor y = Tensor::full({columns.shape()[0], columns.shape()[1] / area, image[0], image[1]}, 0);
  for_each_run(y, columns, windows, [stride = windows.stride](Scalar* to, const Scalar* from, int count) {
    if (stride == 1)
      add_to(from, to, static_cast<std::size_t>(count));
    else
      for (int i = 0; i < count; ++i) to[i * stride] += from[i];
  });
  return record(op_of("fold", "Σ {0}", windows), y,
                Input{columns, [=](const Tensor& dy) { return unfold(dy, windows); }});
}

}  // namespace unroll
