// A learner's own text, for a language model.
#pragma once

#include "engine/train/tasks/task.h"

namespace unroll {

inline constexpr int most_bytes = 1 << 20;  // of a text

// A task from a text, as words (between blanks) or as characters: cut into windows, one behind the other, of a
// twentieth of its tokens, but 8 at least and 64 at most. What is left over behind the last window is not used. Of more
// than 5,000 different tokens the rarest are read as <unk>. Throws Error(input) for fewer than 100 tokens, more than
// most_bytes, or one token only.
std::unique_ptr<Task> parse_text(std::string_view text, bool words);

}  // namespace unroll
