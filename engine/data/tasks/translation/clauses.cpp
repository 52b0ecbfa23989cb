// Clauses: the position of verb, auxiliaries, negation and pronouns in both languages.
#include "engine/data/tasks/translation/grammar.h"

namespace unroll::translation {
namespace {

const char* present(const Verb& verb, Agreement agreement) {
  if (agreement == Agreement::first) return verb.first_singular;
  return agreement == Agreement::third ? verb.third_singular : verb.third_plural;
}

const char* avoir(Agreement agreement) {
  if (agreement == Agreement::first) return "ai";
  return agreement == Agreement::third ? "a" : "ont";
}

const char* do_not(Agreement agreement, bool past) {
  if (past) return "didn't";
  return agreement == Agreement::third ? "doesn't" : "don't";
}

const char* english_form(const Verb& verb, Agreement agreement, const Manner& manner) {
  if (manner.negated) return verb.base;
  if (manner.past) return verb.past;
  return agreement == Agreement::third ? verb.third : verb.base;
}

}  // namespace

// English: the man | doesn't | often | see | her.     French: l' homme | ne | la | voit | pas | souvent.
// English: the man | didn't | look | for | the cat.   French: l' homme | n' | a | pas | cherché | le chat.
Phrase Grammar::clause(const Nominal& subject, const Verb& verb, const Nominal& object, Manner manner) {
  const Agreement agreement = subject.agreement;
  const int negation = mark(), adverb = mark(), action = mark(), particle = *verb.particle ? mark() : 0;
  Phrase phrase = subject;
  if (manner.negated) append(phrase.english, do_not(agreement, manner.past), negation);
  append(phrase.english, manner.adverb, adverb);
  append(phrase.english, english_form(verb, agreement, manner), action);
  append(phrase.english, verb.particle, particle);
  append(phrase.english, object.english);

  Words& french = phrase.french;
  if (manner.negated) append(french, "ne", negation);
  if (verb.reflexive) append(french, agreement == Agreement::first ? "me" : "se", action);
  if (object.clitic) append(french, object.french);
  if (manner.past)
    append(french, avoir(agreement), manner.negated ? negation : action);
  else
    append(french, present(verb, agreement), action, particle);
  if (manner.negated) append(french, "pas", negation);
  append(french, manner.french_adverb, adverb);
  const bool feminine = object.clitic && object.clitic->feminine;  // the participle agrees with a preceding object
  if (manner.past) append(french, feminine ? verb.participle_feminine : verb.participle, action, particle);
  append(french, verb.complement, action);
  if (!object.clitic) append(french, object.french);
  return phrase;
}

Phrase Grammar::copula(const Nominal& subject, bool negated, bool past) {
  const Agreement agreement = subject.agreement;
  const int being = mark(), negation = mark();
  Phrase phrase = subject;
  append(phrase.english,
         past                            ? "was"
         : agreement == Agreement::first ? "am"
         : agreement == Agreement::third ? "is"
                                         : "are",
         being);
  if (negated) append(phrase.english, "not", negation);
  if (negated) append(phrase.french, "ne", negation);
  append(phrase.french,
         past                            ? "était"
         : agreement == Agreement::first ? "suis"
         : agreement == Agreement::third ? "est"
                                         : "sont",
         being);
  if (negated) append(phrase.french, "pas", negation);
  return phrase;
}

// French drops the article: je suis étudiant.
Phrase Grammar::profession(const Nominal& subject, const Profession& profession, bool negated) {
  Phrase phrase = copula(subject, negated);
  const bool plural = subject.agreement == Agreement::plural;
  if (!plural) append(phrase.english, "a", 0);
  add(phrase, plural ? profession.english_plural : profession.english,
      plural                               ? profession.plural
      : subject.gender == Gender::feminine ? profession.feminine
                                           : profession.masculine);
  return phrase;
}

// … because it was too tired: "it" is il or elle by the French gender of its antecedent.
Phrase Grammar::because(Phrase clause, const Nominal& it, const Clue& clue, bool past) {
  const bool feminine = it.gender == Gender::feminine;
  add(clause, "because", "parce que");
  Nominal pronoun;
  add(pronoun, "it", feminine ? "elle" : "il");
  append(clause, copula(pronoun, false, past));
  add(clause, "too", "trop");
  add(clause, clue.english, feminine ? clue.feminine : clue.masculine);
  return clause;
}

Phrase Grammar::crossing(const Nominal& mover, const Nominal& path, const Clue& clue, bool past) {
  return because(clause(mover, cross, path, {.past = past, .negated = true}), clue.first ? mover : path, clue, past);
}

Phrase Grammar::fitting(const Nominal& thing, const Nominal& container, const Clue& clue) {
  Phrase phrase = clause(thing, fit, {}, {.negated = true});
  add(phrase, "in", "dans");
  append(phrase, container);
  return because(std::move(phrase), clue.first ? thing : container, clue, false);
}

// "hit … with a pie" is one word in French: il m' a entarté.
Phrase Grammar::hit_with_a_pie(const Nominal& subject, const Nominal& object) {
  Phrase phrase = clause(subject, hit, object, {.past = true});
  const int pie = mark();
  append(phrase.english, "with a pie", pie);
  for (Word& word : phrase.french)
    if (std::string_view(word.text).starts_with("entarté")) word.second = pie;
  return phrase;
}

Phrase Grammar::signed_in(const Nominal& subject, const char* month, const char* french_month, const char* year) {
  Phrase phrase = subject;
  add(phrase, "was", "a été");
  add(phrase, "signed", subject.gender == Gender::feminine ? "signée" : "signé");
  add(phrase, "in", "en");
  add(phrase, month, french_month);
  add(phrase, year, year);
  return phrase;
}

}  // namespace unroll::translation
