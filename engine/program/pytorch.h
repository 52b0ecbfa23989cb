// A program as a script that runs under PyTorch and prints the same numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/program/syntax.h"

namespace unroll::program {

using NamedValues = std::vector<std::pair<std::string, Value>>;

// A call of a function of a program, or of a model that it made.
struct RecordedCall {
  std::string text;
  std::string function;   // or the variable of the model
  NamedValues arguments;  // by the names of the parameters
  // What parameter(name, …) gives.
  NamedValues parameters, constants;
  // The variables of all models, and the parameters and buffers of these, by their names in state_dict: of one of
  // several models after its variable, "encoder.gru.weight_ih_l0".
  std::vector<std::string> models{};
  NamedValues weights{}, buffers{};
  // Of a whole model: the ids (B, T) that its logits (B, T, V) are compared with, and the id that is left out.
  std::optional<Tensor> target{};
  int ignored = 0;
};

// A prelude that defines the lab's names, the text as it is, and the call, where parameters have these values and
// modules do not train. It prints result, loss and gradients as `lab run` does. Without a target the loss is the sum of
// the result. Throws Error(program) for a program that a script must not contain: script_rules.h has the rule.
std::string pytorch_script(const RecordedCall& call);

}  // namespace unroll::program
