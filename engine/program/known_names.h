// Names that an exported program may use.
#pragma once

#include <set>
#include <string>

#include "engine/program/syntax.h"

namespace unroll::program {

// Python knows more names than this language does, such as open and eval. An exported program must use none of them,
// not even in a line that never runs here. Throws Error(program) for a name that is not bound where it is used, unless
// it is part of the language or one of these constants; for an attribute that the language lacks; and for a name that
// Python would look up elsewhere before it is bound.
void refuse_unknown_names(const Program& program, const std::set<std::string>& constants);

}  // namespace unroll::program
