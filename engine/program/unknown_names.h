// What may have been meant by a name that this language lacks.
#pragma once

#include <string>
#include <vector>

namespace unroll::program {

// The name that differs least, if by at most a third of its letters; else "".
std::string nearest_of(const std::string& name, const std::vector<std::string>& names);

// What to write instead of a name of PyTorch, NumPy or math: the id of a phrase such as "write x @ y"; nullptr for a
// name that is not in the table.
const char* instead_of(std::string_view name);

}  // namespace unroll::program
