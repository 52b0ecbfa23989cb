// A program as a script that runs under PyTorch and prints the same numbers.
#pragma once

#include <optional>
#include <set>
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

// Python knows more names than this language does, such as open and eval. An exported program must use none of them,
// not even in a line that never runs here. Throws Error(program) for a name that is not bound where it is used, unless
// it is part of the language or one of these constants; for an attribute that the language lacks; and for a name that
// Python would look up elsewhere before it is bound.
void refuse_unknown_names(const Program& program, const std::set<std::string>& constants);

}  // namespace unroll::program
