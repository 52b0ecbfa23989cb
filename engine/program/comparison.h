// Comparisons between values that are no tensors, by the rules of Python: ==, <, in.
#pragma once

#include "engine/program/interpreter.h"

namespace unroll::program {

// left == right, as a truth value. Throws Error(program) for tensors in lists, whose comparison has many values.
bool are_equal(Interpreter& interpreter, const Value& left, const Value& right, const Place& place);

// left < right, of numbers, texts, lists, tuples and what has __lt__. Throws Error(program) for what has no order.
bool is_less(Interpreter& interpreter, const Value& left, const Value& right, const Place& place);

// item in items.
bool contains(Interpreter& interpreter, const Value& items, const Value& item, const Place& place);

// Whether both are one object.
bool is_same(const Value& left, const Value& right, const Place& place);

}  // namespace unroll::program
