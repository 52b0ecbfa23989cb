// The values of numbers and texts, as they are written in a program.
#pragma once

#include "engine/program/lexer.h"
#include "engine/program/syntax.h"

namespace unroll::program {

// A Constant; or Unsupported, of a complex number and of a whole one beyond 2^63.
Expression number_literal(const Token& token);

// The place after this text, which begins at `start`.
Place place_after(std::string_view text, Place start);

// A text whose escapes are read, such as \n. It cannot be had if `unsupported` is set.
struct Unescaped {
  std::string text;
  std::optional<Unsupported> unsupported{};

  // Appends what `written`, which begins at `start`, stands for. Throws Error(program) for an escape without its
  // digits.
  void add(std::string_view written, const Place& start);

 private:
  // Appends the escape whose backslash is before `at`, and moves past it.
  void add_escape(std::string_view written, std::size_t& at, const Place& start);
};

}  // namespace unroll::program
