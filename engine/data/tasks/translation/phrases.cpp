// Phrases of both languages: how their words adjust to each other; noun phrases and pronouns; and clauses, with the
// position of verb, auxiliaries, negation and pronouns.
#include "engine/data/tasks/translation/grammar.h"

namespace unroll::translation {
namespace {

constexpr unsigned named_by_it = animal | thing | food | text | path | place | treaty;

struct Change {
  std::string_view from, to;
};

constexpr Change before_vowel[] = {{"le", "l'"},  {"la", "l'"},   {"je", "j'"},  {"ne", "n'"},
                                   {"de", "d'"},  {"me", "m'"},   {"te", "t'"},  {"se", "s'"},
                                   {"ma", "mon"}, {"que", "qu'"}, {"ce", "cet"}, {"sa", "son"}};

struct Contraction {
  std::string_view first, second, to;
};

constexpr Contraction contractions[] = {{"à", "le", "au"}, {"de", "le", "du"}, {"de", "les", "des"}};

void contract(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    for (const Contraction& rule : contractions)
      if (words[i].text == rule.first && words[i + 1].text == rule.second) {
        words[i] = {rule.to, words[i].mark, words[i + 1].mark};
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
}

const char* by_agreement(Agreement agreement, const char* first, const char* third, const char* plural) {
  if (agreement == Agreement::first) return first;
  return agreement == Agreement::third ? third : plural;
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

void append(Words& words, std::string_view text, int mark, int second) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    words.push_back({text.substr(0, end), mark, second});
    text = end == text.npos ? "" : text.substr(end + 1);
  }
}

bool begins_with_vowel(std::string_view word) {
  return std::string_view("aeiouhy").find(word.front()) != std::string_view::npos || word.starts_with("é");
}

void adjust_articles(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i].text == "a" && std::string_view("aeiou").find(words[i + 1].text.front()) != std::string_view::npos)
      words[i].text = "an";
}

void elide_and_contract(Words& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (begins_with_vowel(words[i + 1].text))
      for (const Change& change : before_vowel)
        if (words[i].text == change.from) {
          words[i].text = change.to;
          break;
        }
  contract(words);
}

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

// English: the man | doesn't | often | see | her.     French: l' homme | ne | la | voit | pas | souvent.
// English: the man | didn't | look | for | the cat.   French: l' homme | n' | a | pas | cherché | le chat.
Phrase Grammar::clause(const Nominal& subject, const Verb& verb, const Nominal& object, Manner manner) {
  const Agreement agreement = subject.agreement;
  const char* present = by_agreement(agreement, verb.first_singular, verb.third_singular, verb.third_plural);
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
    append(french, by_agreement(agreement, "ai", "a", "ont"), manner.negated ? negation : action);
  else
    append(french, present, action, particle);
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
  append(phrase.english, past ? "was" : by_agreement(agreement, "am", "is", "are"), being);
  if (negated) append(phrase.english, "not", negation);
  if (negated) append(phrase.french, "ne", negation);
  append(phrase.french, past ? "était" : by_agreement(agreement, "suis", "est", "sont"), being);
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
