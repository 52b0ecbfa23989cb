// English–French lexicon, as tables.
#pragma once

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

inline const char* agreeing(const Adjective& adjective, Gender gender, bool plural) {
  if (gender == Gender::feminine) return plural ? adjective.feminine_plural : adjective.feminine;
  return plural ? adjective.masculine_plural : adjective.masculine;
}

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

inline constexpr auto m = Gender::masculine, f = Gender::feminine;
inline constexpr unsigned visible = living | thing | food | text | path | place;

inline constexpr Noun nouns[] = {
    {"man", "men", "homme", "hommes", m, person | adult | no_possessive},
    {"woman", "women", "femme", "femmes", f, person | adult | no_possessive},
    {"boy", "boys", "garçon", "garçons", m, person | no_possessive},
    {"girl", "girls", "fille", "filles", f, person | no_possessive},
    {"friend", "friends", "ami", "amis", m, person | adult},
    {"minister", nullptr, "ministre", nullptr, m, person | adult},
    {"animal", "animals", "animal", "animaux", m, animal},
    {"dog", "dogs", "chien", "chiens", m, animal},
    {"cat", "cats", "chat", "chats", m, animal},
    {"horse", "horses", "cheval", "chevaux", m, animal},
    {"bird", "birds", "oiseau", "oiseaux", m, animal},
    {"cow", "cows", "vache", "vaches", f, animal},
    {"mouse", nullptr, "souris", nullptr, f, animal},
    {"apple", "apples", "pomme", "pommes", f, food},
    {"cake", nullptr, "gâteau", nullptr, m, food},
    {"book", "books", "livre", "livres", m, text | thing},
    {"letter", "letters", "lettre", "lettres", f, text | thing},
    {"flower", "flowers", "fleur", "fleurs", f, thing},
    {"key", nullptr, "clé", nullptr, f, thing},
    {"box", nullptr, "boîte", nullptr, f, thing | container},
    {"bag", nullptr, "sac", nullptr, m, thing | container},
    {"car", nullptr, "voiture", nullptr, f, thing | container},
    {"street", nullptr, "rue", nullptr, f, path | no_possessive},
    {"river", nullptr, "rivière", nullptr, f, path | no_possessive},
    {"bridge", nullptr, "pont", nullptr, m, path | no_possessive},
    {"field", nullptr, "champ", nullptr, m, path | no_possessive},
    {"hotel", nullptr, "hôtel", nullptr, m, place},
    {"school", nullptr, "école", nullptr, f, place},
    {"station", nullptr, "gare", nullptr, f, place | no_possessive},
    {"garden", nullptr, "jardin", nullptr, m, place},
    {"park", nullptr, "parc", nullptr, m, place | no_possessive},
    {"agreement", nullptr, "accord", nullptr, m, treaty | no_possessive},
    {"law", nullptr, "loi", nullptr, f, treaty | no_possessive},
};

inline constexpr Adjective adjectives[] = {
    {"small", "petit", "petite", "petits", "petites", nullptr, true, visible & ~person},
    {"big", "grand", "grande", "grands", "grandes", nullptr, true, visible & ~(person | text | food)},
    {"old", "vieux", "vieille", "vieux", "vieilles", "vieil", true, adult | (visible & ~(person | food))},
    {"young", "jeune", "jeune", "jeunes", "jeunes", nullptr, true, living},
    {"black", "noir", "noire", "noirs", "noires", nullptr, false, animal | container},
    {"white", "blanc", "blanche", "blancs", "blanches", nullptr, false, animal | container},
    {"red", "rouge", "rouge", "rouges", "rouges", nullptr, false, thing | food},
    {"happy", "heureux", "heureuse", "heureux", "heureuses", nullptr, false, living},
    {"tired", "fatigué", "fatiguée", "fatigués", "fatiguées", nullptr, false, living},
};

