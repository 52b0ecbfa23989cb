// A learner's own pairs, one a line.
#pragma once

#include "engine/train/tasks/task.h"

namespace unroll {

inline constexpr int most_lines = 20'000;

// A task from lines "source<tab>target". Words where any side has a blank in it, characters otherwise; empty lines are
// passed over, and of equal sources the first counts. Throws Error(input) naming the line: no tab or more than one, an
// empty side, a side of more than longest_text tokens; or fewer than two pairs, more than most_lines lines, one token
// only.
std::unique_ptr<Task> parse_pairs(std::string_view text);

}  // namespace unroll
