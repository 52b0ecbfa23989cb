// English → French sentences with gold word alignments: which clauses are drawn, and how they are combined.
#include <algorithm>
#include <array>

#include "engine/data/tasks/task.h"
#include "engine/data/tasks/translation/grammar.h"

namespace unroll {
namespace translation {
namespace {

int size_of(const Phrase& phrase) { return static_cast<int>(phrase.english.size()); }

Tokens texts(const Words& words) {
  Tokens tokens;
  tokens.reserve(words.size());
  for (const Word& word : words) tokens.emplace_back(word.text);
  return tokens;
}

bool linked(const Word& english, const Word& french) {
  return english.mark != 0 && (english.mark == french.mark || english.mark == french.second);
}

// Position of "il" in "… parce qu' il était trop fatigué"; −1 for other sentences.
int pronoun_of(const Tokens& french) {
  const std::array<std::string_view, 2> before = {"parce", "qu'"};
  const auto found = std::search(french.begin(), french.end(), before.begin(), before.end());
  return found == french.end() ? -1 : static_cast<int>(found - french.begin() + std::ssize(before));
}

Pair pair_of(Phrase phrase, bool held_out) {
  adjust_articles(phrase.english);
  elide_and_contract(phrase.french);
  Pair pair{texts(phrase.english), texts(phrase.french), {}, held_out};
  for (std::size_t t = 0; t < phrase.french.size(); ++t)
    for (std::size_t s = 0; s < phrase.english.size(); ++s)
      if (linked(phrase.english[s], phrase.french[t])) pair.alignment.emplace_back(s, t);
  pair.pronoun = pronoun_of(pair.target);
  return pair;
}

template <typename Entry, std::size_t count>
const Entry& named(const Entry (&entries)[count], std::string_view english) {
  return *std::ranges::find_if(entries, [&](const Entry& entry) { return entry.english == english; });
}

Nominal the(Grammar& grammar, std::string_view noun) {
  return grammar.noun_phrase(determiners[0], nullptr, named(nouns, noun));
}

}  // namespace

const Verb& Grammar::verb_for(unsigned subjects, unsigned objects) {
  const Verb* verb = &any(verbs);
  while (!(verb->subjects & subjects) || !(verb->objects & objects)) verb = &any(verbs);
  return *verb;
}

Manner Grammar::manner_for(const Verb& verb) {
  Manner manner{.past = verb.past && chance(30), .negated = chance(22)};
  if (chance(12)) {
    const bool often = chance(50);
    manner.adverb = often ? "often" : "always";
    manner.french_adverb = often ? "souvent" : "toujours";
  }
  return manner;
}

void Grammar::add_place(Phrase& phrase) {
  const Place& where = any(places);
  add(phrase, where.english, where.french);
  append(phrase, definite(place));
}

void Grammar::add_time(Phrase& phrase) {
  if (chance(50)) return add(phrase, "today", "aujourd'hui");
  add(phrase, "every", "tous les");
  add(phrase, "day", "jours");
}

Phrase Grammar::transitive(int room) {
  const Nominal doer = subject(room > 12 ? room / 2 : room > 8 && chance(30) ? 6 : 2);
  const Verb& verb = verb_for(doer.kinds, ~0u);
  const Manner manner = manner_for(verb);
  const Nominal done = object(verb, doer, manner, room - size_of(doer) - 1);
  Phrase phrase = clause(doer, verb, done, manner);
  const int space = room - size_of(phrase);
  if (space >= 3 && space <= 5 && chance(40)) add_place(phrase);
  if (!manner.past && space >= 1 && space <= 2 && !*manner.adverb && chance(25)) add_time(phrase);
  return phrase;
}

// The cat is (not) (very) small.
Phrase Grammar::description(int room) {
  const Nominal what = chance(25) ? subject(0) : nominal(living | thing | path | place, room - 3);
  const Adjective* adjective = &any(adjectives);
  while (!(adjective->kinds & what.kinds)) adjective = &any(adjectives);
  note(adjective->english, what.noun);
  Phrase phrase = copula(what, chance(20));
  if (chance(30)) add(phrase, "very", "très");
  add(phrase, adjective->english, agreeing(*adjective, what.gender, what.agreement == Agreement::plural));
  return phrase;
}

Phrase Grammar::somebody_is_something() {
  const Pronoun& chosen = any(pronouns);
  const bool by_pronoun = chance(50) && (chosen.agreement != Agreement::plural || !plural_named_);
  const Nominal who = by_pronoun ? pronoun(chosen) : definite(person);
  const bool negated = chance(20);
  return profession(who, any(professions), negated);
}

Phrase Grammar::somebody_is_somewhere(int room) {
  const Nominal who = nominal(living | thing, room - 4);
  Phrase phrase = copula(who, chance(20));
  add_place(phrase);
  return phrase;
}

Phrase Grammar::somebody_goes_somewhere(int room) {
  const Nominal who = subject(room - 4);
  Phrase phrase = clause(who, go, {}, manner_for(go));
  add(phrase, "to", "à");
  append(phrase, definite(place));
  return phrase;
}

// There is a cat in the garden: il y a un chat dans le jardin.
Phrase Grammar::there_is(int room) {
  const bool plural = chance(30), negated = !plural && chance(25);
  const Determiner& determiner = named(determiners, plural ? (chance(50) ? "two" : "many") : "a");
  const Noun* noun = &noun_of(living | thing | food);
  while (plural && !noun->english_plural) noun = &noun_of(living | thing | food);
  Nominal what = noun_phrase(determiner, adjective_for(noun->kinds), *noun, negated);
  if (room > 11 && !negated) add_relative(what, room - 7);
  const int there = mark(), being = mark(), negation = mark();
  Phrase phrase;
  append(phrase.english, "there", there);
  append(phrase.english, plural ? "are" : "is", being);
  if (negated) append(phrase.english, "not", negation);
  append(phrase.french, "il", there);
  if (negated) append(phrase.french, "ne", negation);
  append(phrase.french, "y", there);
  append(phrase.french, "a", being);
  if (negated) append(phrase.french, "pas", negation);
  append(phrase, what);
  add_place(phrase);
  return phrase;
}

Phrase Grammar::simple_sentence(int room) {
  const int kind = random_.below(100);
  if (kind < 14 && room >= 8 && room <= 18) {
    const bool fits = chance(30);
    const Nominal first = definite(fits ? thing : animal);
    const Nominal second = definite(fits ? container : path);
    const bool past = chance(60);
    if (!fits) return crossing(first, second, any(crossing_clues), past);
    if (first.noun != second.noun) return fitting(first, second, any(fitting_clues));
  }
  if (kind < 26) return description(room);
  if (kind < 33) return somebody_is_something();
  if (kind < 39 && room >= 6) return somebody_is_somewhere(room);
  if (kind < 45 && room >= 5) return somebody_goes_somewhere(room);
  if (kind < 50 && room >= 7) return there_is(room);
  if (kind < 53 && room >= 6) {
    const Nominal who = subject(room - 5);
    if (who.kinds & person) return hit_with_a_pie(who, object(hit, who, {.past = true}, 2));
  }
  if (kind < 57 && room >= 7) {
    const Noun& signed_paper = noun_of(treaty);
    Nominal what = noun_phrase(determiners[chance(50) ? 0 : 2], nullptr, signed_paper);
    if (room >= 11) add_union(what);
    const bool august = chance(50);
    return signed_in(what, august ? "August" : "May", august ? "août" : "mai", chance(50) ? "1992" : "1994");
  }
  return transitive(room);
}

// He thinks that …; never negated, which would require the subjunctive.
Phrase Grammar::reported(int room) {
  Nominal who = subject(2);
  while (!(who.kinds & person)) who = subject(2);
  Phrase phrase = clause(who, chance(50) ? think : know, {}, {});
  add(phrase, "that", "que");
  append(phrase, sentence(room - size_of(phrase)));
  return phrase;
}

// Fills the remaining room with another clause.
Phrase Grammar::sentence(int room) {
  if (room >= 8 && chance(12)) return reported(room);
  Phrase phrase = simple_sentence(room);
  const int space = room - size_of(phrase);
  if (space < 5) return phrase;
  const bool contrast = chance(40);
  add(phrase, contrast ? "but" : "and", contrast ? "mais" : "et");
  append(phrase, sentence(space - 1));
  return phrase;
}

Pair sentence_pair(Random& random, int length) {
  for (;;) {
    Grammar grammar(random);
    const Phrase phrase = grammar.sentence(length);
    if (size_of(phrase) <= length + 4) return pair_of(phrase, grammar.held_out());
  }
}

std::vector<Pair> classic_pairs() {
  Random none(0);
  Grammar g(none);
  const auto i = [&] { return g.pronoun(named(pronouns, "I")); };
  const auto he = [&] { return g.pronoun(named(pronouns, "he")); };
  const auto object = [&](std::string_view word) { return g.object_pronoun(named(object_pronouns, word)); };
  const auto crossing = [&](std::string_view clue) {
    return g.crossing(the(g, "animal"), the(g, "street"), named(crossing_clues, clue), true);
  };
  Nominal agreement = the(g, "agreement");
  g.add_union(agreement);
  const Phrase phrases[] = {
      g.profession(i(), named(professions, "student"), false),
      g.clause(he(), verbs[0], object("it"), {}),
      g.hit_with_a_pie(he(), object("me")),
      g.signed_in(agreement, "August", "août", "1992"),
      crossing("tired"),
      crossing("wide"),
  };
  std::vector<Pair> pairs;
  for (const Phrase& phrase : phrases) pairs.push_back(pair_of(phrase, false));
  return pairs;
}

Corpus sentences(const Config&) {
  Random random(data_seed);
  // Target lengths in words: 4 to 12 for 75 % of sentences, 12 to 20 for 19 %, 20 to 36 for 6 %.
  const auto length = [](Random& random) {
    const int kind = random.below(100);
    return kind < 75 ? 4 + random.below(9) : kind < 94 ? 12 + random.below(9) : 20 + random.below(17);
  };
  return {.separator = " ",
          .pairs = distinct_pairs(24'000, random, sentence_pair, length, classic_pairs()),
          .draw = sentence_pair};
}

}  // namespace translation

TaskKind translation_task() { return {"translate-en-fr", translation::sentences}; }

}  // namespace unroll
