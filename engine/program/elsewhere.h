// Names of PyTorch, NumPy and math that this language lacks, and what to write instead.
#pragma once

#include <string_view>

namespace unroll::program {

// Advice without a full stop, such as "write x @ y"; "" for a name that is not in the table.
const char* instead_of(std::string_view name);

}  // namespace unroll::program
