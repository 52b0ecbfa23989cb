// The grammar of English → French, tested on its sentences.
#include "engine/data/tasks/task.h"
#include "engine/data/tasks/translation/lexicon.h"
#include "tests/engine/support/own_data.h"

namespace {

const Task& translate() { return *make_task("translate-en-fr"); }

std::vector<const Pair*> all_pairs() {
  std::vector<const Pair*> pairs;
  each_pair(translate(), [&](const Pair& pair) { pairs.push_back(&pair); });
  return pairs;
}

// The French of a sentence, and its links as "english=french …"; empty if the sentence does not occur.
struct Translation {
  std::string french, links;
};

Translation translated(std::string_view english) {
  for (const Pair* pair : all_pairs())
    if (translate().text(pair->source) == english) {
      std::string links;
      for (const auto& [s, t] : pair->alignment) links += pair->source[s] + '=' + pair->target[t] + ' ';
      return {translate().text(pair->target), links};
    }
  return {};
}

bool has(const std::string& text, std::string_view part) { return (' ' + text + ' ').find(part) != std::string::npos; }

}  // namespace

TEST_CASE("sentences whose French has another order, or more or fewer words") {
  struct {
    const char *english, *french, *links;
  } const sentences[] = {
      {"I am a student", "je suis étudiant", "I=je am=suis student=étudiant "},
      {"he sees it", "il le voit", "he=il it=le sees=voit "},
      {"he hit me with a pie", "il m' a entarté", "he=il me=m' hit=a hit=entarté with=entarté a=entarté pie=entarté "},
      {"the agreement on the European Economic Area was signed in August 1992",
       "l' accord sur la zone économique européenne a été signé en août 1992",
       "the=l' agreement=accord on=sur the=la Area=zone Economic=économique European=européenne was=a was=été "
       "signed=signé in=en August=août 1992=1992 "},
      {"the animal didn't cross the street because it was too tired",
       "l' animal n' a pas traversé la rue parce qu' il était trop fatigué",
       "the=l' animal=animal didn't=n' didn't=a didn't=pas cross=traversé the=la street=rue because=parce "
       "because=qu' it=il was=était too=trop tired=fatigué "},
      {"the animal didn't cross the street because it was too wide",
       "l' animal n' a pas traversé la rue parce qu' elle était trop large",
       "the=l' animal=animal didn't=n' didn't=a didn't=pas cross=traversé the=la street=rue because=parce "
       "because=qu' it=elle was=était too=trop wide=large "}};
  for (const auto& [english, french, links] : sentences) {
    const Translation it = translated(english);
    CHECK(it.french == french);
    CHECK(it.links == links);
  }
}

TEST_CASE("a pronoun that a clue decides is known by its position, il and elle about equally often") {
  int il = 0, elle = 0, tested = 0;
  for (const Pair* pair : all_pairs()) {
    const bool because = std::ranges::find(pair->source, "because") != pair->source.end();
    REQUIRE((pair->pronoun >= 0) == because);
    if (!because) continue;
    const std::string& word = pair->target[static_cast<std::size_t>(pair->pronoun)];
    REQUIRE((word == "il" || word == "elle"));
    ++(word == "il" ? il : elle);
  }
  for (const Pair& pair : translate().pairs(Split::test)) tested += pair.pronoun >= 0;
  CHECK(il > 400);
  CHECK(elle > 400);
  CHECK(tested > 100);
  MESSAGE("il ", il, ", elle ", elle, "; in the test split ", tested);
}

