#include "engine/kernels/elementwise.h"

#include <algorithm>
#include <array>

namespace unroll {
namespace {

constexpr int rank = Shape::max_rank;
using Steps = std::array<std::ptrdiff_t, rank>;

// The operand's stride along each axis of y, aligned at the last axis; 0 where the operand is broadcast or has no axis.
Steps steps(const Shape& y, const Shape& operand) {
  Steps result{};
  std::ptrdiff_t step = 1;
  for (int back = 1; back <= operand.rank(); ++back) {
    result[rank - back] = operand[-back] == 1 && y[-back] != 1 ? 0 : step;
    step *= operand[-back];
  }
  return result;
}

}  // namespace

BroadcastPlan plan_broadcast(const Shape& y, const Shape& a, const Shape& b) {
  const Steps a_steps = steps(y, a), b_steps = steps(y, b);
  std::array<int, rank> sizes;
  sizes.fill(1);
  for (int back = 1; back <= y.rank(); ++back) sizes[rank - back] = y[-back];

  // Merge axes into the innermost run while both operands keep a constant stride, 0 for a repeated value.
  int axis = rank - 1;
  std::ptrdiff_t inner = 1, a_inner = 0, b_inner = 0;
  const auto joins = [&](std::ptrdiff_t step, std::ptrdiff_t inner_step) {
    return inner == 1 || step == inner_step * inner;
  };
  for (; axis >= 0; --axis) {
    if (sizes[axis] == 1) continue;
    if (!joins(a_steps[axis], a_inner) || !joins(b_steps[axis], b_inner)) break;
    if (inner == 1) a_inner = a_steps[axis], b_inner = b_steps[axis];
    inner *= sizes[axis];
  }

  BroadcastPlan plan{{}, {}, {}, static_cast<std::size_t>(inner), a_inner, b_inner};
  std::ranges::fill(plan.sizes, 1);
  for (int place = BroadcastPlan::axes - 1; axis >= 0; --axis, --place) {
    plan.sizes[place] = sizes[axis];
    plan.a[place] = a_steps[axis];
    plan.b[place] = b_steps[axis];
  }
  return plan;
}

RunPlace::RunPlace(const BroadcastPlan& plan, std::size_t run) : plan_(plan) {
  for (int axis = last; axis >= 0; --axis) {
    const auto size = static_cast<std::size_t>(plan.sizes[axis]);
    at_[axis] = static_cast<int>(run % size);
    a += at_[axis] * plan.a[axis], b += at_[axis] * plan.b[axis];
    run /= size;
  }
}

void RunPlace::carry() {
  for (int axis = last; axis > 0 && at_[axis] == plan_.sizes[axis]; --axis) {
    at_[axis] = 0;
    ++at_[axis - 1];
    a += plan_.a[axis - 1] - plan_.sizes[axis] * plan_.a[axis];
    b += plan_.b[axis - 1] - plan_.sizes[axis] * plan_.b[axis];
  }
}

void add_to(const Scalar* x, Scalar* y, std::size_t n) {
  for_ranges(n, cheap, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) y[i] += x[i];
  });
}

}  // namespace unroll
