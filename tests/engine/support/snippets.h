// Runs lines of a function of x and y, whose results are compared with PyTorch's.
#pragma once

#include <numeric>

#include "tests/engine/support/programs.h"

namespace unroll::snippets {

inline const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6}), y({2, 3}, {0.5, -1, 2, 1.5, 3, -2});

inline std::string function_of(const std::string& lines) {
  std::string text = "import torch\nfrom torch.nn import Parameter\n\ndef f(x, y):\n    ";
  for (const char letter : lines) text += letter == '\n' ? std::string("\n    ") : std::string(1, letter);
  return text + "\n";
}

inline Tensor of(const std::string& lines) {
  INFO(lines);
  return tensor_of(function_of(lines), {program::TypedTensor{x}, program::TypedTensor{y}});
}

inline std::string refused_in(const std::string& lines) {
  return refused(function_of(lines), {program::TypedTensor{x}, program::TypedTensor{y}});
}

inline program::Value with_gradient(const Tensor& tensor) {
  program::TypedTensor typed{tensor};
  typed.is_given = typed.takes_gradient = true;
  return typed;
}

// What it returns, and the gradients of Σ i · (value i), i from 1.
inline void expect_gradients(const std::string& lines, const Shape& shape, const std::vector<double>& values,
                             const std::vector<double>& of_x, const std::vector<double>& of_y) {
  INFO(lines);
  LiveTape tape(Tape::Detail::trace);
  const Tensor a = input("x", x), b = input("y", y);
  const Tensor result = tensor_of(function_of(lines), {with_gradient(a), with_gradient(b)});
  expect(result, shape, values, 1e-5);
  Tensor weights(shape);
  std::iota(weights.data(), weights.data() + weights.size(), Scalar(1));
  backward(sum(result * weights));
  for (const auto& [leaf, wanted] : {std::pair(a, of_x), std::pair(b, of_y)}) {
    const Tensor found = gradient(leaf);
    expect(found ? found : Tensor::full(leaf.shape(), 0), {2, 3}, wanted, 1e-5);
  }
}

// The sentence that refuses lines while a tape records them.
inline std::string refused_while_recorded(const std::string& lines) {
  const LiveTape tape(Tape::Detail::trace);
  return refused(function_of(lines), {with_gradient(input("x", x)), with_gradient(input("y", y))});
}

}  // namespace unroll::snippets
