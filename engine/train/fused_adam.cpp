#include "engine/train/fused_adam.h"

#include <cmath>

namespace unroll::fused {

void adam(const AdamStep& step, std::size_t n, const Scalar* __restrict g, Scalar* __restrict w, Scalar* __restrict m,
          Scalar* __restrict v) {
  const AdamStep s = step;
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = s.keep1 * m[i] + s.take1 * g[i];
    v[i] = s.keep2 * v[i] + s.take2 * g[i] * g[i];
    w[i] = s.kept_weight * w[i] - s.rate * m[i] / (std::sqrt(v[i]) / s.root + s.epsilon);
  }
}

}  // namespace unroll::fused
