// Splits the text of a program into tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/program/place.h"

namespace unroll::program {

enum class TokenKind { name, keyword, number, text, symbol, newline, indent, dedent, end };

struct Token {
  TokenKind kind;
  Place place;
  // Of a number, its digits without underscores. Of a text, what is written between its quotes: literals.h reads
  // escapes.
  std::string text;
  Place content = {};       // where what is between the quotes begins
  std::string prefix = {};  // of rf"…": "rf", in lower case
};

// The tokens of a program. A newline ends a statement; indent and dedent enclose a block. Throws Error(program) for a
// character that has no meaning, an open text and indentation that does not fit.
std::vector<Token> tokens_of(std::string_view text);

// The tokens of an expression within a formatted text, which begins at `start`.
std::vector<Token> tokens_within(std::string_view text, Place start);

}  // namespace unroll::program
