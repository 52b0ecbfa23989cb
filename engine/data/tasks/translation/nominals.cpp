// Noun phrases: determiner, adjectives, noun, relative clause; and pronouns.
#include "engine/data/tasks/translation/grammar.h"

namespace unroll::translation {
namespace {

constexpr unsigned named_by_it = animal | thing | food | text | path | place | treaty;

}  // namespace

void Grammar::add(Phrase& phrase, std::string_view english, std::string_view french) {
  const int shared = mark();
  append(phrase.english, english, shared);
  append(phrase.french, french, shared);
}

void Grammar::note(std::string_view word, const Noun* noun) {
  for (const HeldOut& pair : held_out_pairs)
    if (noun && word == pair.word && std::string_view(noun->english) == pair.noun) held_out_ = true;
}

Nominal Grammar::pronoun(const Pronoun& pronoun) {
  Nominal nominal;
  add(nominal, pronoun.english, pronoun.french);
  nominal.gender = pronoun.gender;
  nominal.agreement = pronoun.agreement;
  return nominal;
}

Nominal Grammar::object_pronoun(const ObjectPronoun& pronoun) {
  Nominal nominal;
  add(nominal, pronoun.english, pronoun.french);
  nominal.clitic = &pronoun;
  return nominal;
}

// Some adjectives precede the French noun, the others follow it. After a negation, "a" becomes "de": pas de chat.
Nominal Grammar::noun_phrase(const Determiner& determiner, const Adjective* adjective, const Noun& noun, bool negated) {
  Nominal nominal;
  nominal.noun = &noun;
  nominal.gender = noun.gender;
  nominal.kinds = noun.kinds;
  if (determiner.plural) nominal.agreement = Agreement::plural;
  const bool feminine = noun.gender == Gender::feminine;
  const bool partitive = negated && std::string_view(determiner.english) == "a";
  add(nominal, determiner.english, partitive ? "de" : feminine ? determiner.feminine : determiner.masculine);
  const int noun_mark = mark(), adjective_mark = mark();
  const char* french = determiner.plural ? noun.french_plural : noun.french;
  if (adjective) {
    append(nominal.english, adjective->english, adjective_mark);
    note(adjective->english, &noun);
  }
  append(nominal.english, determiner.plural ? noun.english_plural : noun.english, noun_mark);
  const char* form = adjective ? agreeing(*adjective, noun.gender, determiner.plural) : "";
  if (adjective && adjective->before_vowel && !feminine && !determiner.plural && begins_with_vowel(french))
    form = adjective->before_vowel;
  if (adjective && adjective->before_noun) append(nominal.french, form, adjective_mark);
  append(nominal.french, french, noun_mark);
  if (adjective && !adjective->before_noun) append(nominal.french, form, adjective_mark);
  if (noun.kinds & named_by_it) thing_named_ = true;
  if (determiner.plural) plural_named_ = true;
  return nominal;
}

void Grammar::add_union(Nominal& nominal) {
  add(nominal, "on", "sur");
  add(nominal, "the", "la");
  const int european = mark(), economic = mark(), area = mark();
  append(nominal, {{{"European", european}, {"Economic", economic}, {"Area", area}},
                   {{"zone", area}, {"économique", economic}, {"européenne", european}}});
}

const Noun& Grammar::noun_of(unsigned kinds) {
  const Noun* noun = &any(nouns);
  while (!(noun->kinds & kinds)) noun = &any(nouns);
  return *noun;
}

// Null in 55 % of cases, and if the adjective drawn does not combine with the noun.
const Adjective* Grammar::adjective_for(unsigned kinds) {
  if (!chance(45)) return nullptr;
  const Adjective& adjective = any(adjectives);
  return adjective.kinds & kinds ? &adjective : nullptr;
}

const Determiner& Grammar::determiner_for(const Noun& noun, bool definite) {
  for (;;) {
    const Determiner& determiner = any(determiners);
    if (determiner.plural && (definite || !noun.english_plural)) continue;
    if ((definite && !determiner.definite) || (determiner.possessive && noun.kinds & no_possessive)) continue;
    if (chance(determiner.percent)) return determiner;
  }
}

Nominal Grammar::definite(unsigned kinds) {
  const Noun& noun = noun_of(kinds);
  const Determiner& determiner = determiner_for(noun, true);
  return noun_phrase(determiner, adjective_for(noun.kinds), noun);
}

// No relative clause in "I do not see a cat that …": it would need the subjunctive.
Nominal Grammar::nominal(unsigned kinds, int room, bool negated) {
  const Noun& noun = noun_of(kinds);
  const Determiner& determiner = determiner_for(noun, false);
  Nominal nominal = noun_phrase(determiner, adjective_for(noun.kinds), noun, negated);
  if (noun.kinds & treaty && chance(60)) add_union(nominal);
  const int space = room - static_cast<int>(nominal.english.size());
  const bool partitive = negated && std::string_view(determiner.english) == "a";
  if (!partitive && !(noun.kinds & treaty) && space >= 3 && chance(space > 6 ? 80 : 30)) add_relative(nominal, space);
  return nominal;
}

// "who sees the dog", "that the man sees". Only living heads take the first form: verbs need living subjects.
void Grammar::add_relative(Nominal& head, int room) {
  const bool lives = head.kinds & living;
  const char* english = head.kinds & person ? "who" : "that";
  Nominal relative;
  relative.kinds = head.kinds;
  relative.agreement = head.agreement;
  if (lives && (room > 6 || chance(60))) {
    add(relative, english, "qui");
    const Verb& verb = verb_for(head.kinds, ~0u);
    const Manner manner = manner_for(verb);
    append(head, clause(relative, verb, object(verb, relative, manner, room - 2), manner));
    return;
  }
  add(head, "that", "que");
  const Nominal subject = this->subject(2);
  const Verb* verb = &verb_for(subject.kinds, head.kinds);
  while (*verb->complement) verb = &verb_for(subject.kinds, head.kinds);
  note(verb->base, head.noun);
  append(head, clause(subject, *verb, {}, {.negated = chance(15)}));
}

Nominal Grammar::subject(int room) {
  if (chance(35)) {
    const Pronoun& chosen = any(pronouns);
    if (chosen.agreement != Agreement::plural || !plural_named_) return pronoun(chosen);
  }
  return nominal(person | animal, room);
}

Nominal Grammar::object(const Verb& verb, const Nominal& subject, const Manner& manner, int room) {
  const ObjectPronoun* pronoun = chance(room < 6 ? 45 : 10) ? object_pronoun_for(verb, subject, manner) : nullptr;
  if (pronoun) return object_pronoun(*pronoun);
  const bool direct = !*verb.complement;
  unsigned kinds = verb.objects;
  if (room > 8 && kinds & (person | animal)) kinds &= person | animal;  // these take longer relative clauses
  const Nominal object = nominal(kinds, room, manner.negated && direct);
  note(verb.base, object.noun);
  return object;
}

// Null if the pronoun drawn does not fit: "I see me", "she eats him", "it" when a thing has already been named.
const ObjectPronoun* Grammar::object_pronoun_for(const Verb& verb, const Nominal& subject, const Manner& manner) {
  const ObjectPronoun& pronoun = any(object_pronouns);
  const bool it = std::string_view(pronoun.english) == "it", them = std::string_view(pronoun.english) == "them";
  if (*verb.complement || (manner.past && !pronoun.in_past)) return nullptr;
  if (pronoun.first_person && subject.agreement == Agreement::first) return nullptr;
  if (it) return thing_named_ || !(verb.objects & named_by_it) ? nullptr : &pronoun;
  if (them) return plural_named_ ? nullptr : &pronoun;
  return verb.objects & person ? &pronoun : nullptr;
}

}  // namespace unroll::translation
