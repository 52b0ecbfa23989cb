#include "engine/data/tasks/text.h"

#include "tests/engine/support/own_data.h"

namespace {

std::string refused(const std::string& text, bool words) { return REFUSAL(input, parse_text(text, words)); }

// "0 1 2 3 …"
std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i) + ' ';
  return text;
}

}  // namespace

TEST_CASE("a text is words or characters") {
  const std::unique_ptr<Task> characters = parse_text(repeated("né à ", 21), false);
  CHECK(characters->name() == "own-text");
  CHECK(characters->form() == Form::windows);
  CHECK(characters->separator().empty());
  CHECK(characters->source_vocabulary().size() == 4 + 4);
  CHECK(characters->tokenise("né") == Tokens{"n", "é"});
  const std::unique_ptr<Task> words = parse_text(repeated("l' été ", 50), true);
  CHECK(words->separator() == " ");
  CHECK(words->target_vocabulary().contains("été"));
  CHECK(words->tokenise("").empty());
}

TEST_CASE("windows are consecutive, in all three splits, and share no word") {
  const std::unique_ptr<Task> task = parse_text(numbers(1000), true);
  std::vector<int> seen(1000);
  for (const Split split : splits) {
    CHECK_FALSE(task->pairs(split).empty());
    for (const Pair& pair : task->pairs(split)) {
      CHECK(pair.source.empty());
      CHECK(pair.target.size() == 50);
      for (std::size_t i = 0; i < pair.target.size(); ++i) {
        const int number = std::stoi(pair.target[i]);
        CHECK(number == std::stoi(pair.target[0]) + static_cast<int>(i));
        ++seen[static_cast<std::size_t>(number)];
      }
    }
  }
  CHECK(std::ranges::count(seen, 1) == 1000);
  CHECK(task->pairs(Split::train).size() == 16);
}

TEST_CASE("the smallest text has 12 windows, a long one windows of 64") {
  const std::unique_ptr<Task> small = parse_text(numbers(100), true);
  CHECK(small->pairs(Split::train).size() == 10);
  CHECK(small->pairs(Split::test).size() == 1);
  CHECK(parse_text(repeated("ab", 500'000), false)->pairs(Split::test)[0].target.size() == 64);
}

TEST_CASE("texts that are too short, too long or of one token are refused") {
  CHECK(refused("", false) == "The text has 0 characters: use at least 100.");
  CHECK(refused("x", false) == "The text has 1 characters: use at least 100.");
  CHECK(refused(repeated("a ", 99), true) == "The text has 99 words: use at least 100.");
  CHECK(refused(repeated("a", 200), false) ==
        "The text has one token only, \"a\": use at least two different characters.");
  CHECK(refused(std::string(10'000'000, 'a'), false) == "The text has 10000000 bytes: use at most 1048576.");
}

TEST_CASE("if there are too many different words, the rarest become <unk>, as do the names of special tokens") {
  const std::unique_ptr<Task> task = parse_text("often <pad> often <eos> " + numbers(6'000), true);
  CHECK(task->target_vocabulary().size() == 4 + 5'000);
  CHECK(task->target_vocabulary().contains("often"));
  CHECK(task->target_vocabulary().id("5999") == unk_id);  // of equally rare ones the last in byte order
  const Tokens& first = task->pairs(Split::train)[0].target;
  CHECK(Tokens(first.begin(), first.begin() + 5) == Tokens{"often", "<unk>", "often", "<unk>", "0"});
}

TEST_CASE("in a text of characters spaces are characters, also at the ends of the input") {
  const std::unique_ptr<Task> task = parse_text(repeated("one two\n", 20), false);
  CHECK(task->tokenise(" o ") == Tokens{" ", "o", " "});
  CHECK(task->tokenise("\n") == Tokens{"\n"});
  CHECK(parse_text(repeated("one two\n", 60), true)->tokenise(" one ") == Tokens{"one"});
}

TEST_CASE("five thousand random changes of a text give a usable task or are refused") {
  const Text text = repeated("the cat sat à côté on the mat ", 14);  // 112 words
  for (const bool words : {true, false}) {
    CAPTURE(words);
    check_damaged({words ? text : text.substr(0, 130)}, [&](const Text& each) { return parse_text(each, words); });
  }
}
