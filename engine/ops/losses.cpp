// The cross-entropy loss, with ignored targets and label smoothing, and the mean squared error.
#include "engine/autograd/tape.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

void check_target(const Shape& logits, const Shape& target) {
  if (logits.rank() == 0 || logits.without(-1) != target)
    fail(ErrorCode::shape, "cross_entropy_target_shape", logits, target);
}

// `weight` is 1 for each counted row and 0 for padding; `target` has the valid id 0 in place of padding.
struct Counted {
  Tensor weight, target;
  int rows = 0;
};

Counted counted_rows(const Tensor& target, int ignored) {
  Counted result{target.copy(), target.copy()};
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool counts = target.data()[i] != static_cast<Scalar>(ignored);
    result.weight.data()[i] = counts;
    if (!counts) result.target.data()[i] = 0;
    result.rows += counts;
  }
  return result;
}

Tensor smoothed_loss(Operand logits, Operand target, double smoothing) {
  const Tensor log_p = log_softmax(logits).as("log p");
  const Tensor loss = -pick(log_p, target);
  const Tensor uniform = smoothing * mean(log_p, -1);
  return (1 - smoothing) * loss - uniform;
}

}  // namespace

Tensor composite::negative_log_likelihood(const Operand& logits, const Operand& target) {
  const Tensor log_p = log_softmax(logits).as("log p");
  return -pick(log_p, target);
}

Tensor cross_entropy(Operand logits, Operand target, CrossEntropyOptions options) {
  if (!(options.label_smoothing >= 0 && options.label_smoothing <= 1))
    fail(ErrorCode::config, "label_smoothing_out_of_range", options.label_smoothing);
  check_target(logits.shape(), target.shape());
  Scope scope("cross_entropy", logits.where);
  const Counted counted = counted_rows(target, options.ignored);
  const bool all_count = counted.rows == static_cast<int>(target.size());

  const Tensor valid = all_count ? Tensor(target) : counted.target;
  const double smoothing = options.label_smoothing;
  Tensor loss = smoothing == 0 ? negative_log_likelihood(logits, valid) : smoothed_loss(logits, valid, smoothing);
  if (!all_count) loss = where(counted.weight, loss, 0);  // padding may hold anything, even −∞
  const Tensor total = sum(loss);
  return options.reduction == Reduction::sum || counted.rows <= 1 ? total : total / counted.rows;
}

Tensor mean_squared_error(Operand x, Operand target) {
  Scope scope("mean_squared_error", x.where);
  return mean(square(x - target));
}

}  // namespace unroll
