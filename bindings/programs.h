// What an editor asks while the learner writes a program. Nothing is loaded for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/reply.h"
#include "bindings/session.h"
#include "engine/io/checkpoint.h"
#include "engine/models/config.h"

namespace unroll {

// The shape of the last tensor that a line made.
struct LineShape {
  int line = 0;
  std::vector<int> shape;
};
void fields(const LineShape& it, auto each) {
  each("line", it.line);
  each("shape", it.shape);
}

// What the lines of a program compute: all lines, or those before a mistake.
struct Outline {
  std::vector<LineShape> lines;
  std::optional<Failure> mistake;
};
void fields(const Outline& it, auto each) {
  each("lines", it.lines);
  each("mistake", it.mistake);
}

// Runs the program of a model forward, on small inputs if the model has a task.
Reply<Outline> outline(const Config& config);

// A function of the language, or a method of tensors: x.softmax(dim).
struct OperationInfo {
  std::string name, parameters, help;  // as in Python: "x, dim=-1"; one line
  bool is_method = false;
};
void fields(const OperationInfo& it, auto each) {
  each("name", it.name);
  each("parameters", it.parameters);
  each("help", it.help);
  each("isMethod", it.is_method);
}

Reply<std::vector<OperationInfo>> operations();

// The weights of a checkpoint for a model with another program.
struct CarriedWeights : CarriedOver {
  std::vector<std::uint8_t> checkpoint;  // of the new model
};

void fields(const CarriedWeights& it, auto each) {
  each("checkpoint", it.checkpoint);
  each("kept", it.kept);
  each("drawn", it.drawn);
  each("dropped", it.dropped);
}

Reply<CarriedWeights> carry_over_weights(const Config& config, const std::vector<std::uint8_t>& checkpoint);

// A script that prints under PyTorch what the model makes of these inputs: its result, loss and gradients. Without a
// checkpoint (empty), with its initial weights.
Reply<std::string> pytorch_script(const Config& config, const std::vector<std::uint8_t>& checkpoint,
                                  const std::vector<NamedTensor>& inputs);

// What a program's last function returned.
struct Calculated {
  std::vector<int> shape;  // of a number, none
  std::vector<float> values;
  bool is_truth = false;  // made by comparisons: 1 or 0 each
};
void fields(const Calculated& it, auto each) {
  each("shape", it.shape);
  each("values", it.values);
  each("isTruth", it.is_truth);
}

// Calls the last function of a program, which takes nothing. It may use these tensors by their names.
Reply<Calculated> calculate(const std::string& program, const std::vector<NamedTensor>& tensors);

// The calls about programs, of a module that has their language; none needs a loaded model.
void describe_programs(auto call) {
  call("outline", &outline, "config");
  call("operations", &operations);
  call("carryOver", &carry_over_weights, "config", "checkpoint");
  call("calculate", &calculate, "program", "tensors");
  call("pytorchScript", &pytorch_script, "config", "checkpoint", "inputs");
}

}  // namespace unroll
