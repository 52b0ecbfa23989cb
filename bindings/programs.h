// What an editor asks while the learner writes a program. Nothing is loaded for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/reply.h"
#include "bindings/session.h"
#include "engine/models/config.h"

namespace unroll {

// The shape of the last tensor that a line made.
struct LineShape {
  int line = 0;
  std::vector<int> shape;
};
UNROLL_FIELDS(LineShape, line, shape)

// What the lines of a program compute: all lines, or those before a mistake.
struct Outline {
  std::vector<LineShape> lines;
  std::optional<Failure> mistake;
};
UNROLL_FIELDS(Outline, lines, mistake)

// Runs the program of a model forward, on small inputs if the model has a task.
Reply<Outline> outline(const Config& config);

// A function of the language, or a method of tensors: x.softmax(dim).
struct OperationInfo {
  std::string name, parameters, help;  // as in Python: "x, dim=-1"; one line
  bool is_method = false;
};
UNROLL_FIELDS(OperationInfo, name, parameters, help, is_method)

Reply<std::vector<OperationInfo>> operations();

// What a package or a class has: nn.Linear(in_features, out_features, bias=True).
struct MemberInfo {
  std::string name, kind, parameters, help;  // kind: function, class, package or value
};
UNROLL_FIELDS(MemberInfo, name, kind, parameters, help)

// Of "torch.nn", or of "torch.nn.Module", whose parameters are those of its methods without self. Empty for what is
// neither a package nor a class.
Reply<std::vector<MemberInfo>> members(const std::string& path);

// Lines of a pasted file that its models do not need, from 1.
struct LeftOutLines {
  int first = 0, last = 0;
  Message reason;
};
UNROLL_FIELDS(LeftOutLines, first, last, reason)

// Lines that join a model of it to the lab.
struct JoiningLines {
  std::string model, text;
  bool takes_pairs = false;
};
UNROLL_FIELDS(JoiningLines, model, text, takes_pairs)

// What defines the models of a whole file: see engine/program/paste.h.
struct PastedFile {
  std::string text;
  std::vector<LeftOutLines> left_out;
  std::vector<JoiningLines> joinings;
  bool makes_model = false;
};
UNROLL_FIELDS(PastedFile, text, left_out, joinings, makes_model)

Reply<PastedFile> read_paste(const std::string& text);

// The weights of a checkpoint for a model with another program.
struct CarriedWeights {
  std::vector<std::uint8_t> checkpoint;           // of the new model
  std::vector<std::string> kept, drawn, dropped;  // see CarriedOver
};
UNROLL_FIELDS(CarriedWeights, checkpoint, kept, drawn, dropped)

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
UNROLL_FIELDS(Calculated, shape, values, is_truth)

// Calls the last function of a program, which takes nothing. It may use these tensors by their names.
Reply<Calculated> calculate(const std::string& program, const std::vector<NamedTensor>& tensors);

// The calls about programs, of a module that has their language; none needs a loaded model.
void describe_programs(auto call) {
  call("outline", &outline, "config");
  call("operations", &operations);
  call("members", &members, "path");
  call("readPaste", &read_paste, "text");
  call("carryOver", &carry_over_weights, "config", "checkpoint");
  call("calculate", &calculate, "program", "tensors");
  call("pytorchScript", &pytorch_script, "config", "checkpoint", "inputs");
}

}  // namespace unroll
