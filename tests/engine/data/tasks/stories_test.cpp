#include "engine/data/tasks/stories.h"

#include "engine/data/tasks/task.h"
#include "tests/engine/support/own_data.h"

namespace {

// "she" or "he" follows from the name, the second name differs from the first, and one alternative is longer.
const StoryGrammar small = {
    .rules = {{"start", {"{who:name} {did} {ended}", "{ended}"}},
              {"did", {"saw {other:name}", "ran", "ran and ran"}},
              {"ended",
               {"so {who:name} slept", "then {other:name} and {third:name} sang {where}", "{who:name} {who.1}"}}},
    .lists = {{"name", {"anna/she", "ben/he", "leo/he"}}, {"where", {"at home", "out there"}}},
    .start = "start"};

// Calls tell_one(answer) until every combination of answers has been given.
template <typename TellOne>
void every_way(TellOne tell_one) {
  std::vector<std::pair<int, int>> answers;  // taken, count
  do {
    std::size_t place = 0;
    tell_one([&](int count) {
      if (place == answers.size()) answers.emplace_back(0, count);
      return answers[place++].first;
    });
    while (!answers.empty() && answers.back().first + 1 == answers.back().second) answers.pop_back();
    if (!answers.empty()) ++answers.back().first;
  } while (!answers.empty());
}

std::map<Tokens, double> every_story(const StoryGrammar& grammar) {
  std::map<Tokens, double> stories;
  every_way([&](auto answer) {
    double p = 1;
    const auto counted = [&](int count) {
      p /= count;
      return answer(count);
    };
    const Tokens story = generate_story(grammar, {counted, counted});
    stories[story] += p;
  });
  return stories;
}

// Stories with lists in place of their entries, one for each choice of alternatives.
std::vector<Tokens> story_patterns(StoryGrammar grammar) {
  for (auto& [name, entries] : grammar.lists) entries.resize(name == "name" ? 2 : 1);
  for (auto& entry : grammar.lists.at("name")) entry = "NAME/PRONOUN/PRONOUN/PRONOUN";
  std::vector<Tokens> patterns;
  every_way([&](auto answer) { patterns.push_back(generate_story(grammar, {answer, [](int) { return 0; }})); });
  return patterns;
}

}  // namespace

TEST_CASE("the entropy of a small grammar is that of all its stories") {
  double nats = 0, tokens = 0, all = 0;
  for (const auto& [story, p] : every_story(small)) {
    nats -= p * std::log(p);
    tokens += p * static_cast<double>(story.size() + 1);
    all += p;
  }
  CHECK(all == doctest::Approx(1));
  const StoryEntropy entropy = entropy_of(small);
  CHECK(entropy.nats == doctest::Approx(nats).epsilon(1e-6));  // the engine's logarithm is in single precision
  CHECK(entropy.tokens == doctest::Approx(tokens).epsilon(1e-12));
  CHECK(entropy.perplexity() == doctest::Approx(std::exp(nats / tokens)).epsilon(1e-6));
}

TEST_CASE("a slot keeps its entry, and two slots of one list hold different entries") {
  for (const auto& drawn : every_story(small)) {
    const Tokens& story = drawn.first;
    CAPTURE(join(story, " "));
    if (story.size() > 2 && story[1] == "saw") CHECK(story[0] != story[2]);
    if (story.size() == 2) CHECK(story[1] == (story[0] == "anna" ? "she" : "he"));
  }
}

TEST_CASE("no story can be drawn in two ways, so the entropy of the draws is that of the stories") {
  const std::vector<Tokens> patterns = story_patterns(stories_grammar());
  CHECK(std::set<Tokens>(patterns.begin(), patterns.end()).size() == patterns.size());
  std::set<std::string> seen;
  std::size_t words = 0;
  for (const auto& [name, entries] : stories_grammar().lists)
    for (const std::string_view entry : entries) {
      seen.insert(std::string(entry.substr(0, entry.find('/'))));
      ++words;
    }
  CHECK(seen.size() == words);
}

TEST_CASE("all entries of a list have equally many words, so stories with the same alternatives are equally long") {
  for (const auto& list : stories_grammar().lists) {
    CAPTURE(list.first);
    for (const std::string_view entry : list.second)
      CHECK(split_text(entry, " ").size() == split_text(list.second[0], " ").size());
  }
}

TEST_CASE("there are at least 20,000 stories, with at most 200 different words and 60 tokens") {
  const std::shared_ptr<const Task> task = make_task("stories");
  CHECK(task->form() == Form::texts);
  CHECK(task->source_vocabulary().size() <= 200);
  CHECK(task->source_vocabulary().size() == task->target_vocabulary().size());
  std::set<Tokens> stories;
  std::size_t longest = 0;
  double tokens = 0;
  each_pair(*task, [&](const Pair& pair) {
    const Tokens& story = pair.target;
    stories.insert(story);
    longest = std::max(longest, story.size());
    tokens += static_cast<double>(story.size() + 1);
  });
  CHECK(stories.size() >= 20'000);
  CHECK(longest <= 60);
  const StoryEntropy entropy = entropy_of(stories_grammar());
  CHECK(tokens / static_cast<double>(stories.size()) == doctest::Approx(entropy.tokens).epsilon(0.01));
  CHECK(task->true_perplexity() == entropy.perplexity());
}

TEST_CASE("the object found at the start returns at the end, and pronouns follow names") {
  const std::set<std::string> girls = {"anna", "ella", "lily", "mia", "nora", "zoe"};
  const std::vector<std::string_view>& things = stories_grammar().lists.at("thing");
  each_pair(*make_task("stories"), [&](const Pair& pair) {
    const Tokens& story = pair.target;
    std::set<std::string> found;
    for (const std::string& word : story)
      if (std::ranges::find(things, word) != things.end()) found.insert(word);
    REQUIRE(found.size() == 1);
    const auto wanted = std::ranges::find(story, "wanted");
    if (wanted == story.end()) return;
    const auto name = std::ranges::find_if(story, [&](const std::string& word) {
      return std::ranges::any_of(stories_grammar().lists.at("name"),
                                 [&](std::string_view entry) { return entry.starts_with(word + "/"); });
    });
    REQUIRE(*(wanted - 1) == (girls.contains(*name) ? "she" : "he"));
  });
}
