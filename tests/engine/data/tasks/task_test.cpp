#include "engine/data/tasks/task.h"

#include "tests/engine/support/own_data.h"

namespace {

std::uint64_t hash_of(const Task& task) {
  std::uint64_t hash = 0;
  each_pair(task, [&](const Pair& pair) {
    hash = hash * 31 + text_hash(pair.source) * 7 + text_hash(pair.target);
    for (const auto& [source, target] : pair.alignment)
      hash = hash * 31 + static_cast<std::uint64_t>(source * 64 + target);
  });
  return hash;
}

int number(const Tokens& digits) { return std::stoi(join(digits, "")); }

}  // namespace

TEST_CASE("the pairs of every task are pinned") {
  const std::map<std::string, std::uint64_t> known = {
      {"reverse", 2532183676367814525U},  {"copy", 10992437438632539397U},    {"sort", 10585725808864361061U},
      {"addition", 7479719451218880301U}, {"dates", 10998113984181620664U},   {"translate-en-fr", 3910941898739130547U},
      {"stories", 12624961707141407141U}, {"captions", 7677179705239578848U}, {"recall", 16783844551867756062U},
      {"rotate", 4704440546308689120U}};
  CHECK(known.size() == task_names().size());
  for (const std::string& name : task_names()) {
    const std::uint64_t hash = hash_of(*make_task(name));
    CHECK_MESSAGE((known.contains(name) && known.at(name) == hash), name, " has the hash ", hash);
  }
}

TEST_CASE("a task without options is cached, one with options made as requested; what is out of range is refused") {
  CHECK(make_task("dates") == make_task("dates"));
  CHECK(make_task("translate-en-fr") == make_task("translate-en-fr"));
  CHECK(make_task("copy", {{"length", 3.0}})->pairs(Split::test).size() <
        make_task("copy", {{"length", 4.0}})->pairs(Split::test).size());
  CHECK(REFUSAL(config, make_task("chess")).starts_with("task is \"chess\": use one of addition, captions, copy, "));
  CHECK(REFUSAL(config, make_task("addition", {{"digits", 6.0}})) == "digits is 6: use a whole number, 2 to 5.");
  CHECK(REFUSAL(config, make_task("copy", {{"length", 1.0}})) == "length is 1: use a whole number, 2 to 40.");
}

TEST_CASE("no source is in two splits, nor twice in one; the splits are about 80, 10 and 10 %") {
  for (const std::string& name : task_names()) {
    CAPTURE(name);
    const std::shared_ptr<const Task> task = make_task(name);
    CHECK(task->name() == name);
    std::set<Tokens> sources;
    const bool texts = task->form() == Form::texts;
    each_pair(*task, [&](const Pair& pair) { sources.insert(texts ? pair.target : pair.source); });
    const double all = static_cast<double>(size_of(*task));
    CHECK(sources.size() == size_of(*task));
    CHECK(all >= (name == "addition" ? 5'050 : 20'000));
    CHECK(static_cast<double>(task->pairs(Split::train).size()) == doctest::Approx(0.8 * all).epsilon(0.03));
    CHECK(static_cast<double>(task->pairs(Split::validation).size()) == doctest::Approx(0.1 * all).epsilon(0.12));
  }
}

