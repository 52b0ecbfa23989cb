// The packages that a program can import, and what is in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/program/value.h"

namespace unroll::program {

class Interpreter;
struct Program;

// The package of that name: "torch", "torch.nn.functional", "math"; nothing if there is none.
std::optional<Value> find_package(std::string_view name);

// package.name: an operation, a word, a smaller package, or a class or function of the library's own files, which is
// loaded here. Nothing if the package has none of that name.
std::optional<Value> find_member(Interpreter& interpreter, const Package& package, const std::string& name);

// All names of a package that are known, for `from package import *` and for what may have been meant.
std::vector<std::string> names_in(const Package& package);

// A word, whose text is kept.
Value word_of(Word::Kind kind, const std::string& text, Type type = Type::real);

// The text of a file of the library: "nn/linear.py"; nullptr if there is none. (Made of engine/program/library.)
const char* library_text(std::string_view file);
// Its name, for call sites: they outlive the interpreter that made them.
const char* library_name(std::string_view file);
// Where no texts are compiled in, the page adds them before the first program.
void add_to_library(const std::string& file, const std::string& text);
// The file, parsed. Each is parsed once and kept: an editor runs a program at each key press.
const Program* library_program(const std::string& file);

}  // namespace unroll::program
