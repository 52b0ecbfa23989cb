// A learner's own data: pairs, one a line, and running text.
#pragma once

#include "engine/train/tasks/task.h"

namespace unroll {

inline constexpr int most_lines = 20'000;
inline constexpr int most_characters = 1'000'000;  // of a text, in bytes

// A task from lines "source<tab>target". Words where any side has a blank in it, characters otherwise; empty lines are
// passed over, and of equal sources the first counts. Throws Error(input) naming the line: no tab or more than one, an
// empty side, a side of more than longest_text tokens; or fewer than two pairs, more than most_lines lines, one token
// only.
std::unique_ptr<Task> parse_pairs(std::string_view text);

// A text for a language model.
struct Text {
  Vocabulary vocabulary;
  std::vector<int> ids;
  std::string_view separator;  // " " when it was read as words, "" as characters
};

// Throws Error(input) for fewer than 100 tokens, more than most_characters, more than 5,000 different tokens, or one.
Text parse_text(std::string_view text, bool words);

}  // namespace unroll
