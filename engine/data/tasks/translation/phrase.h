// What a grammar rule returns: a phrase in English and in French, and its word alignment.
#pragma once

#include <string_view>
#include <vector>

namespace unroll::translation {

enum class Gender { masculine, feminine };

// English and French words that share a mark are aligned; 0 is no mark. The second mark is for words that translate
// two, such as "du" (of the).
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

// Appends the words of a text, separated by single spaces, all with the same marks; none for an empty text.
void append(Words& words, std::string_view text, int mark, int second = 0);

// "a" becomes "an" before a vowel.
void adjust_articles(Words& words);

// Elision (le → l', que → qu' …), forms before a vowel (ce → cet, ma → mon …) and contraction (de le → du …).
void elide_and_contract(Words& words);

// Whether a French word begins with a vowel or a silent h; the lexicon has no aspirated h.
bool begins_with_vowel(std::string_view word);

}  // namespace unroll::translation
