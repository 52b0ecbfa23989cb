// English–French lexicon, as tables.
#pragma once

#include <span>

namespace unroll::translation {

enum class Gender { masculine, feminine };

// Kinds of nouns, as bits: verbs and adjectives list the kinds they combine with.
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
  no_possessive = 1024,  // takes no possessive: "my woman" would be "my wife" in French
  living = person | animal,
};

struct Noun {
  const char *english, *english_plural;  // null plural: singular only
  const char *french, *french_plural;
  Gender gender;
  unsigned kinds;
};

struct Adjective {
  const char* english;
  const char *masculine, *feminine, *masculine_plural, *feminine_plural;
  const char* before_vowel;  // masculine singular before a vowel; null if the same
  bool before_noun;
  unsigned kinds;  // of nouns it combines with
};

const char* agreeing(const Adjective& adjective, Gender gender, bool plural);

// Null past: the verb is used in the present only. Null feminine participle: never with "her" in the past.
struct Verb {
  const char *base, *third, *past, *particle;
  const char *first_singular, *third_singular, *third_plural, *participle, *participle_feminine;
  const char* complement;  // precedes the French object: "besoin de"
  bool reflexive;
  unsigned subjects, objects;
};

struct Profession {
  const char *english, *english_plural, *masculine, *feminine, *plural;
};

struct Determiner {
  const char *english, *masculine, *feminine;  // plural: both French forms are the same
  bool plural, definite;
  bool possessive;
  int percent;  // probability of keeping it once drawn
};

// Person and number of the verb: je, il, ils.
enum class Agreement { first, third, plural };

struct Pronoun {
  const char *english, *french;
  Gender gender;
  Agreement agreement;
};

struct ObjectPronoun {
  const char *english, *french;
  bool feminine, first_person;
  bool in_past;  // usable in the past, where the participle agrees with it; plural pronouns are not
};

struct Place {
  const char *english, *french;
};

// An adjective that determines the antecedent of "it": the first noun or the second.
struct Clue {
  const char *english, *masculine, *feminine;
  bool first;
};

// A combination of words that is excluded from training.
struct HeldOut {
  const char *word, *noun;
};

extern const std::span<const Noun> nouns;
extern const std::span<const Adjective> adjectives;
extern const std::span<const Verb> verbs;
extern const Verb cross, fit, hit, go, think, know;  // each for a rule of its own
extern const std::span<const Profession> professions;
extern const std::span<const Determiner> determiners;
extern const std::span<const Pronoun> pronouns;
extern const std::span<const ObjectPronoun> object_pronouns;
extern const std::span<const Place> places;
extern const std::span<const Clue> crossing_clues, fitting_clues;
extern const std::span<const HeldOut> held_out_pairs;

}  // namespace unroll::translation
