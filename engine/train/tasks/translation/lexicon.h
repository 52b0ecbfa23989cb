// The words of English → French, as tables.
#pragma once

#include <span>
#include <string_view>

#include "engine/train/tasks/translation/phrase.h"

namespace unroll::translation {

// What a noun names, as bits: verbs and adjectives say which kinds they go with.
enum Kind : unsigned {
  person = 1,
  animal = 2,
  thing = 4,
  food = 8,
  text = 16,
  path = 32,
  place = 64,
  container = 128,
  treaty = 256,
  adult = 512,
  unowned = 1024,  // "my woman" would be my wife in French
  living = person | animal,
};

struct Noun {
  const char *english, *english_plural;  // no plural: the noun is used in the singular only
  const char *french, *french_plural;
  Gender gender;
  unsigned kinds;
};

struct Adjective {
  const char* english;
  const char *masculine, *feminine, *masculine_plural, *feminine_plural;
  const char* before_vowel;  // the masculine singular before a vowel
  bool before_noun;
  unsigned kinds;  // of the nouns it goes with
};

const char* agreeing(const Adjective& adjective, Gender gender, bool plural);

// Without a past the verb is used in the present only; without a feminine participle never with "her" in the past.
struct Verb {
  const char *base, *third, *past, *particle;
  const char *first_singular, *third_singular, *third_plural, *participle, *participle_feminine;
  const char* complement;  // what stands before the French object: "besoin de"
  bool reflexive;
  unsigned subjects, objects;
};

struct Profession {
  const char *english, *english_plural, *masculine, *feminine, *plural;
};

struct Determiner {
  const char *english, *masculine, *feminine;  // for a plural both French forms are the same
  bool plural, definite;
  bool possessive;
  int percent;  // how readily it is taken
};

// Which form of the verb a subject takes: je, il, ils.
enum class Agreement { first, third, plural };

struct Pronoun {
  const char *english, *french;
  Gender gender;
  Agreement agreement;
};

struct ObjectPronoun {
  const char *english, *french;
  bool feminine, first_person;
  bool in_past;  // in the past a participle agrees with the pronoun; the plural ones are left out there
};

struct Place {
  const char *english, *french;
};

// A clue that decides what "it" is: the first noun or the second.
struct Clue {
  const char *english, *masculine, *feminine;
  bool first;
};

// Words that training never sees together.
struct HeldOut {
  const char *word, *noun;
};

extern const std::span<const Noun> nouns;
extern const std::span<const Adjective> adjectives;
extern const std::span<const Verb> verbs;
extern const Verb cross, fit, hit, go, think, know;  // of rules of their own
extern const std::span<const Profession> professions;
extern const std::span<const Determiner> determiners;
extern const std::span<const Pronoun> pronouns;
extern const std::span<const ObjectPronoun> object_pronouns;
extern const std::span<const Place> places;
extern const std::span<const Clue> crossing_clues, fitting_clues;
extern const std::span<const HeldOut> held_out_pairs;

}  // namespace unroll::translation
