// The grammar of English → French: each rule is a method that gives a piece of both languages, aligned.
#pragma once

#include "engine/tensor/random.h"
#include "engine/train/tasks/task.h"
#include "engine/train/tasks/translation/lexicon.h"
#include "engine/train/tasks/translation/phrase.h"

namespace unroll::translation {

// A noun phrase, a pronoun or a relative pronoun. Without words it is the gap of "the cat that the man sees".
struct Nominal : Phrase {
  const Noun* noun = nullptr;             // none for a pronoun
  const ObjectPronoun* clitic = nullptr;  // a pronoun that stands before the French verb
  Gender gender = Gender::masculine;
  Agreement agreement = Agreement::third;
  unsigned kinds = person;
};

// How a verb is used.
struct Manner {
  bool past = false, negated = false;
  const char *adverb = "", *french_adverb = "";
};

// One sentence; make a new one for each. No call draws two random numbers in its arguments: compilers
// differ in which comes first.
// `room` is how many English words a rule may still use; it may use a few more.
class Grammar {
 public:
  explicit Grammar(Random& random) : random_(random) {}

  Phrase sentence(int room);
  bool held_out() const { return held_out_; }

  // The rules that choose nothing, from the smallest on.
  Nominal pronoun(const Pronoun& pronoun);
  Nominal object_pronoun(const ObjectPronoun& pronoun);
  Nominal noun_phrase(const Determiner& determiner, const Adjective* adjective, const Noun& noun, bool negated = false);
  void add_union(Nominal& nominal);  // … on the European Economic Area
  Phrase clause(const Nominal& subject, const Verb& verb, const Nominal& object, Manner manner);
  Phrase copula(const Nominal& subject, bool negated, bool past = false);  // … is (not)
  Phrase profession(const Nominal& subject, const Profession& profession, bool negated);
  // "the animal didn't cross the street because it was too tired": who, what, and the clue that says what "it" is.
  Phrase crossing(const Nominal& mover, const Nominal& path, const Clue& clue, bool past);
  Phrase fitting(const Nominal& thing, const Nominal& container, const Clue& clue);
  Phrase hit_with_a_pie(const Nominal& subject, const Nominal& object);
  Phrase signed_in(const Nominal& subject, const char* month, const char* french_month, const char* year);

 private:
  bool chance(int percent) { return random_.below(100) < percent; }
  template <typename Entry>
  const Entry& any(std::span<const Entry> entries) {
    return entries[static_cast<std::size_t>(random_.below(static_cast<int>(entries.size())))];
  }
  int mark() { return ++marks_; }
  void add(Phrase& phrase, std::string_view english, std::string_view french);  // words of one new mark
  void note(std::string_view word, const Noun* noun);                           // remembers a held-out combination

  const Noun& noun_of(unsigned kinds);
  const Adjective* adjective_for(unsigned kinds);
  const Determiner& determiner_for(const Noun& noun, bool definite);
  Nominal nominal(unsigned kinds, int room, bool negated = false);
  Nominal definite(unsigned kinds);  // the, this or my; singular, without a relative clause
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
  bool thing_named_ = false, plural_named_ = false;  // then "it" and "they" would have to agree with it
};

// The sentences that the field has made classic, built by the same rules.
std::vector<Pair> classic_pairs();

// A sentence of about `length` English words.
Pair sentence_pair(Random& random, int length);

}  // namespace unroll::translation