TEST_CASE("at least 20,000 pairs, with vocabularies of at most 250 words and sentences of 3 to 40 words") {
  CHECK(all_pairs().size() >= 20'000);
  CHECK(translate().source_vocabulary().size() <= 250);
  CHECK(translate().target_vocabulary().size() <= 250);
  std::map<std::size_t, int> lengths;
  for (const Pair* pair : all_pairs()) ++lengths[pair->source.size()];
  CHECK(lengths.begin()->first == 3);
  CHECK(lengths.rbegin()->first == 40);
  const auto between = [&](std::size_t least, std::size_t most) {
    int count = 0;
    for (std::size_t length = least; length <= most; ++length) count += lengths[length];
    return count;
  };
  for (std::size_t length = 4; length <= 20; ++length) CHECK(between(length, length) >= 300);
  CHECK(between(21, 30) >= 900);
  CHECK(between(31, 40) >= 400);
}

TEST_CASE("every French word comes from an English one, and the links are in order and in range") {
  int unaligned = 0, wrong = 0;
  std::set<std::string> without;
  for (const Pair* pair : all_pairs()) {
    std::set<int> sources, targets;
    for (const auto& [s, t] : pair->alignment) {
      wrong +=
          s < 0 || t < 0 || s >= static_cast<int>(pair->source.size()) || t >= static_cast<int>(pair->target.size());
      sources.insert(s), targets.insert(t);
    }
    unaligned += targets.size() != pair->target.size();
    wrong += !std::ranges::is_sorted(pair->alignment, {}, [](auto link) { return std::pair(link.second, link.first); });
    for (int s = 0; s < static_cast<int>(pair->source.size()); ++s)
      if (!sources.contains(s)) without.insert(pair->source[s]);
  }
  CHECK(unaligned == 0);
  CHECK(wrong == 0);
  CHECK(without == std::set<std::string>{"a"});  // "a student", the only article that French drops
}

TEST_CASE("elision, contraction and the forms before a vowel are applied everywhere") {
  const std::set<std::string> elided = {"le", "la", "je", "ne", "de", "me", "te", "se", "que", "ce", "ma", "sa"};
  std::set<std::string> wrong;
  for (const Pair* pair : all_pairs())
    for (std::size_t t = 0; t + 1 < pair->target.size(); ++t) {
      const std::string &word = pair->target[t], &next = pair->target[t + 1];
      const bool vowel = next.starts_with("é") || std::string_view("aeiouhy").find(next[0]) != std::string_view::npos;
      const bool contracted = (word == "de" || word == "à") && (next == "le" || next == "les");
      if ((vowel && elided.contains(word)) || (!vowel && word.ends_with("'")) || contracted)
        wrong.insert(word + ' ' + next);
    }
  for (const std::string& each : wrong) CHECK_MESSAGE(false, each);
}

TEST_CASE("articles and demonstratives agree with their nouns") {
  std::map<std::string, bool> feminine;
  for (const translation::Noun& noun : translation::nouns)
    feminine[noun.french] = noun.gender == translation::Gender::feminine;
  const std::map<std::string, bool> articles = {{"le", false}, {"un", false}, {"du", false},   {"au", false},
                                                {"ce", false}, {"la", true},  {"cette", true}, {"une", true}};
  int checked = 0;
  for (const Pair* pair : all_pairs())
    for (std::size_t t = 0; t + 1 < pair->target.size(); ++t) {
      const auto article = articles.find(pair->target[t]);
      const auto noun = feminine.find(pair->target[t + 1]);
      if (article == articles.end() || noun == feminine.end()) continue;
      CHECK_MESSAGE(article->second == noun->second, article->first << ' ' << noun->first);
      ++checked;
    }
  CHECK(checked > 10'000);
}

TEST_CASE("marked combinations occur in the test split only, but their words occur in training") {
  for (const Split split : {Split::train, Split::validation})
    for (const Pair& pair : translate().pairs(split)) {
      const std::string english = translate().text(pair.source);
      REQUIRE_FALSE(pair.held_out);
      for (const char* part : {" white horse ", " white horses ", " old hotel ", " red flower ", " red flowers ",
                               " loves the cow ", " love a cow ", " buys a bag ", " bought the bag "})
        CHECK_FALSE(has(english, part));
    }
  std::map<std::string, int> held;
  for (const Pair& pair : translate().pairs(Split::test))
    if (pair.held_out) ++held[has(translate().text(pair.source), " white horse ") ? "white horse" : "other"];
  CHECK(held["white horse"] >= 20);
  CHECK(held["white horse"] + held["other"] <= 1'000);
}

TEST_CASE("the rules of French applied to the English words") {
  const std::pair<std::string, std::string> rules[] = {
      {" doesn't eat a cake ", " ne mange pas de gâteau "},  // "a" after a negation
      {" many birds ", " beaucoup d' oiseaux "},
      {" old animal ", " vieil animal "},
      {" old animals ", " vieux animaux "},
      {" my school ", " mon école "},
      {" this friend ", " cet ami "},
      {" go to the park ", " au parc "},
      {" remembers the boy ", " du garçon "},
      {" there is not a ", " il n' y a pas d"}};
  for (const auto& rule : rules) {
    const auto& [english, french] = rule;
    CAPTURE(rule.first);
    int found = 0, right = 0;
    for (const Pair* pair : all_pairs())
      if (has(translate().text(pair->source), english)) ++found, right += has(translate().text(pair->target), french);
    CHECK(found > 0);
    CHECK(right == found);
  }
}

TEST_CASE("in the past tense the participle agrees with a preceding \"her\"") {
  const std::map<std::string, std::string> participles = {
      {"saw", "vue"}, {"followed", "suivie"}, {"loved", "aimée"}, {"see", "vue"}, {"follow", "suivie"}};
  int found = 0;
  for (const Pair* pair : all_pairs()) {
    const std::size_t n = pair->source.size();
    const auto participle = participles.find(pair->source[n - 2]);
    const bool past =
        participle != participles.end() &&
        (participle->first.ends_with("d") || participle->first == "saw" || pair->source[n - 3] == "didn't");
    if (pair->source.back() != "her" || !past) continue;
    CHECK(pair->target.back() == participle->second);
    ++found;
  }
  CHECK(found >= 5);
}
