// ONNX's LayerNormalization and RMSNormalization over the axes from `axis` on. (ONNX operator set 23.)
#include "engine/ops/ops.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

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

}  // namespace

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

}  // namespace unroll::conform
