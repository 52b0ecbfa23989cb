// What may have been meant by a name that this language lacks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/tensor/error.h"

namespace unroll::program {

// The name that differs least, if by at most a third of its letters; else "".
std::string nearest_of(const std::string& name, const std::vector<std::string>& names);

// What to write instead of a name of PyTorch or Python that is not here: the id of a phrase; nullptr for a name that is
// not in the table.
const char* instead_of(std::string_view name);

// Which import binds a name: "write from torch.nn import Linear at the top". Nothing if no package has it.
std::optional<Message> import_of(const std::string& name);

}  // namespace unroll::program
