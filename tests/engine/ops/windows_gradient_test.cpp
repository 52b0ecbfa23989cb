#include "tests/engine/support/gradient_check.h"

namespace {

Windows any_windows(Samples& random, int H, int W) {
  return {random.up_to(std::min(H, 3)), random.up_to(std::min(W, 3)), random.up_to(3)};
}

GRADIENT("unfold(x, windows)") {
  const Shape shape = random.shape(4, 4);
  const Windows windows = any_windows(random, shape[2], shape[3]);
  return {{random.tensor(shape)}, [=](const Tensors& x) { return unfold(x[0], windows); }};
}

GRADIENT("fold(columns, windows, H, W)") {
  const int H = random.size(), W = random.size();
  const Windows windows = any_windows(random, H, W);
  const int places = ((H - windows.height) / windows.stride + 1) * ((W - windows.width) / windows.stride + 1);
  const Shape shape = {random.up_to(2), random.up_to(2) * windows.height * windows.width, places};
  return {{random.tensor(shape)}, [=](const Tensors& x) { return fold(x[0], windows, H, W); }};
}

}  // namespace