TEST_CASE("alignments are in range, in order, and say which letter comes from where") {
  for (const char* name : {"reverse", "copy", "sort", "rotate"}) {
    CAPTURE(name);
    int wrong = 0;
    each_pair(*make_task(name), [&](const Pair& pair) {
      wrong += pair.alignment.size() != pair.target.size();
      for (std::size_t t = 0; t < pair.alignment.size(); ++t) {
        const auto [source, target] = pair.alignment[t];
        wrong += target != static_cast<int>(t) || pair.source.at(source) != pair.target[t];
      }
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("reverse, copy and sort do what their names say, with longer words by the option length") {
  const std::shared_ptr<const Task> reverse = make_task("reverse"), copy = make_task("copy"), sort = make_task("sort");
  for (const Pair& pair : reverse->pairs(Split::test)) {
    Tokens turned(pair.source.rbegin(), pair.source.rend());
    REQUIRE(pair.target == turned);
  }
  for (const Pair& pair : copy->pairs(Split::test)) REQUIRE(pair.target == pair.source);
  for (const Pair& pair : sort->pairs(Split::test)) {
    Tokens sorted = pair.source;
    std::ranges::sort(sorted);
    REQUIRE(pair.target == sorted);
  }
  std::size_t longest = 0;
  each_pair(*make_task("copy", {{"length", 30.0}}),
            [&](const Pair& pair) { longest = std::max(longest, pair.source.size()); });
  CHECK(longest == 30);
}

TEST_CASE("a task with a rule knows the target of any source, and another one does not") {
  const auto target = [](const char* name, const char* source) {
    const std::shared_ptr<const Task> task = make_task(name, {});
    return join(task->target_of(task->tokenise(source)), "");
  };
  CHECK(target("reverse", "badcabbaged") == "degabbacdab");
  CHECK(target("reverse", "axa") == "axa");
  CHECK(target("copy", "cab") == "cab");
  CHECK(target("sort", "cabba") == "aabbc");
  CHECK(target("dates", "12 march 2021").empty());
}

TEST_CASE("recall: the first letter, after as many digits as the lag says") {
  for (const double lag : {1.0, 20.0, 62.0}) {
    CAPTURE(lag);
    const std::shared_ptr<const Task> task = make_task("recall", {{"lag", lag}});
    std::map<std::string, int> letters;
    int wrong = 0;
    each_pair(*task, [&](const Pair& pair) {
      wrong += static_cast<double>(pair.source.size()) != lag + 1 || pair.target != Tokens{pair.source[0]};
      for (std::size_t t = 1; t < pair.source.size(); ++t) wrong += pair.source[t] < "0" || pair.source[t] > "9";
      ++letters[pair.target[0]];
    });
    CHECK(wrong == 0);
    CHECK(letters.size() == 8);
    CHECK(size_of(*task) == (lag == 1 ? 80 : 20'000));
  }
  CHECK(make_task("recall", {{"lag", 5.0}})->pairs_of_length(51, 200, 1).size() == 200);
  CHECK(REFUSAL(config, make_task("recall", {{"lag", 63.0}})) == "lag is 63: use a whole number, 1 to 62.");
}

TEST_CASE("rotate: distinct letters, from any one of them on and round to the one before it") {
  const std::shared_ptr<const Task> task = make_task("rotate", {{"length", 8.0}});
  std::map<int, int> firsts;
  int wrong = 0;
  each_pair(*task, [&](const Pair& pair) {
    const int first = pair.alignment.at(0).first;
    Tokens turned = pair.source;
    std::ranges::rotate(turned, turned.begin() + first);
    wrong += pair.source.size() != 8 || pair.target != turned || std::set(turned.begin(), turned.end()).size() != 8;
    ++firsts[first];
  });
  CHECK(wrong == 0);
  CHECK(firsts.size() == 8);
  for (const auto& [first, count] : firsts) CHECK(count == doctest::Approx(3'000).epsilon(0.08));
  CHECK(REFUSAL(config, make_task("rotate", {{"length", 11.0}})) == "length is 11: use a whole number, 5 to 10.");
}

TEST_CASE("sums are right, and a + b never occurs together with b + a") {
  for (const double digits : {2.0, 3.0, 5.0}) {
    CAPTURE(digits);
    const std::shared_ptr<const Task> task = make_task("addition", {{"digits", digits}});
    std::set<std::pair<int, int>> seen;
    std::size_t longest = 0;
    int wrong = 0;
    each_pair(*task, [&](const Pair& pair) {
      const auto plus = std::ranges::find(pair.source, "+");
      const int a = number({pair.source.begin(), plus}), b = number({plus + 1, pair.source.end()});
      wrong += a + b != number(pair.target) || !seen.insert(std::minmax(a, b)).second;
      longest = std::max(longest, pair.source.size());
    });
    CHECK(wrong == 0);
    CHECK(static_cast<double>(longest) == 2 * digits + 1);
    CHECK(seen.size() == (digits == 2 ? 5'050 : 50'000));
  }
}

TEST_CASE("dates: written forms mean their ISO date") {
  const std::shared_ptr<const Task> task = make_task("dates");
  const auto iso = [&](std::string_view written) {
    std::string found = "not there";
    each_pair(*task, [&](const Pair& pair) {
      if (task->text(pair.source) == written) found = task->text(pair.target);
    });
    return found;
  };
  CHECK(iso("26th of july 2068") == "2068-07-26");
  CHECK(iso("18/06/1994") == "1994-06-18");
  std::set<std::string> shapes;  // with digits and letters made alike: at least one per written form
  each_pair(*task, [&](const Pair& pair) {
    std::string shape;
    for (const std::string& token : pair.source) {
      const char c = token[0] >= '0' && token[0] <= '9' ? '0' : token[0] >= 'a' && token[0] <= 'z' ? 'a' : token[0];
      if (shape.empty() || shape.back() != c) shape += c;
    }
    shapes.insert(shape);
    CHECK(pair.target.size() == 10);
  });
  CHECK(shapes.size() >= 14);  // "24 dec 1999" and "24 december 1999" have one shape
}

TEST_CASE("pairs of one length: of that length, distinct, not in training, the same for a seed") {
  for (const char* name : {"reverse", "translate-en-fr"}) {
    CAPTURE(name);
    const std::shared_ptr<const Task> task = make_task(name);
    std::set<Tokens> trained;
    for (const Pair& pair : task->pairs(Split::train)) trained.insert(pair.source);
    for (const int length : {6, 13, 30}) {
      const std::vector<Pair> pairs = task->pairs_of_length(length, 40, 1);
      REQUIRE(pairs.size() == 40);
      std::set<Tokens> distinct;
      for (const Pair& pair : pairs) {
        CHECK(pair.source.size() == static_cast<std::size_t>(length));
        CHECK_FALSE(trained.contains(pair.source));
        distinct.insert(pair.source);
      }
      CHECK(distinct.size() == 40);
      CHECK(task->pairs_of_length(length, 40, 1)[39].source == pairs[39].source);
      CHECK(task->pairs_of_length(length, 40, 2)[39].source != pairs[39].source);
    }
  }
  CHECK(make_task("addition")->pairs_of_length(5, 10, 1).size() == 10);
  CHECK(make_task("addition")->pairs_of_length(50, 10, 1).empty());
}

TEST_CASE("the search for pairs of one length ends, however many are asked for") {
  int draws = 0;
  const auto counted = [&](Random&, int length) {
    ++draws;
    return Pair{.source = Tokens(static_cast<std::size_t>(length), "a"), .target = {"b"}, .alignment = {}};
  };
  const Pair few[] = {{.source = {"a"}, .target = {"b"}, .alignment = {}},
                      {.source = {"b"}, .target = {"a"}, .alignment = {}}};
  const Task task({.name = "a's", .separator = " ", .pairs = {few, few + 2}, .draw = counted});
  for (const int count : {1, 50, 100'000, 100'000'000}) {
    draws = 0;
    CHECK(task.pairs_of_length(3, count, 1).size() <= 1);  // there is only one
    CHECK(draws <= 200'000);
    CHECK(draws > 0);
  }
  CHECK(make_task("reverse")->pairs_of_length(8, 2000, 1).size() == 2000);
}

TEST_CASE("text becomes tokens and text again") {
  CHECK(split_text(" l' été \t est\n", " ") == Tokens{"l'", "été", "est"});
  CHECK(split_text(" été ç", "") == Tokens{"é", "t", "é", " ", "ç"});
  CHECK(join({"é", "t", "é"}, "") == "été");
  const std::shared_ptr<const Task> task = make_task("translate-en-fr");
  CHECK(task->tokenise("The man SEES I") == Tokens{"the", "man", "sees", "I"});
  CHECK(task->tokenise("the gnu") == Tokens{"the", "gnu"});
  CHECK(task->source_vocabulary().id("gnu") == unk_id);
  CHECK(REFUSAL(input, task->tokenise("  ")) == "The text is empty: write 1 to 63 words.");
  CHECK(REFUSAL(input, task->tokenise(repeated("the ", 65))) == "The text has 65 words: use at most 63.");
}
