// Texts of programs with every construct of the language, for the fuzzers.
#pragma once

#include <string>

#include "engine/kernels/random.h"

namespace unroll {

// A program of one to twelve statements at the left margin, whose last is a function of two parameters. Nearly all are
// valid, and few of them run to their end. Before them stand the variables that they use, if `is_run`.
std::string random_syntax(Random& random, bool is_run);

// The text with a few of its characters replaced, dropped or repeated, or with words of the language between them.
std::string with_damage(std::string text, Random& random);

}  // namespace unroll
