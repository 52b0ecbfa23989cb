// Which names a statement binds: the variables of the function, class or file it is in.
#pragma once

#include <functional>

#include "engine/program/syntax.h"

namespace unroll::program {

using OnBound = std::function<void(Symbol, const Place&)>;

// The names that the block binds in its own scope, in the order of the text; one may come several times. Names within
// a def, a class, a lambda or the targets of a comprehension belong to another scope; a walrus in a comprehension does
// not. `global x` is not looked at: what is bound after it comes, too.
void for_each_bound(const Block& block, const OnBound& on_bound);

// The names that this target binds.
void for_each_bound(const Expression& target, const OnBound& on_bound);

}  // namespace unroll::program
