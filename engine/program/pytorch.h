// A program as a script that runs under PyTorch and prints the same numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/program/syntax.h"

namespace unroll::program {

using NamedValues = std::vector<std::pair<std::string, Value>>;

// A call of a function of a program.
struct RecordedCall {
  std::string text, function;
  NamedValues arguments, parameters, constants;
  // Of a whole model: the ids (B, T) that its logits (B, T, V) are compared with, and the id that is left out.
  std::optional<Tensor> target{};
  int ignored = 0;
};

// A prelude that maps the names, the text as it is, and the call, where parameter(name, …) has these values. It prints
// result, loss and gradients as `lab run` does. Without a target the loss is the sum of the result.
std::string pytorch_script(const RecordedCall& call);

}  // namespace unroll::program
