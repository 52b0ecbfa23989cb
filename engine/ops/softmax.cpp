// softmax, log_softmax, logsumexp.
#include <algorithm>
#include <limits>

#include "engine/autograd/tape.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The maximum along the axis. It cancels in every use below, so it takes no gradient.
Tensor largest_of(Operand x, int axis) { return max(x, axis, true, Gradient::none); }

// Subtracted before exp: the maximum, or 0 in a row of −∞, where −∞ − (−∞) would be NaN.
Tensor safe_max(Operand largest) {
  const bool fully_masked = std::ranges::any_of(largest.values(), [](Scalar v) { return v == -infinity; });
  return fully_masked ? where(equal(largest, -infinity), 0, largest) : Tensor(largest);
}

// Σ x along the axis, but 1 where it is 0, as in a fully masked row.
Tensor nonzero_sum(Operand x, int axis) {
  const Tensor total = sum(x, axis, true);
  const bool fully_masked = std::ranges::any_of(total.values(), [](Scalar v) { return v == 0; });
  return fully_masked ? where(total, total, 1) : total;
}

// The limit T → 0: all weight on the maximum, shared by ties.
Tensor argmax_weights(Operand x, int axis) {
  const Tensor is_largest = equal(x, safe_max(largest_of(x, axis)));
  return is_largest / nonzero_sum(is_largest, axis);
}

}  // namespace

Tensor composite::softmax(const Operand& x, int axis, double temperature) {
  if (!(temperature >= 0 && temperature < infinity))
    fail(ErrorCode::config, "softmax_temperature_negative", temperature);
  checked_axis("softmax", x.shape(), axis);
  Scope scope("softmax", x.where);
  if (static_cast<Scalar>(temperature) == 0) return argmax_weights(x, axis);
  // At most 0, so that dividing by the temperature cannot give +∞.
  const Tensor shifted = x - safe_max(largest_of(x, axis));
  const Tensor exponentials = exp(temperature == 1 ? shifted : shifted / temperature);
  return exponentials / nonzero_sum(exponentials, axis);
}

Tensor logsumexp(Operand x, int axis, bool keep_axis) {
  Scope scope("logsumexp", x.where);
  const Tensor largest = largest_of(x, axis);
  const Tensor result = log(nonzero_sum(exp(x - safe_max(largest)), axis)) + largest;
  return keep_axis ? result : reshape(result, result.shape().without(checked_axis("logsumexp", x.shape(), axis)));
}

Tensor log_softmax(Operand x, int axis) {
  Scope scope("log_softmax", x.where);
  const Tensor shifted = x - safe_max(largest_of(x, axis));
  return shifted - log(nonzero_sum(exp(shifted), axis));
}

}  // namespace unroll