inline constexpr Verb verbs[] = {
    {"see", "sees", "saw", "", "vois", "voit", "voient", "vu", "vue", "", false, living, visible},
    {"look", "looks", "looked", "at", "regarde", "regarde", "regardent", "regardé", "regardée", "", false, living,
     visible},
    {"look", "looks", "looked", "for", "cherche", "cherche", "cherchent", "cherché", "cherchée", "", false, living,
     living | thing},
    {"follow", "follows", "followed", "", "suis", "suit", "suivent", "suivi", "suivie", "", false, living, living},
    {"love", "loves", "loved", "", "aime", "aime", "aiment", "aimé", "aimée", "", false, person, living},
    {"listen", "listens", "listened", "to", "écoute", "écoute", "écoutent", "écouté", "écoutée", "", false, living,
     person},
    {"wait", "waits", "waited", "for", "attends", "attend", "attendent", "attendu", "attendue", "", false, living,
     living},
    {"eat", "eats", "ate", "", "mange", "mange", "mangent", "mangé", nullptr, "", false, living, food},
    {"buy", "buys", "bought", "", "achète", "achète", "achètent", "acheté", nullptr, "", false, person, thing | food},
    {"read", "reads", nullptr, "", "lis", "lit", "lisent", nullptr, nullptr, "", false, person, text | treaty},
    {"need", "needs", nullptr, "", "ai", "a", "ont", nullptr, nullptr, "besoin de", false, person, thing},
    {"remember", "remembers", nullptr, "", "souviens", "souvient", "souviennent", nullptr, nullptr, "de", true, person,
     person | place | text},
};

// Each for a rule of its own.
inline constexpr Verb cross = {"cross",    "crosses", nullptr, "",    "traverse", "traverse", "traversent",
                               "traversé", nullptr,   "",      false, living,     path};
inline constexpr Verb fit = {"fit",   "fits",  nullptr, "",    "rentre", "rentre", "rentrent",
                             nullptr, nullptr, "",      false, thing,    0};
inline constexpr Verb hit = {"hit",     "hits",     "hit", "",    nullptr, nullptr, nullptr,
                             "entarté", "entartée", "",    false, person,  person};
inline constexpr Verb go = {"go", "goes", nullptr, "", "vais", "va", "vont", nullptr, nullptr, "", false, living, 0};
inline constexpr Verb think = {"think", "thinks", nullptr, "",    "pense", "pense", "pensent",
                               nullptr, nullptr,  "",      false, person,  0};
inline constexpr Verb know = {"know",  "knows", nullptr, "",    "sais", "sait", "savent",
                              nullptr, nullptr, "",      false, person, 0};

inline constexpr Profession professions[] = {
    {"student", "students", "étudiant", "étudiante", "étudiants"},
    {"lawyer", "lawyers", "avocat", "avocate", "avocats"},
    {"baker", "bakers", "boulanger", "boulangère", "boulangers"},
    {"musician", "musicians", "musicien", "musicienne", "musiciens"},
    {"doctor", "doctors", "médecin", "médecin", "médecins"},
};

inline constexpr Determiner determiners[] = {
    {"the", "le", "la", false, true, false, 90},
    {"a", "un", "une", false, false, false, 40},
    {"this", "ce", "cette", false, true, false, 15},
    {"my", "mon", "ma", false, true, true, 15},
    {"his", "son", "sa", false, true, true, 12},
    {"her", "son", "sa", false, true, true, 12},
    {"the", "les", "les", true, true, false, 30},
    {"these", "ces", "ces", true, true, false, 12},
    {"my", "mes", "mes", true, true, true, 12},
    {"two", "deux", "deux", true, false, false, 15},
    {"many", "beaucoup de", "beaucoup de", true, false, false, 15},
};

inline constexpr Pronoun pronouns[] = {{"I", "je", m, Agreement::first},
                                       {"he", "il", m, Agreement::third},
                                       {"she", "elle", f, Agreement::third},
                                       {"they", "ils", m, Agreement::plural}};

inline constexpr ObjectPronoun object_pronouns[] = {
    {"it", "le", false, false, true},    {"him", "le", false, false, true}, {"her", "la", true, false, true},
    {"me", "me", false, true, true},     {"you", "te", false, false, true}, {"us", "nous", false, true, false},
    {"them", "les", false, false, false}};

inline constexpr Place places[] = {
    {"in", "dans"}, {"behind", "derrière"}, {"in front of", "devant"}, {"near", "près de"}};

inline constexpr Clue crossing_clues[] = {{"tired", "fatigué", "fatiguée", true}, {"slow", "lent", "lente", true},
                                          {"young", "jeune", "jeune", true},      {"wide", "large", "large", false},
                                          {"narrow", "étroit", "étroite", false}, {"long", "long", "longue", false}};

inline constexpr Clue fitting_clues[] = {{"big", "grand", "grande", true}, {"small", "petit", "petite", false}};

inline constexpr HeldOut held_out_pairs[] = {
    {"white", "horse"}, {"old", "hotel"}, {"red", "flower"}, {"love", "cow"}, {"buy", "bag"}};

}  // namespace unroll::translation
