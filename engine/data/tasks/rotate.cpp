// rotate: write a word from one of its letters on, round to the letter before it: "fade" → "defa". Which letter begins
// is drawn and stands nowhere in the source. So the first letter cannot be known, and each later one follows from the
// source and the letter written last: a decoder must have read that letter when it looks.
#include <algorithm>
#include <utility>

#include "engine/data/tasks/task.h"

namespace unroll {
namespace {

constexpr int rotated_letters = 10;
constexpr int rotated_words = 24'000;

// A letter occurs once, so that the one after it is certain.
Tokens distinct_letters(Random& random, int length) {
  Tokens letters;
  for (int i = 0; i < rotated_letters; ++i) letters.emplace_back(1, static_cast<char>('a' + i));
  for (int i = 0; i < length; ++i) std::swap(letters[i], letters[i + random.below(rotated_letters - i)]);
  letters.resize(length);
  return letters;
}

Pair rotate_pair(Random& random, int length) {
  Pair pair{.source = distinct_letters(random, std::min(length, rotated_letters)), .target = {}, .alignment = {}};
  const int letters = static_cast<int>(pair.source.size()), first = random.below(letters);
  for (int t = 0; t < letters; ++t) {
    const int from = (first + t) % letters;
    pair.alignment.emplace_back(from, t);
    pair.target.push_back(pair.source[from]);
  }
  return pair;
}

// All words have the same length: no target tells by its end where it began.
Corpus rotate_corpus(const Config& options) {
  const int length = options.integer("length", rotated_letters, 5, rotated_letters);
  Random random(data_seed);
  return {.pairs = distinct_pairs(rotated_words, random, rotate_pair, [length](Random&) { return length; }),
          .draw = rotate_pair};
}

}  // namespace

TaskKind rotate_task() { return {"rotate", rotate_corpus, true}; }

}  // namespace unroll
