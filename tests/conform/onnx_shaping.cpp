// ONNX's Concat, Transpose, Gather and OneHot. (ONNX operator set 24.)
#include <algorithm>
#include <numeric>

#include "engine/ops/ops.h"
#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

// The engine's permute needs all axes explicitly.
Tensor permuted(const Tensor& x, const std::vector<int>& axes) {
  switch (axes.size()) {
    case 4:
      return permute(x, {axes[0], axes[1], axes[2], axes[3]});
    case 3:
      return permute(x, {axes[0], axes[1], axes[2]});
    case 2:
      return permute(x, {axes[0], axes[1]});
    default:
      return x;
  }
}

// Converts ids from ONNX, where −1 is the last of n, to the engine's.
Tensor from_the_start(const Tensor& ids, int n) { return where(greater(0, ids), ids + n, ids); }

// (outer, n, inner) ↔ (n, outer, inner).
Tensor first_two_exchanged(const Tensor& x) { return permute(x, {1, 0, 2}); }

int size_of(std::size_t values) { return static_cast<int>(values); }

}  // namespace

ONNX(Concat) {
  std::vector<Operand> parts;
  for (std::size_t i = 0; i < node.inputs(); ++i) parts.emplace_back(node[i]);
  return {concat(parts, node.attribute("axis", 0))};
}

ONNX(Transpose) {
  std::vector<int> reversed(static_cast<std::size_t>(node[0].rank()));
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return {permuted(node[0], node.attribute("perm", reversed))};
}

// The engine gathers rows of a table: the axis becomes the rows, the other axes the values of a row.
ONNX(Gather) {
  const Tensor x = node[0], ids = node[1];
  const int axis = checked_axis("Gather", x.shape(), node.attribute("axis", 0));
  const AxisSplit parts = split_at(x.shape(), axis);
  const int outer = size_of(parts.outer), n = size_of(parts.length), inner = size_of(parts.inner);
  const Tensor table = reshape(first_two_exchanged(reshape(x, {outer, n, inner})), {n, outer * inner});
  const Tensor rows = gather(table, from_the_start(ids, n));
  std::vector<int> shape(x.shape().begin(), x.shape().end());
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, ids.shape().begin(), ids.shape().end());
  return {reshape(first_two_exchanged(reshape(rows, {size_of(ids.size()), outer, inner})),
                  Shape(std::span<const int>(shape)))};
}

// values: the off value and the on value. The new axis can be any; the engine's is the last.
ONNX(OneHot) {
  const Tensor ids = node[0], values = node[2];
  const int depth = static_cast<int>(node[1].item());
  const Tensor off = slice(values, 0, 0, 1), on = slice(values, 0, 1, 1);
  const Tensor y = off + (on - off) * one_hot(from_the_start(ids, depth), depth);
  const int axis = checked_axis("OneHot", y.shape(), node.attribute("axis", -1));
  std::vector<int> order(static_cast<std::size_t>(ids.rank()));
  std::iota(order.begin(), order.end(), 0);
  order.insert(order.begin() + axis, ids.rank());
  return {permuted(y, order)};
}

}  // namespace unroll::conform
