#include "tests/conform/onnx.h"

#include "engine/ops/ops.h"
#include "tests/conform/compare.h"

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

namespace {

Tensor onnx_gelu(const Node& node) {
  return node.attribute<std::string>("approximate", "none") == "tanh" ? gelu_tanh(node[0]) : gelu(node[0]);
}

}  // namespace

const std::map<std::string, Operator>& onnx_operators() {
  using Result = std::vector<Tensor>;
  static const std::map<std::string, Operator> operators = {
      {"MatMul", [](const Node& node) -> Result { return {matmul(node[0], node[1])}; }},
      {"Softmax", [](const Node& node) -> Result { return {softmax(node[0], node.attribute("axis", -1))}; }},
      {"LogSoftmax", [](const Node& node) -> Result { return {log_softmax(node[0], node.attribute("axis", -1))}; }},
      {"Exp", [](const Node& node) -> Result { return {exp(node[0])}; }},
      {"Log", [](const Node& node) -> Result { return {log(node[0])}; }},
      {"Tanh", [](const Node& node) -> Result { return {tanh(node[0])}; }},
      {"Sigmoid", [](const Node& node) -> Result { return {sigmoid(node[0])}; }},
      {"Erf", [](const Node& node) -> Result { return {erf(node[0])}; }},
      {"Relu", [](const Node& node) -> Result { return {relu(node[0])}; }},
      {"Elu", [](const Node& node) -> Result { return {elu(node[0], node.attribute("alpha", 1.0))}; }},
      {"Gelu", [](const Node& node) -> Result { return {onnx_gelu(node)}; }},
      {"LayerNormalization", onnx_layer_norm},
      {"RMSNormalization", onnx_rms_norm},
      {"NegativeLogLikelihoodLoss", onnx_negative_log_likelihood},
      {"SoftmaxCrossEntropyLoss", onnx_cross_entropy},
      {"Gemm", onnx_gemm},
      {"ReduceMean", onnx_reduce_mean},
      {"ReduceLogSumExp", onnx_reduce_log_sum_exp},
      {"Concat", onnx_concat},
      {"Transpose", onnx_transpose},
      {"Gather", onnx_gather},
      {"OneHot", onnx_one_hot},
      {"Adam", onnx_adam},
      {"Adagrad", onnx_adagrad},
      {"Momentum", onnx_momentum},
      {"Attention", onnx_attention},
      {"RotaryEmbedding", onnx_rotary_embedding},
      {"Conv", onnx_conv},
      {"RNN", onnx_rnn},
      {"GRU", onnx_gru},
      {"LSTM", onnx_lstm},
  };
  return operators;
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
