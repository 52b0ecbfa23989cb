#include "tests/conform/onnx.h"

#include <cmath>

#include "engine/ops/ops.h"
#include "engine/train/optimiser.h"
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

std::vector<Tensor> onnx_gelu(const Node& node) {
  return {node.attribute<std::string>("approximate", "none") == "tanh" ? gelu_tanh(node[0]) : gelu(node[0])};
}

// Mean and 1 / deviation of the axes from `axis` on, which keep the size 1.
std::vector<Tensor> statistics(const Tensor& x, int axis, double epsilon) {
  Shape one = x.shape(), joined = Shape(std::span(x.shape().begin(), static_cast<std::size_t>(axis)));
  for (int each = axis; each < x.rank(); ++each) one = one.with(each, 1);
  joined = joined.inserted(axis).with(axis, static_cast<int>(x.size() / std::max<std::size_t>(1, joined.size())));
  const Tensor rows = reshape(x, joined), average = mean(rows, -1, true);
  const Tensor variance = mean(square(rows - average), -1, true);
  return {reshape(average, one), reshape(1 / sqrt(variance + epsilon), one)};
}

std::vector<Tensor> onnx_layer_norm(const Node& node) {
  const Tensor x = node[0];
  const int axis = checked_axis("LayerNormalization", x.shape(), node.attribute("axis", -1));
  const double epsilon = node.attribute("epsilon", 1e-5);
  const Shape normalised(std::span(x.shape().begin() + axis, x.shape().end()));
  const Tensor bias = node.optional(2) ? node.optional(2) : Tensor::full(normalised, 0);
  std::vector<Tensor> results = {
      layer_norm(x, broadcast_to(node[1], normalised), broadcast_to(bias, normalised), epsilon)};
  for (const Tensor& each : statistics(x, axis, epsilon)) results.push_back(each);
  return results;
}

// ONNX divides by √h + ε, with the bias correction in the rate; the engine by √(h / (1 − βᵗ)) + ε. So rate and ε are
// written over: step 1 of the engine for T = 0, which takes no correction, else step T.
std::vector<Tensor> onnx_adam(const Node& node) {
  const double alpha = node.attribute("alpha", 0.9), beta = node.attribute("beta", 0.999);
  const double rate = static_cast<double>(node[0].item());
  const int T = static_cast<int>(node[1].item());
  const double root = std::sqrt(1 - std::pow(beta, std::max(T, 1)));
  Adam adam(T == 0 ? rate * (1 - alpha) / root : rate, alpha, beta, node.attribute("epsilon", 0.0) / root,
            node.attribute("norm_coefficient", 0.0));

  const std::size_t count = (node.inputs() - 2) / 4;  // of each: X, G, V, H
  std::vector<Tensor> weights, gradients, state;
  for (std::size_t i = 0; i < count; ++i) {
    weights.push_back(node[2 + i]);
    gradients.push_back(node[2 + count + i]);
    state.push_back(node[2 + 2 * count + i]);
    state.push_back(node[2 + 3 * count + i]);
  }
  adam.restore_state(state, std::max(T, 1) - 1);
  adam.step(weights, gradients);

  std::vector<Tensor> results = weights;
  for (const Tensor& weight : weights) weight.array() *= Scalar(1 - node.attribute("norm_coefficient_post", 0.0));
  for (std::size_t slot : {0u, 1u})
    for (std::size_t i = 0; i < count; ++i) results.push_back(adam.state()[2 * i + slot]);
  return results;
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
      {"Gelu", onnx_gelu},
      {"LayerNormalization", onnx_layer_norm},
      {"Adam", onnx_adam},
      {"Attention", onnx_attention},
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
