// Errors in the text of a program, at a place: a column is a character, not a byte.
#pragma once

#include "engine/tensor/error.h"

namespace unroll::program {

using unroll::Place;

// Throws Error(program).
[[noreturn]] void fail_at(const Place& place, const char* id, const auto&... arguments) {
  fail(ErrorCode::program, place, id, arguments...);
}

}  // namespace unroll::program
