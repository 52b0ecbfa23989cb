// Operators between the numbers of Python, with the same bits everywhere: the standard library's pow is not.
#pragma once

#include <string>

#include "engine/program/syntax.h"

namespace unroll::program {

// left operation right, of bool, int and float. Throws Error(program) for a division by 0 and a whole number beyond
// 2⁶³.
Value combine_numbers(Operator operation, const Value& left, const Value& right, const Place& place);
// Exact for all numbers.
bool compare_numbers(Relation relation, const Value& left, const Value& right);

// As Python writes it: 2.0, 1e-05, 0.1, inf.
std::string python_text(double number);

}  // namespace unroll::program
