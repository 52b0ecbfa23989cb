// What a program may name when it leaves the lab.
#pragma once

#include <set>
#include <string>

#include "engine/program/syntax.h"

namespace unroll::program {

// Python looks for a name in more places than this language does, such as open and eval. A program that is exported
// must have none that is found only there, even where it does not run here. Throws Error(program) for a name that
// nothing in the program binds where it stands and that is neither of the language nor among these constants, for an
// attribute that the language does not have, and for a name that Python would look up elsewhere before it is bound.
void refuse_unknown_names(const Program& program, const std::set<std::string>& constants);

}  // namespace unroll::program
