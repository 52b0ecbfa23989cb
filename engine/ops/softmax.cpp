// softmax, log_softmax, logsumexp.
#include <algorithm>
#include <limits>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The largest value along the axis. It cancels in every use below, so it takes no gradient. Rows of −∞ use 0 instead:
// −∞ − (−∞) would be NaN.
Tensor reference(Operand x, int axis) {
  const Tensor largest = max(x, axis, true, Gradient::none);
  const bool fully_masked = std::ranges::any_of(largest.values(), [](Scalar v) { return v == -infinity; });
  return fully_masked ? where(equal(largest, -infinity), 0, largest) : largest;
}

// The limit T → 0: all the weight on the largest value, shared by equal ones.
Tensor argmax_weights(Operand x, int axis) {
  const Tensor largest = equal(x, max(x, axis, true, Gradient::none));
  return largest / sum(largest, axis, true);
}

}  // namespace

Tensor softmax(Operand x, int axis, double temperature) {
  if (!(temperature >= 0 && temperature < infinity))
    fail(ErrorCode::config, "[softmax] temperature is ", temperature, ": use 0 (the argmax) or any positive number.");
  Scope scope("softmax", x.where);
  if (temperature == 0) return argmax_weights(x, axis);
  const Tensor scaled = temperature == 1 ? Tensor(x) : x / temperature;
  const Tensor shifted = scaled - reference(scaled, axis);
  const Tensor powers = exp(shifted);
  const Tensor total = sum(powers, axis, true);
  const bool fully_masked = std::ranges::any_of(total.values(), [](Scalar v) { return v == 0; });
  return powers / (fully_masked ? where(total, total, 1) : total);
}

Tensor logsumexp(Operand x, int axis, bool keep_axis) {
  Scope scope("logsumexp", x.where);
  const Tensor largest = reference(x, axis);
  const Tensor result = log(sum(exp(x - largest), axis, true)) + largest;
  return keep_axis ? result : reshape(result, result.shape().without(checked_axis("logsumexp", x.shape(), axis)));
}

Tensor log_softmax(Operand x, int axis) {
  Scope scope("log_softmax", x.where);
  const Tensor shifted = x - reference(x, axis);
  return shifted - log(sum(exp(shifted), axis, true));
}

}  // namespace unroll
