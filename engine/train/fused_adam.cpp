#include "engine/train/fused_adam.h"

#include <cmath>

#include "engine/kernels/parallel.h"

namespace unroll::fused {

namespace {

void update(const AdamStep& step, std::size_t n, const Scalar* __restrict gradient, Scalar* __restrict w,
            Scalar* __restrict m, Scalar* __restrict v) {
  const AdamStep s = step;
  for (std::size_t i = 0; i < n; ++i) {
    const Scalar g = s.gradient_scale * gradient[i];
    m[i] = s.beta1 * m[i] + s.one_minus_beta1 * g;
    v[i] = s.beta2 * v[i] + s.one_minus_beta2 * g * g;
    w[i] = s.weight_scale * w[i] - s.rate * m[i] / (std::sqrt(v[i]) / s.root + s.epsilon);
  }
}

}  // namespace

void adam(const AdamStep& step, std::size_t n, const Scalar* g, Scalar* w, Scalar* m, Scalar* v) {
  for_ranges(n, cheap / 4, [&](std::size_t first, std::size_t last) {
    update(step, last - first, g + first, w + first, m + first, v + first);
  });
}

}  // namespace unroll::fused
