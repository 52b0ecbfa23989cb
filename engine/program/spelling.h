// Names in messages: the nearest to one that is not known.
#pragma once

#include <string>
#include <vector>

namespace unroll::program {

// The name that differs least, if by at most a third of its letters; else "".
std::string nearest_of(const std::string& name, const std::vector<std::string>& names);

}  // namespace unroll::program
