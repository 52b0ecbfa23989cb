// ONNX's Gemm, ReduceMean and ReduceLogSumExp. (ONNX operator set 18.)
#include <limits>

#include "engine/ops/ops.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

using Reduce = Tensor (*)(const Tensor& x, int axis);  // one axis, which keeps the size 1

// Which axes are reduced; without any, all of them or none.
std::vector<bool> reduced_axes(const Node& node) {
  const Tensor axes = node.optional(1);
  const bool named = axes && axes.size() > 0;
  std::vector<bool> reduced(static_cast<std::size_t>(node[0].rank()),
                            !named && node.attribute("noop_with_empty_axes", 0) == 0);
  if (!named) return reduced;
  for (const Scalar axis : axes.values())
    reduced[checked_axis("Reduce", node[0].shape(), static_cast<int>(axis))] = true;
  return reduced;
}

std::vector<Tensor> reduced_by(const Node& node, Reduce reduce) {
  const std::vector<bool> reduced = reduced_axes(node);
  const bool keep = node.attribute("keepdims", 1) != 0;
  Tensor y = node[0];
  for (int axis = y.rank() - 1; axis >= 0; --axis) {
    if (!reduced[axis]) continue;
    y = reduce(y, axis);
    if (!keep) y = reshape(y, y.shape().without(axis));
  }
  return {y};
}

// The engine's logsumexp needs a largest value. For no values, use a single −∞, whose exponential is 0.
Tensor log_sum_of_exponentials(const Tensor& x, int axis) {
  if (x.shape()[axis] > 0) return logsumexp(x, axis, true);
  return logsumexp(Tensor::full(x.shape().with(axis, 1), -std::numeric_limits<Scalar>::infinity()), axis, true);
}

}  // namespace

ONNX(Gemm) {
  const auto read = [&](std::size_t place, const char* transposed) {
    return node.attribute(transposed, 0) ? transpose(node[place]) : node[place];
  };
  const Tensor product = node.attribute("alpha", 1.0) * matmul(read(0, "transA"), read(1, "transB"));
  const Tensor c = node.optional(2);
  return {c ? product + node.attribute("beta", 1.0) * c : product};
}

ONNX(ReduceMean) {
  return reduced_by(node, [](const Tensor& x, int axis) { return mean(x, axis, true); });
}

ONNX(ReduceLogSumExp) { return reduced_by(node, log_sum_of_exponentials); }

}  // namespace unroll::conform
