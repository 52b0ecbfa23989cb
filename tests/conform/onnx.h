// Single-operator cases of the ONNX backend tests.
#pragma once

#include "tests/conform/case.h"

namespace unroll::conform {

// An ONNX node: its inputs by position ("no tensor" for omitted ones) and its attributes.
class Node {
 public:
  explicit Node(const Json& test);

  const Tensor& operator[](std::size_t place) const;  // a required input
  Tensor optional(std::size_t place) const;
  bool is_bool(std::size_t place) const;
  std::size_t inputs() const { return inputs_.size(); }
  const std::string& output_name(std::size_t place) const { return output_names_.at(place); }
  bool wants(std::size_t place) const { return place < output_names_.size() && !output_names_[place].empty(); }

  template <typename T>
  T attribute(const char* name, T otherwise) const {
    return attributes_.value(name, otherwise);
  }
  bool has(const char* name) const { return attributes_.contains(name); }

 private:
  Json attributes_;
  std::vector<std::string> output_names_;
  std::vector<Tensor> inputs_;
  std::vector<bool> is_bool_;
};

// The node's outputs, by position.
using Operator = std::vector<Tensor> (*)(const Node& node);

// onnx.cpp
const std::map<std::string, Operator>& onnx_operators();
void check_onnx(const Json& test, Operator op, Findings& findings);

// onnx_norms.cpp, onnx_losses.cpp
std::vector<Tensor> onnx_layer_norm(const Node& node);
std::vector<Tensor> onnx_rms_norm(const Node& node);
std::vector<Tensor> onnx_negative_log_likelihood(const Node& node);
std::vector<Tensor> onnx_cross_entropy(const Node& node);

// onnx_sums.cpp
std::vector<Tensor> onnx_gemm(const Node& node);
std::vector<Tensor> onnx_reduce_mean(const Node& node);
std::vector<Tensor> onnx_reduce_log_sum_exp(const Node& node);

// onnx_shaping.cpp
std::vector<Tensor> onnx_concat(const Node& node);
std::vector<Tensor> onnx_transpose(const Node& node);
std::vector<Tensor> onnx_gather(const Node& node);
std::vector<Tensor> onnx_one_hot(const Node& node);

// onnx_optimisers.cpp
std::vector<Tensor> onnx_adam(const Node& node);
std::vector<Tensor> onnx_adagrad(const Node& node);
std::vector<Tensor> onnx_momentum(const Node& node);

// onnx_attention.cpp, onnx_rotary.cpp, onnx_conv.cpp
std::vector<Tensor> onnx_attention(const Node& node);
std::vector<Tensor> onnx_rotary_embedding(const Node& node);
std::vector<Tensor> onnx_conv(const Node& node);

// onnx_recurrent.cpp
std::vector<Tensor> onnx_rnn(const Node& node);
std::vector<Tensor> onnx_gru(const Node& node);
std::vector<Tensor> onnx_lstm(const Node& node);

}  // namespace unroll::conform
