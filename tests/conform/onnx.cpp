#include "tests/conform/onnx.h"

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

}  // namespace unroll::conform
