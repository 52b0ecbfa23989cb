// ONNX's Conv in two dimensions, LayerNormalization and RMSNormalization over the axes from `axis` on, and losses.
// (ONNX operator sets 22 and 23.)
#include "engine/nn/layers/convolution.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

// "Same" padding of `size` values for windows `stride` apart; the odd zero goes to the front or to the end.
std::pair<int, int> same_padding(int size, int window, int stride, bool odd_in_front) {
  const int windows = (size + stride - 1) / stride;
  const int zeros = std::max(0, (windows - 1) * stride + window - size), less = zeros / 2, more = zeros - less;
  return odd_in_front ? std::pair(more, less) : std::pair(less, more);
}

Padding padding_of(const Node& node, const Shape& x, const Shape& weight, int stride) {
  const auto automatic = node.attribute<std::string>("auto_pad", "NOTSET");
  if (automatic == "SAME_LOWER" || automatic == "SAME_UPPER") {
    const bool in_front = automatic == "SAME_LOWER";
    const auto [top, bottom] = same_padding(x[2], weight[2], stride, in_front);
    const auto [left, right] = same_padding(x[3], weight[3], stride, in_front);
    return {top, bottom, left, right};
  }
  const auto pads = node.attribute<std::vector<int>>("pads", {0, 0, 0, 0});  // top, left, bottom, right
  return {pads.at(0), pads.at(2), pads.at(1), pads.at(3)};
}

ONNX(Conv) {
  const Tensor x = node[0], weight = node[1];
  if (x.rank() != 4) throw Skip("Conv: the engine convolves pictures only");
  const auto strides = node.attribute<std::vector<int>>("strides", {1, 1});
  if (strides.at(0) != strides.at(1)) throw Skip("Conv: the engine has one stride for both directions");
  if (node.attribute("group", 1) != 1) throw Skip("Conv: the engine convolves all channels together");
  for (const int dilation : node.attribute<std::vector<int>>("dilations", {}))
    if (dilation != 1) throw Skip("Conv: the engine has no dilation");
  const Conv2d conv(weight, node.optional(2), strides[0], padding_of(node, x.shape(), weight.shape(), strides[0]));
  return {conv(x)};
}

int first_axis(const char* op, const Node& node) {
  return checked_axis(op, node[0].shape(), node.attribute("axis", -1));
}

// The axes of `shape` from `axis` on as one: (…, n).
Shape joined_from(const Shape& shape, int axis) {
  const AxisSplit parts = split_at(shape, axis);
  const Shape before(std::span(shape.begin(), static_cast<std::size_t>(axis)));
  return before.inserted(axis).with(axis, static_cast<std::int64_t>(parts.length * parts.inner));
}

// Mean and 1 / deviation of the axes from `axis` on, which keep the size 1.
std::vector<Tensor> statistics(const Tensor& x, int axis, double epsilon) {
  Shape one = x.shape();
  for (int each = axis; each < x.rank(); ++each) one = one.with(each, 1);
  const Tensor rows = reshape(x, joined_from(x.shape(), axis)), average = mean(rows, -1, true);
  const Tensor variance = mean(square(rows - average), -1, true);
  return {reshape(average, one), reshape(1 / sqrt(variance + epsilon), one)};
}

ONNX(LayerNormalization) {
  const Tensor x = node[0];
  const int axis = first_axis("LayerNormalization", node);
  const double epsilon = node.attribute("epsilon", 1e-5);
  const Shape normalised(std::span(x.shape().begin() + axis, x.shape().end()));
  const Tensor bias = node.optional(2) ? node.optional(2) : Tensor::full(normalised, 0);
  std::vector<Tensor> results = {
      layer_norm(x, broadcast_to(node[1], normalised), broadcast_to(bias, normalised), epsilon)};
  for (const Tensor& each : statistics(x, axis, epsilon)) results.push_back(each);
  return results;
}

// The engine's rms_norm takes the last axis alone.
ONNX(RMSNormalization) {
  const Tensor x = node[0];
  const int axis = first_axis("RMSNormalization", node);
  const Shape rows = joined_from(x.shape(), axis), normalised(std::span(x.shape().begin() + axis, x.shape().end()));
  const Tensor weight = reshape(broadcast_to(node[1], normalised), {rows[-1]});
  return {reshape(rms_norm(reshape(x, rows), weight, node.attribute("epsilon", 1e-5)), x.shape())};
}

// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: classes along axis 1, a weight for each class, and no loss
// where the target is `ignore_index`.

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

ONNX(NegativeLogLikelihoodLoss) { return {negative_log_likelihood(node, classes_last(node[scores]))}; }

ONNX(SoftmaxCrossEntropyLoss) {
  const Tensor logits = classes_last(node[scores]), log_p = log_softmax(logits);
  return {is_cross_entropy(node) ? cross_entropy_of(node, logits) : negative_log_likelihood(node, log_p),
          classes_second(log_p, node[scores].shape())};
}

}  // namespace
}  // namespace unroll::conform
