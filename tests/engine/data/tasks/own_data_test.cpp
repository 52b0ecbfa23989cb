#include "engine/data/tasks/own_data.h"

#include "tests/engine/support/own_data.h"

namespace {

std::string refused(const std::string& text) { return REFUSAL(input, parse_pairs(text)); }

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

std::size_t size_of(const Task& task) {
  return task.pairs(Split::train).size() + task.pairs(Split::validation).size() + task.pairs(Split::test).size();
}

}  // namespace

TEST_CASE("pairs without spaces are split into characters, including accented ones") {
  const std::unique_ptr<Task> task = parse_pairs("été\tsummer\r\n\r\nnoël\tchristmas");
  CHECK(task->name() == "own-pairs");
  CHECK(task->separator().empty());
  CHECK(size_of(*task) == 2);
  CHECK(task->source_vocabulary().contains("é"));
  CHECK(task->tokenise("né") == Tokens{"n", "é"});
  CHECK_FALSE(task->pairs(Split::train).empty());
}

TEST_CASE("a single space on either side makes all pairs words") {
  const std::unique_ptr<Task> task = parse_pairs("hello\tbonjour\ngood  night \tbonne nuit\n");
  CHECK(task->separator() == " ");
  CHECK(task->source_vocabulary().contains("hello"));
  CHECK(task->source_vocabulary().contains("night"));
  CHECK(task->target_vocabulary().contains("bonne"));
}

TEST_CASE("if sources repeat, the first counts") {
  const std::unique_ptr<Task> task = parse_pairs("a\tx\na\ty\nb\tz\n");
  CHECK(size_of(*task) == 2);
  CHECK_FALSE(task->target_vocabulary().contains("y"));
}

TEST_CASE("bad pairs are refused in one sentence that names the line") {
  CHECK(refused("") == "There is no pair: give at least two lines of source, tab, target.");
  CHECK(refused("a\tb") == "There is one pair only: give at least two lines of source, tab, target.");
  CHECK(refused("a\tb\n\nc d\n") == "Line 3 has no tab: write source, tab, target.");
  CHECK(refused("a\tb\nc\td\te\n") == "Line 2 has more than one tab: write source, tab, target.");
  CHECK(refused("a\tb\n \td\n") == "Line 2 has no source: write something before the tab.");
  CHECK(refused("a\t \nb\td\n") == "Line 1 has no target: write something after the tab.");
  CHECK(refused("a b\tc\nd\t" + repeated("e ", 65)) == "The target of line 2 has 65 words: use at most 63.");
  CHECK(refused(repeated("é", 65) + "\tc\nd\te") == "The source of line 1 has 65 characters: use at most 63.");
  CHECK(refused("a\tb\naa\tbc") == "All sources together hold one token: give pairs with at least two different ones.");
  CHECK(refused("a\tb\nc\tbb") == "All targets together hold one token: give pairs with at least two different ones.");
  CHECK(refused(repeated("a\tb\n", 20'001)) == "There are more than 20000 lines: leave out those from line 20001 on.");
}

TEST_CASE("sides of 63 tokens and 20,000 lines are allowed") {
  CHECK(size_of(*parse_pairs(repeated("é", 63) + "\tab\nd\te")) == 2);
  CHECK(size_of(*parse_pairs(repeated("a\tb\n", 19'999) + "c\td")) == 2);
}

TEST_CASE("five thousand random changes of pairs give a usable task or are refused") {
  const Text characters = "été\tsummer\r\n\nnoël\tchristmas\nami\tfriend\n€5\tfive\n";
  const Text words = "good day\tbonjour\nthank you\tmerci bien\nyes\toui\nno\tnon\nsee you\tà bientôt\n";
  check_damaged({characters, words}, [](const Text& text) { return parse_pairs(text); });
}
