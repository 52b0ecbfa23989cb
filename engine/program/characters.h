// The letters that names may have, and what is said about characters that have no meaning in a program.
#pragma once

#include <string>
#include <string_view>

#include "engine/program/place.h"

namespace unroll::program {

// Latin or Greek, or _.
bool is_letter(char32_t c);

// The name with one form of each Greek letter, as in Python: ϕ and φ are the same name.
std::string normalised(std::string name);

// Throws Error(program): `text` is the character.
[[noreturn]] void refuse_character(const Place& place, char32_t c, std::string_view text);

}  // namespace unroll::program
