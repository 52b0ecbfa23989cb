// A place in the text of a program, and errors that name one.
#pragma once

#include "engine/tensor/error.h"

namespace unroll::program {

// Both from 1; a column is a character, not a byte.
struct Place {
  int line = 1, column = 1;
};

// Throws Error(program): "line 3, column 12: …".
[[noreturn]] void fail_at(const Place& place, const auto&... parts) {
  fail(ErrorCode::program, "line ", LineNumber{place.line}, ", column ", place.column, ": ", parts...);
}

}  // namespace unroll::program
