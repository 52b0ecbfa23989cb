// A program as a script that runs under PyTorch and prints the same numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/program/syntax.h"

namespace unroll::program {

using NamedValues = std::vector<std::pair<std::string, Value>>;

// A prelude that maps the names, the text as it is, and a call of `function` with these arguments, where
// parameter(name, …) has these values. It prints result, loss and gradients as `lab run` does.
std::string pytorch_script(const std::string& text, const std::string& function, const NamedValues& arguments,
                           const NamedValues& parameters);

}  // namespace unroll::program
