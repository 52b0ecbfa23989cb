// recall: name the letter that was read first, after a lag of digits that say nothing about it: "c40719" → "c".
// Hochreiter and Schmidhuber (1997, section 5.2) use such a task to tell how long a network remembers.
#include "engine/data/tasks/task.h"

namespace unroll {
namespace {

constexpr int item_count = 8, filler_count = 10;
constexpr int recall_count = 20'000;
constexpr int max_lag = max_text_tokens - 1;

Tokens letter_and_digits(Random& random, int lag) {
  Tokens tokens = {Tokens::value_type(1, static_cast<char>('a' + random.below(item_count)))};
  while (std::ssize(tokens) <= lag) tokens.emplace_back(1, static_cast<char>('0' + random.below(filler_count)));
  return tokens;
}

Pair recall_pair(Random& random, int length) {
  const Tokens source = letter_and_digits(random, length - 1);
  return {.source = source, .target = {source[0]}, .alignment = {{0, 0}}};
}

// All sources have the same length, so that the lag is the same in all. (With a lag of one digit there are only 80.)
Corpus recall_corpus(const Config& options) {
  const int length = options.integer("lag", 10, 1, max_lag) + 1;
  Random random(data_seed, static_cast<std::uint64_t>(length));
  return {.pairs = distinct_pairs(recall_count, random, recall_pair, [length](Random&) { return length; }),
          .draw = recall_pair};
}

}  // namespace

TaskKind recall_task() { return {"recall", recall_corpus, true}; }

}  // namespace unroll
