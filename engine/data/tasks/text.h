// Parses a user-supplied text for language modelling.
#pragma once

#include "engine/data/tasks/task.h"

namespace unroll {

inline constexpr int max_bytes = 1 << 20;  // maximum size of a text

// A task from a text as words (separated by whitespace) or characters, cut into consecutive windows of a twentieth of
// its tokens, clamped to 8 … 64. The remainder after the last window is dropped. Only the 5,000 most frequent tokens
// are kept; others become <unk>. Throws Error(input) for fewer than 100 tokens, more than max_bytes, or a single
// distinct token.
std::unique_ptr<Task> parse_text(std::string_view text, bool words);

}  // namespace unroll
