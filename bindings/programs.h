// What an editor asks while the learner writes a program. Nothing is loaded for it.
#pragma once

#include <string>
#include <vector>

#include "bindings/reply.h"
#include "engine/models/config.h"

namespace unroll {

// The shape of the last tensor that a line made.
struct LineShape {
  int line = 0;
  std::vector<int> shape;
};

// What the lines of a program compute: all lines, or those before a mistake, whose message is then not empty.
struct Outline {
  std::vector<LineShape> lines;
  std::string code, message, pattern;  // as in a Reply
  std::vector<std::string> arguments;
};

// Runs the program of a model forward, on small inputs if the model has a task.
Reply<Outline> outline(const Config& config);

// A function of the language, or a method of tensors: x.softmax(dim).
struct OperationInfo {
  std::string name, parameters, help;  // as in Python: "x, dim=-1"; one line
  bool is_method = false;
};

Reply<std::vector<OperationInfo>> operations();

}  // namespace unroll
