// What PyTorch, NumPy and math have that this language has not, and what to write here.
#pragma once

#include <string_view>

namespace unroll::program {

// A sentence without its end, such as "write x @ y"; "" for a name that is not in the table.
std::string_view instead_of(std::string_view name);

}  // namespace unroll::program
