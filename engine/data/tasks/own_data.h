// Parses user-supplied pairs, one per line.
#pragma once

#include "engine/data/tasks/task.h"

namespace unroll {

inline constexpr int max_lines = 20'000;

// A task from lines "source<tab>target". Tokens are words if any side contains a space, characters otherwise. Empty
// lines are skipped; of pairs with equal sources, the first is kept. Throws Error(input), naming the line, for no tab
// or more than one, an empty side, a side of more than max_text_tokens tokens, or more than max_lines lines; also for
// fewer than two pairs, or a side with a single distinct token in all pairs.
std::unique_ptr<Task> parse_pairs(std::string_view text);

}  // namespace unroll
