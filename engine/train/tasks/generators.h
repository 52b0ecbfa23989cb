// The generators of the lab's own tasks: each gives the same pairs always.
#pragma once

#include "engine/train/tasks/task.h"

namespace unroll {

inline constexpr std::uint64_t data_seed = 1;

// reverse, copy and sort: words of the letters a to j, of 1 to `longest` letters; 24,000 pairs.
Corpus letters_corpus(const std::string& name, int longest);

// "12+345" → "357": all 5,050 sums of two digits, of more digits 50,000 (as many as Keras's example takes for three).
// Of a + b and b + a there is one, so that training does not see the answer of a test.
Corpus addition_corpus(int digits);

// 20 written forms of the days of 1900 to 2099 → ISO 8601; 24,000 pairs.
Corpus dates_corpus();

// English → French sentences with their true word alignment (see translation/grammar.h); 24,000 pairs.
Corpus translation_corpus();

// Tiny stories (see stories.h); 24,000 texts.
Corpus stories_corpus();

// Scenes of coloured shapes, 16 cells each, and what is to be said of them: "a red circle above a blue square". Its
// true alignment links numbers, colours and shapes to the cells of what they name. 24,000 pairs.
Corpus captions_corpus();

// `count` pairs of distinct sources, each drawn at a length that `length` draws.
std::vector<Pair> distinct_pairs(int count, Random& random, const std::function<Pair(Random&, int length)>& draw,
                                 const std::function<int(Random&)>& length, std::vector<Pair> first = {});

}  // namespace unroll
