// What a rule of the grammar gives: a piece of English, the same in French, and which word comes from which.
#pragma once

#include <string_view>
#include <vector>

namespace unroll::translation {

enum class Gender { masculine, feminine };

// Words of the two sides that share a mark translate each other; 0 is no mark. A second mark serves words that stand
// for two, such as "du" (of the).
struct Word {
  std::string_view text;
  int mark = 0, second = 0;
};
using Words = std::vector<Word>;

struct Phrase {
  Words english, french;
};

inline void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

inline void append(Phrase& phrase, const Phrase& more) {
  append(phrase.english, more.english);
  append(phrase.french, more.french);
}

// The words that a text holds between blanks, all of the same marks; none for an empty text.
void append(Words& words, std::string_view text, int mark, int second = 0);

// "a" before a vowel is "an".
void settle_english(Words& words);

// Elision (le → l', que → qu' …), the forms before a vowel (ce → cet, ma → mon …) and contraction (de le → du …).
void settle_french(Words& words);

// Whether a French word begins with a vowel or a silent h; no word of the lexicon has an aspirated one.
bool begins_with_vowel(std::string_view word);

}  // namespace unroll::translation
