// ONNX's NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: classes along axis 1, a weight for each class, and no
// loss where the target is `ignore_index`. (ONNX operator set 22.)
#include "engine/ops/ops.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

enum Place { scores, target, class_weight };

// (N, C, …) → (N, …, C): the engine's classes are the last axis. And back.
Tensor classes_last(const Tensor& x) {
  const AxisSplit parts = split_at(x.shape(), 1);
  const int N = x.shape()[0], C = x.shape()[1], D = static_cast<int>(parts.inner);
  const Shape rows = x.shape().without(1);
  return reshape(transpose(reshape(x, {N, C, D})), rows.inserted(rows.rank()).with(-1, C));
}
Tensor classes_second(const Tensor& x, const Shape& shape) {
  const int N = shape[0], C = shape[1], D = static_cast<int>(split_at(shape, 1).inner);
  return reshape(transpose(reshape(x, {N, D, C})), shape);
}

// 1 for each target that counts, 0 for each that is ignored.
Tensor counted(const Node& node) {
  const Tensor& ids = node[target];
  return node.has("ignore_index") ? 1 - equal(ids, node.attribute("ignore_index", 0)) : Tensor::full(ids.shape(), 1);
}

// The weight of each target: that of its class.
Tensor weight_of(const Node& node, const Tensor& ids, const Tensor& counts) {
  const Tensor of_class = node.optional(class_weight);
  if (!of_class) return counts;
  const int C = of_class.shape()[0];
  return counts * reshape(gather(reshape(of_class, {C, 1}), ids), ids.shape());
}

// −log p of the targets, for log_p (N, …, C): one by one, summed, or their weighted mean.
Tensor negative_log_likelihood(const Node& node, const Tensor& log_p) {
  const Tensor counts = counted(node), ids = where(counts, node[target], 0);
  const Tensor weight = weight_of(node, ids, counts);
  const Tensor losses = -where(counts, weight * pick(log_p, ids), 0);  // an ignored value may be −∞
  const auto reduction = node.attribute<std::string>("reduction", "mean");
  if (reduction == "none") return losses;
  return reduction == "sum" ? sum(losses) : sum(losses) / sum(weight);
}

// The engine's cross_entropy has no class weights and always reduces.
bool is_cross_entropy(const Node& node) {
  return !node.optional(class_weight) && node.attribute<std::string>("reduction", "mean") != "none";
}

Tensor cross_entropy_of(const Node& node, const Tensor& logits) {
  const bool sums = node.attribute<std::string>("reduction", "mean") == "sum";
  return cross_entropy(
      logits, node[target],
      {.ignored = node.attribute("ignore_index", -1), .reduction = sums ? Reduction::sum : Reduction::mean});
}

}  // namespace

ONNX(NegativeLogLikelihoodLoss) { return {negative_log_likelihood(node, classes_last(node[scores]))}; }

ONNX(SoftmaxCrossEntropyLoss) {
  const Tensor logits = classes_last(node[scores]), log_p = log_softmax(logits);
  return {is_cross_entropy(node) ? cross_entropy_of(node, logits) : negative_log_likelihood(node, log_p),
          classes_second(log_p, node[scores].shape())};
}

}  // namespace unroll::conform
