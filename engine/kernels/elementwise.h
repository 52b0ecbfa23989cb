// Elementwise loops over broadcast operands.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/kernels/parallel.h"
#include "engine/tensor/values.h"

namespace unroll {

// The loops that fill a result from two operands: outer axes around runs of `inner` values. A stride of 0 repeats a
// value.
struct BroadcastPlan {
  static constexpr int axes = Shape::max_rank - 1;

  int sizes[axes];         // of the outer axes
  std::ptrdiff_t a[axes];  // strides of a along them
  std::ptrdiff_t b[axes];
  std::size_t inner;  // length of the innermost run, the longest both operands allow
  std::ptrdiff_t a_inner, b_inner;
};
BroadcastPlan plan_broadcast(const Shape& y, const Shape& a, const Shape& b);

// Where one run of the result begins in the operands. Runs follow each other in row-major order.
class RunPlace {
 public:
  RunPlace(const BroadcastPlan& plan, std::size_t run);

  void next() {
    a += plan_.a[last], b += plan_.b[last];
    if (++at_[last] == plan_.sizes[last]) carry();
  }

  std::ptrdiff_t a = 0, b = 0;

 private:
  static constexpr int last = BroadcastPlan::axes - 1;

  void carry();  // to the outer axes, as an odometer does

  const BroadcastPlan& plan_;
  int at_[BroadcastPlan::axes];
};

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

// Rows [first, last) of the plan; y, a and b are whole.
template <typename F>
void broadcast_rows(const BroadcastPlan& plan, std::size_t first, std::size_t last, Scalar* y, const Scalar* a,
                    const Scalar* b, F f) {
  RunPlace at(plan, first);
  for (std::size_t row = first; row < last; ++row, at.next())
    broadcast_row(y + row * plan.inner, a + at.a, plan.a_inner, b + at.b, plan.b_inner, plan.inner, f);
}

// Calls job(row, at, D) for each row of x (…, D): its number, where its values begin, and how many they are.
template <typename Job>
void over_rows(const Values& x, std::size_t grain, const Job& job) {
  const int D = x.shape()[-1];
  const auto length = static_cast<std::size_t>(D);
  for_each_row(x.size() / std::max<std::size_t>(length, 1), length, grain,
               [&](std::size_t row) { job(row, row * length, D); });
}

// y = f(a, b) elementwise, with broadcasting. Throws Error(shape) naming `op` when the shapes are incompatible.
template <typename F>
Values map_pairs(const char* op, const Values& a, const Values& b, F f) {
  Values y(broadcast(op, a.shape(), b.shape()));
  if (y.size() == 0) return y;
  const BroadcastPlan plan = plan_broadcast(y.shape(), a.shape(), b.shape());
  const bool one_row = plan.inner == y.size();  // which is then split itself
  const std::size_t step = one_row ? 1 : plan.inner;
  for_ranges(y.size() / step, cheap / step + 1, [&](std::size_t first, std::size_t last) {
    BroadcastPlan part = plan;
    const std::size_t start = one_row ? first : 0;
    if (one_row) part.inner = last - first, first = 0, last = 1;
    const auto offset = static_cast<std::ptrdiff_t>(start);
    broadcast_rows(part, first, last, y.data() + start, a.data() + offset * plan.a_inner,
                   b.data() + offset * plan.b_inner, f);
  });
  return y;
}

// y[i] += x[i]
void add_to(const Scalar* x, Scalar* y, std::size_t n);

}  // namespace unroll
