#include "engine/data/tasks/own_data.h"

#include "tests/engine/support/own_data.h"

namespace {

std::string refused(const std::string& text) { return REFUSAL(input, parse_pairs(text)); }

std::string refused(const std::string& text, bool words) { return REFUSAL(input, parse_text(text, words)); }

// "0 1 2 3 …"
std::string numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(i) + ' ';
  return text;
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

TEST_CASE("a single space on either side makes all pairs words; if sources repeat, the first counts") {
  const std::unique_ptr<Task> task = parse_pairs("hello\tbonjour\ngood  night \tbonne nuit\n");
  CHECK(task->separator() == " ");
  CHECK(task->source_vocabulary().contains("hello"));
  CHECK(task->source_vocabulary().contains("night"));
  CHECK(task->target_vocabulary().contains("bonne"));
  const std::unique_ptr<Task> repeating = parse_pairs("a\tx\na\ty\nb\tz\n");
  CHECK(size_of(*repeating) == 2);
  CHECK_FALSE(repeating->target_vocabulary().contains("y"));
}

TEST_CASE("bad pairs are refused with their line; sides of 63 tokens and 20,000 lines are allowed") {
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
  CHECK(size_of(*parse_pairs(repeated("é", 63) + "\tab\nd\te")) == 2);
  CHECK(size_of(*parse_pairs(repeated("a\tb\n", 19'999) + "c\td")) == 2);
}

TEST_CASE("a word that the model uses itself is refused with its line, and so in a source") {
  CHECK(refused("a b\tc\nd\te <bos>\n") ==
        "The target of line 2 has the word <bos>, which the model uses itself: leave it out.");
  CHECK(refused("a b\tc\n<pad>\te\n") ==
        "The source of line 2 has the word <pad>, which the model uses itself: leave it out.");
  const std::unique_ptr<Task> task = parse_pairs("a b\tc\nd <unk>\te\n");
  CHECK(task->source_vocabulary().size() == 4 + 3);
  CHECK(REFUSAL(input, task->tokenise("a <pad> b")) ==
        "The text has the word <pad>, which the model uses itself: leave it out.");
  CHECK(task->tokenise("a <unk>") == Tokens{"a", "<unk>"});
  CHECK(parse_pairs("<pad>\tx\nab\tyz\n")->tokenise("<pad>").size() == 5);  // as characters
}

TEST_CASE("pairs that say how they are read are read so") {
  const std::string pairs = "go on\tbonjour\nb\tya\n";
  CHECK(parse_pairs(pairs, PairTokens::characters)->tokenise("o n") == Tokens{"o", " ", "n"});
  CHECK(parse_pairs("go\tallez\nb\tya\n", PairTokens::words)->tokenise("go") == Tokens{"go"});
}

TEST_CASE("code points with a joiner between them are one token, also where a source is typed") {
  const std::unique_ptr<Task> task =
      parse_pairs("e\x1f\u0301a\x1f\x1f\u0308\tab\n👋\x1f🏽e👋\tcd\x1f\n\x1fx\ty", PairTokens::characters);
  CHECK(task->source_vocabulary().size() == 4 + 6);
  CHECK(task->target_vocabulary().size() == 4 + 5);
  CHECK(task->tokenise("e\u0301e👋🏽👋x") == Tokens{"e\u0301", "e", "👋🏽", "👋", "x"});
  CHECK(task->tokenise("<unk>").size() == 5);
  CHECK(task->split("👋🏽") == Tokens{"👋🏽"});
  CHECK(parse_pairs("go e\x1f\u0301\tb\nc\td", PairTokens::words)->source_vocabulary().contains("e\u0301"));
  CHECK(REFUSAL(input, parse_pairs("ab\tc\nd\t\x1f", PairTokens::characters)) ==
        "The target of line 2 has no character: write one.");
}

TEST_CASE("pairs of today are split 80, 10 and 10 % whatever their words; those saved before as they were") {
  const auto sizes = [](const std::string& text, PairTokens read_as) {
    const std::unique_ptr<Task> task = parse_pairs(text, read_as);
    std::vector<std::size_t> sizes;
    for (const Split split : splits) sizes.push_back(task->pairs(split).size());
    return sizes;
  };
  using Sizes = std::vector<std::size_t>;
  std::string numbered, ones;
  for (int i = 0; i < 42; ++i) numbered += "word" + std::to_string(i) + "\tmot" + std::to_string(i) + " .\n";
  for (int i = 0; i < 40; ++i) ones += "one " + std::to_string(i) + "\tun " + std::to_string(i) + "\n";
  CHECK(sizes(numbered, PairTokens::unsaid) == Sizes{42, 0, 0});
  CHECK(sizes(numbered, PairTokens::words) == Sizes{34, 4, 4});
  CHECK(sizes(ones, PairTokens::unsaid) == Sizes{10, 0, 30});
  CHECK(sizes(ones, PairTokens::words) == Sizes{32, 4, 4});
  CHECK(sizes("a\tx\nb\ty\nc\tz\nd\tx\n", PairTokens::words) == Sizes{4, 0, 0});
  CHECK(sizes("a\tx\nb\ty\nc\tz\nd\tx\ne\ty\na\tz\n", PairTokens::words) == Sizes{3, 1, 1});
}

TEST_CASE("an even split does not depend on the order of the lines, and keeps similar sources apart") {
  std::string up, down;
  for (int i = 0; i < 100; ++i) {
    const std::string line = "word" + std::to_string(i) + "\tmot" + std::to_string(i) + "\n";
    up += line, down = line + down;
  }
  const auto tests = [](const std::string& text) {
    std::set<Tokens> sources;
    const std::unique_ptr<Task> task = parse_pairs(text, PairTokens::words);
    for (const Pair& pair : task->pairs(Split::test)) sources.insert(pair.source);
    return sources;
  };
  CHECK(tests(up) == tests(down));
  std::set<char> last;
  for (const Tokens& source : tests(up)) last.insert(source[0].back());
  CHECK(last.size() >= 4);
}

TEST_CASE("five thousand random changes of pairs give a usable task or are refused") {
  const Text characters = "été\tsummer\r\n\nnoël\tchristmas\nami\tfriend\n€5\tfive\n";
  const Text words = "good day\tbonjour\nthank you\tmerci bien\nyes\toui\nno\tnon\nsee you\tà bientôt\n";
  check_damaged({characters, words}, [](const Text& text) { return parse_pairs(text); });
}

TEST_CASE("a text is words, or characters, of which spaces are some, also at the ends of the input") {
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
  const std::unique_ptr<Task> lines = parse_text(repeated("one two\n", 20), false);
  CHECK(lines->tokenise(" o ") == Tokens{" ", "o", " "});
  CHECK(lines->tokenise("\n") == Tokens{"\n"});
  CHECK(parse_text(repeated("one two\n", 60), true)->tokenise(" one ") == Tokens{"one"});
}

TEST_CASE("windows are consecutive in all splits and share no word; a small text has 12, a long one windows of 64") {
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

TEST_CASE("five thousand random changes of a text give a usable task or are refused") {
  const Text text = repeated("the cat sat à côté on the mat ", 14);  // 112 words
  for (const bool words : {true, false}) {
    CAPTURE(words);
    check_damaged({words ? text : text.substr(0, 130)}, [&](const Text& each) { return parse_text(each, words); });
  }
}
