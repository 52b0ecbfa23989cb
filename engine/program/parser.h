// Parses the text of a program.
#pragma once

#include <string_view>

#include "engine/program/syntax.h"

namespace unroll::program {

inline constexpr std::size_t max_program_bytes = 16 * 1024;

// Throws Error(program) for a text that is too long, or at the first mistake in it.
Program parse(std::string_view text);

}  // namespace unroll::program
