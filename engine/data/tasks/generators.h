// Generators of the built-in tasks. Deterministic: every call returns the same pairs.
#pragma once

#include "engine/data/tasks/task.h"

namespace unroll {

inline constexpr std::uint64_t data_seed = 1;

// reverse, copy and sort: strings of 1 to `max_length` letters from a to j; up to 24,000 pairs.
Corpus letters_corpus(const std::string& name, int max_length);

// "12+345" → "357": all 5,050 sums for two digits, 50,000 for more (as in the Keras example for three). Only one of
// a + b and b + a occurs, so that training does not see the answer to a test sum.
Corpus addition_corpus(int digits);

// Days from 1900 to 2099 in 20 written forms → ISO 8601; 24,000 pairs.
Corpus dates_corpus();

// English → French sentences with gold word alignments (see translation/grammar.h); 24,000 pairs.
Corpus translation_corpus();

// Short stories (see stories.h); 24,000 texts, before duplicates are dropped.
Corpus stories_corpus();

// Scenes of coloured shapes, 16 cells each, and their captions: "a red circle above a blue square". The gold alignment
// links number, colour and shape tokens to the cells they describe. 24,000 pairs.
Corpus captions_corpus();

// Up to `count` pairs with distinct sources: `first`, then draws at lengths from `length`, at most 10 · count of them.
std::vector<Pair> distinct_pairs(int count, Random& random, const std::function<Pair(Random&, int length)>& draw,
                                 const std::function<int(Random&)>& length, std::vector<Pair> first = {});

}  // namespace unroll
