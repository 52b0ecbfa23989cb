// Elementwise loops over broadcast operands.
#pragma once

#include <cstddef>

#include "engine/tensor/tensor.h"

namespace unroll {

// The loops that fill a result from two operands: outer axes around runs of `inner` values. A stride of 0 repeats a
// value.
struct BroadcastPlan {
  int sizes[3];         // of the outer axes
  std::ptrdiff_t a[3];  // strides of a along them
  std::ptrdiff_t b[3];
  std::size_t inner;  // length of the innermost run, the longest both operands allow
  std::ptrdiff_t a_inner, b_inner;
};
BroadcastPlan plan_broadcast(const Shape& y, const Shape& a, const Shape& b);

template <typename F>
void broadcast_row(Scalar* y, const Scalar* a, std::ptrdiff_t a_step, const Scalar* b, std::ptrdiff_t b_step,
                   std::size_t n, F f) {
  // Separate loops, so that the compiler can vectorise each. Where both operands repeat a value, n is 1.
  if (a_step == b_step)
    for (std::size_t i = 0; i < n; ++i) y[i] = f(a[i], b[i]);
  else if (a_step == 1)
    for (std::size_t i = 0; i < n; ++i) y[i] = f(a[i], *b);
  else
    for (std::size_t i = 0; i < n; ++i) y[i] = f(*a, b[i]);
}

// y = f(a, b) elementwise, with broadcasting. Throws Error(shape) naming `op` when the shapes are incompatible.
template <typename F>
Tensor map_pairs(const char* op, const Tensor& a, const Tensor& b, F f) {
  Tensor y(broadcast(op, a.shape(), b.shape()));
  if (y.size() == 0) return y;
  const BroadcastPlan plan = plan_broadcast(y.shape(), a.shape(), b.shape());
  Scalar* row = y.data();
  for (int i = 0; i < plan.sizes[0]; ++i)
    for (int j = 0; j < plan.sizes[1]; ++j)
      for (int k = 0; k < plan.sizes[2]; ++k, row += plan.inner)
        broadcast_row(row, a.data() + i * plan.a[0] + j * plan.a[1] + k * plan.a[2], plan.a_inner,
                      b.data() + i * plan.b[0] + j * plan.b[1] + k * plan.b[2], plan.b_inner, plan.inner, f);
  return y;
}

// y[i] += x[i]
void add_to(const Scalar* x, Scalar* y, std::size_t n);

}  // namespace unroll
