#include "tests/conform/onnx.h"

#include <limits>
#include <numeric>

#include "engine/ops/ops.h"

namespace unroll::conform {

Node::Node(const Json& test)
    : attributes_(part_of(test, "attributes")), output_names_(test.at("node_outputs").get<std::vector<std::string>>()) {
  std::map<std::string, const Json*> given;
  for (const Json& input : test.at("inputs")) given[input.at("name").get<std::string>()] = &input;
  for (const std::string& name : test.at("node_inputs").get<std::vector<std::string>>()) {
    const bool absent = name.empty();
    if (!absent && !given.contains(name)) throw std::runtime_error("it has no input \"" + name + '"');
    inputs_.push_back(absent ? Tensor() : read_tensor(*given.at(name)));
    is_bool_.push_back(!absent && is_tensor_of(*given.at(name), "bool"));
  }
}

const Tensor& Node::operator[](std::size_t place) const {
  if (place >= inputs_.size() || !inputs_[place])
    throw std::runtime_error("it has no input at place " + std::to_string(place));
  return inputs_[place];
}

Tensor Node::optional(std::size_t place) const { return place < inputs_.size() ? inputs_[place] : Tensor(); }
bool Node::is_bool(std::size_t place) const { return place < is_bool_.size() && is_bool_[place]; }

void check_onnx(const Json& test, Operator op, Findings& findings) {
  const Node node(test);
  const std::vector<Tensor> outputs = op(node);
  Results results;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (node.wants(i) && outputs[i]) results.emplace(node.output_name(i), outputs[i]);
  Json by_name = test;
  by_name["outputs"] = Json::object();
  for (const Json& expected : test.at("outputs")) by_name["outputs"][expected.at("name").get<std::string>()] = expected;
  compare_outputs(by_name, results, findings);
}

namespace {

// ── Functions, and Gemm, ReduceMean and ReduceLogSumExp (ONNX operator set 18) ───────────────────────────────────────

ONNX(MatMul) { return {matmul(node[0], node[1])}; }
ONNX(Softmax) { return {softmax(node[0], node.attribute("axis", -1))}; }
ONNX(LogSoftmax) { return {log_softmax(node[0], node.attribute("axis", -1))}; }
ONNX(Exp) { return {exp(node[0])}; }
ONNX(Log) { return {log(node[0])}; }
ONNX(Tanh) { return {tanh(node[0])}; }
ONNX(Sigmoid) { return {sigmoid(node[0])}; }
ONNX(Erf) { return {erf(node[0])}; }
ONNX(Relu) { return {relu(node[0])}; }
ONNX(Elu) { return {elu(node[0], node.attribute("alpha", 1.0))}; }
ONNX(Gelu) {
  return {node.attribute<std::string>("approximate", "none") == "tanh" ? gelu_tanh(node[0]) : gelu(node[0])};
}

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

// ── Concat, Transpose, Gather and OneHot (ONNX operator set 24) ──────────────────────────────────────────────────────

// Converts ids from ONNX, where −1 is the last of n, to the engine's.
Tensor from_the_start(const Tensor& ids, int n) { return where(greater(0, ids), ids + n, ids); }

// (outer, n, inner) ↔ (n, outer, inner).
Tensor first_two_exchanged(const Tensor& x) { return permute(x, {1, 0, 2}); }

int size_of(std::size_t values) { return static_cast<int>(values); }

ONNX(Concat) {
  std::vector<Operand> parts;
  for (std::size_t i = 0; i < node.inputs(); ++i) parts.emplace_back(node[i]);
  return {concat(parts, node.attribute("axis", 0))};
}

ONNX(Transpose) {
  std::vector<int> reversed(static_cast<std::size_t>(node[0].rank()));
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  return {permute(node[0], node.attribute("perm", reversed))};
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
  return {permute(y, order)};
}

}  // namespace
}  // namespace unroll::conform
