// One walk over the tree, for all who look for something in it. A new kind of node does not compile before walk.cpp
// says what is in it.
#pragma once

#include <functional>

#include "engine/program/syntax.h"

namespace unroll::program {

using OnExpression = std::function<void(const Expression&)>;
using OnBlock = std::function<void(const Block&)>;

// What is directly in it and evaluated with it, in the order of the text. The body of a lambda is not: it runs later.
void for_each_child(const Expression& expression, const OnExpression& on_expression);

// Likewise: targets, decorators, defaults and bases are in a statement; the body of a def or a class, which has a scope
// of its own, is not.
void for_each_child(const Statement& statement, const OnExpression& on_expression, const OnBlock& on_block);

// Every expression and every statement in the block, at any depth, also in functions, lambdas and classes; what is
// around comes before what is in it. Either may be empty.
void for_each_within(const Block& block, const OnExpression& on_expression,
                     const std::function<void(const Statement&)>& on_statement = {});

}  // namespace unroll::program
