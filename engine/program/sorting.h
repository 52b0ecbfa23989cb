// Sorting values in the order of <.
#pragma once

#include "engine/program/interpreter.h"

namespace unroll::program {

// In place, by key(value) if there is a key. Equal values keep their order.
void sort_values(Interpreter& interpreter, std::vector<Value>& values, const Value& key, bool is_reversed,
                 const Place& place);

}  // namespace unroll::program
