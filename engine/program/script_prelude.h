// What stands before a program in its script: the lab's names, and guards of Python's.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "engine/program/script_names.h"

namespace unroll::program {

// Whether a script can define this name of the lab: softmax, which PyTorch has in a package.
bool defines_in_script(std::string_view name);

// The start of a script. A program that imports nothing has all of the lab's names; others have those that they use.
std::string prelude_for(const ScriptNeeds& needs);

// The function that stands for name.__dict__.
inline constexpr char dictionary_function[] = "_attributes_of";

// All names that begin with an underscore in a text of a script: its own.
std::set<std::string> private_names_in(std::string_view text);
// Those of all parts of a prelude.
const std::set<std::string>& private_names_of_prelude();

}  // namespace unroll::program
