// Grammar of English and French: each rule is a method that returns an aligned phrase in both languages.
#pragma once

#include <string_view>
#include <vector>

#include "engine/data/tasks/task.h"
#include "engine/data/tasks/translation/lexicon.h"
#include "engine/kernels/random.h"

namespace unroll::translation {

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

// A noun phrase, a pronoun or a relative pronoun. Without words, the gap in "the cat that the man sees".
struct Nominal : Phrase {
  const Noun* noun = nullptr;             // null for a pronoun
  const ObjectPronoun* clitic = nullptr;  // an object pronoun, placed before the French verb
  Gender gender = Gender::masculine;
  Agreement agreement = Agreement::third;
  unsigned kinds = person;
};

// Tense, negation and adverb of a clause.
struct Manner {
  bool past = false, negated = false;
  const char *adverb = "", *french_adverb = "";
};

// Builds one sentence; use a new instance for each. At most one argument of a call draws random numbers, as evaluation
// order is unspecified. `room` is the number of English words a rule may still use, and may exceed slightly.
class Grammar {
 public:
  explicit Grammar(Random& random) : random_(random) {}

  Phrase sentence(int room);
  bool held_out() const { return held_out_; }

  // Rules that draw nothing, smallest first.
  Nominal pronoun(const Pronoun& pronoun);
  Nominal object_pronoun(const ObjectPronoun& pronoun);
  Nominal noun_phrase(const Determiner& determiner, const Adjective* adjective, const Noun& noun, bool negated = false);
  void add_union(Nominal& nominal);  // … on the European Economic Area
  Phrase clause(const Nominal& subject, const Verb& verb, const Nominal& object, Manner manner);
  Phrase copula(const Nominal& subject, bool negated, bool past = false);  // … is (not)
  Phrase profession(const Nominal& subject, const Profession& profession, bool negated);
  // "the animal didn't cross the street because it was too tired": the clue determines the antecedent of "it".
  Phrase crossing(const Nominal& mover, const Nominal& path, const Clue& clue, bool past);
  Phrase fitting(const Nominal& thing, const Nominal& container, const Clue& clue);
  Phrase hit_with_a_pie(const Nominal& subject, const Nominal& object);
  Phrase signed_in(const Nominal& subject, const char* month, const char* french_month, const char* year);

 private:
  bool chance(int percent) { return random_.below(100) < percent; }
  template <typename Entry, std::size_t count>
  const Entry& any(const Entry (&entries)[count]) {
    return entries[static_cast<std::size_t>(random_.below(static_cast<int>(count)))];
  }
  int mark() { return ++marks_; }
  void add(Phrase& phrase, std::string_view english, std::string_view french);  // appends words under a new shared mark
  void note(std::string_view word, const Noun* noun);  // sets held_out_ for a held-out combination

  const Noun& noun_of(unsigned kinds);
  const Adjective* adjective_for(unsigned kinds);
  const Determiner& determiner_for(const Noun& noun, bool definite);
  Nominal nominal(unsigned kinds, int room, bool negated = false);
  Nominal definite(unsigned kinds);  // the, this or a possessive; singular, without a relative clause
  void add_relative(Nominal& head, int room);
  Nominal subject(int room);
  Nominal object(const Verb& verb, const Nominal& subject, const Manner& manner, int room);
  const ObjectPronoun* object_pronoun_for(const Verb& verb, const Nominal& subject, const Manner& manner);
  const Verb& verb_for(unsigned subjects, unsigned objects);
  Manner manner_for(const Verb& verb);

  Phrase simple_sentence(int room);
  Phrase transitive(int room);
  Phrase description(int room);
  Phrase somebody_is_something();
  Phrase somebody_is_somewhere(int room);
  Phrase somebody_goes_somewhere(int room);
  Phrase there_is(int room);
  Phrase reported(int room);
  Phrase because(Phrase clause, const Nominal& it, const Clue& clue, bool past);
  void add_place(Phrase& phrase);
  void add_time(Phrase& phrase);

  Random& random_;
  int marks_ = 0;
  bool held_out_ = false;
  bool thing_named_ = false, plural_named_ = false;  // then "it" and "they" are avoided: they would have to agree
};

// Classic example sentences from the literature, built by the same rules.
std::vector<Pair> classic_pairs();

// A sentence of about `length` English words.
Pair sentence_pair(Random& random, int length);

}  // namespace unroll::translation
