// Parses what users bring to learn from: pairs, one per line, or a text for language modelling.
#pragma once

#include "engine/data/tasks/task.h"

namespace unroll {

inline constexpr int max_lines = 20'000;
inline constexpr int max_bytes = 1 << 20;  // maximum size of a text

// How pairs are split into tokens. `unsaid`, of settings saved before they could say it, is words if any side contains
// a space, characters otherwise, and keeps the split by hash with which models were trained; the others split evenly.
enum class PairTokens { unsaid, words, characters };

// A task from lines "source<tab>target". Empty lines are skipped; of pairs with equal sources, the first is kept.
// Throws Error(input), naming the line, for no tab or more than one, an empty side, a side of more than max_text_tokens
// tokens, the word <pad>, <bos> or <eos>, or more than max_lines lines; also for fewer than two pairs, or a side with a
// single distinct token in all pairs.
std::unique_ptr<Task> parse_pairs(std::string_view text, PairTokens read_as = PairTokens::unsaid);

// A task from a text as words (separated by whitespace) or characters, cut into consecutive windows of a twentieth of
// its tokens, clamped to 8 … 64. The remainder after the last window is dropped. Only the 5,000 most frequent tokens
// are kept; others become <unk>. Throws Error(input) for fewer than 100 tokens, more than max_bytes, or a single
// distinct token.
std::unique_ptr<Task> parse_text(std::string_view text, bool words);

}  // namespace unroll
