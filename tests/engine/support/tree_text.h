// The tree of a program as a short text, for tests of the parser.
#pragma once

#include <string>

#include "engine/program/syntax.h"

namespace unroll {

// Each statement of the block, with "; " between them. An operation comes before its operands, in parentheses:
// "(= x (+ a 1))". A scope gives its locals: "(def f(a) {a x} (= x 1) (return x))".
std::string tree_text(const program::Program& program);

// Of a text, which is parsed.
std::string tree_of(const std::string& text);

}  // namespace unroll
