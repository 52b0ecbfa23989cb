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
void check_onnx(const Json& test, Operator op, Findings& findings);

}  // namespace unroll::conform

// What an operator computes: ONNX(Exp) { return {exp(node[0])}; }
#define ONNX(name)                                                                                   \
  static std::vector<Tensor> onnx_##name(const Node& node);                                          \
  static const Kind kind_##name(                                                                     \
      #name, [](const Json& test, Findings& findings) { check_onnx(test, onnx_##name, findings); }); \
  static std::vector<Tensor> onnx_##name(const Node& node)
