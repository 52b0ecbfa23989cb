#include "engine/data/tasks/translation/lexicon.h"

namespace unroll::translation {
namespace {

constexpr auto m = Gender::masculine, f = Gender::feminine;
constexpr unsigned visible = living | thing | food | text | path | place;

constexpr Noun noun_table[] = {
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

constexpr Adjective adjective_table[] = {
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

constexpr Verb verb_table[] = {
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

constexpr Profession profession_table[] = {
    {"student", "students", "étudiant", "étudiante", "étudiants"},
    {"lawyer", "lawyers", "avocat", "avocate", "avocats"},
    {"baker", "bakers", "boulanger", "boulangère", "boulangers"},
    {"musician", "musicians", "musicien", "musicienne", "musiciens"},
    {"doctor", "doctors", "médecin", "médecin", "médecins"},
};

constexpr Determiner determiner_table[] = {
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

constexpr Pronoun pronoun_table[] = {{"I", "je", m, Agreement::first},
                                     {"he", "il", m, Agreement::third},
                                     {"she", "elle", f, Agreement::third},
                                     {"they", "ils", m, Agreement::plural}};

constexpr ObjectPronoun object_pronoun_table[] = {
    {"it", "le", false, false, true},    {"him", "le", false, false, true}, {"her", "la", true, false, true},
    {"me", "me", false, true, true},     {"you", "te", false, false, true}, {"us", "nous", false, true, false},
    {"them", "les", false, false, false}};

constexpr Place place_table[] = {
    {"in", "dans"}, {"behind", "derrière"}, {"in front of", "devant"}, {"near", "près de"}};

constexpr Clue crossing_table[] = {{"tired", "fatigué", "fatiguée", true}, {"slow", "lent", "lente", true},
                                   {"young", "jeune", "jeune", true},      {"wide", "large", "large", false},
                                   {"narrow", "étroit", "étroite", false}, {"long", "long", "longue", false}};

constexpr Clue fitting_table[] = {{"big", "grand", "grande", true}, {"small", "petit", "petite", false}};

constexpr HeldOut held_out_table[] = {
    {"white", "horse"}, {"old", "hotel"}, {"red", "flower"}, {"love", "cow"}, {"buy", "bag"}};

}  // namespace

const char* agreeing(const Adjective& adjective, Gender gender, bool plural) {
  if (gender == Gender::feminine) return plural ? adjective.feminine_plural : adjective.feminine;
  return plural ? adjective.masculine_plural : adjective.masculine;
}

const std::span<const Noun> nouns = noun_table;
const std::span<const Adjective> adjectives = adjective_table;
const std::span<const Verb> verbs = verb_table;
const Verb cross = {"cross",    "crosses", nullptr, "",    "traverse", "traverse", "traversent",
                    "traversé", nullptr,   "",      false, living,     path};
const Verb fit = {"fit", "fits", nullptr, "", "rentre", "rentre", "rentrent", nullptr, nullptr, "", false, thing, 0};
const Verb hit = {"hit",     "hits",     "hit", "",    nullptr, nullptr, nullptr,
                  "entarté", "entartée", "",    false, person,  person};
const Verb go = {"go", "goes", nullptr, "", "vais", "va", "vont", nullptr, nullptr, "", false, living, 0};
const Verb think = {"think", "thinks", nullptr, "",    "pense", "pense", "pensent",
                    nullptr, nullptr,  "",      false, person,  0};
const Verb know = {"know", "knows", nullptr, "", "sais", "sait", "savent", nullptr, nullptr, "", false, person, 0};
const std::span<const Profession> professions = profession_table;
const std::span<const Determiner> determiners = determiner_table;
const std::span<const Pronoun> pronouns = pronoun_table;
const std::span<const ObjectPronoun> object_pronouns = object_pronoun_table;
const std::span<const Place> places = place_table;
const std::span<const Clue> crossing_clues = crossing_table, fitting_clues = fitting_table;
const std::span<const HeldOut> held_out_pairs = held_out_table;

}  // namespace unroll::translation
