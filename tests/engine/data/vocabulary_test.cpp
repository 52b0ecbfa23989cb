#include "engine/data/vocabulary.h"

#include "tests/engine/support/test.h"

TEST_CASE("the four special tokens come first, then the tokens in their order") {
  const Vocabulary words({"chat", "été"});
  CHECK(words.size() == 6);
  CHECK(words.token(pad_id) == "<pad>");
  CHECK(words.token(bos_id) == "<bos>");
  CHECK(words.token(eos_id) == "<eos>");
  CHECK(words.token(unk_id) == "<unk>");
  CHECK(words.id("chat") == 4);
  CHECK(words.id("été") == 5);
  CHECK(words.contains("été"));
  CHECK_FALSE(words.contains("ete"));
  CHECK(words.id("ete") == unk_id);
}

TEST_CASE("tokens become ids, and ids tokens, one by one") {
  const Vocabulary words({"a", "b"});
  CHECK(words.ids({"b", "z", "a"}) == std::vector<int>{5, unk_id, 4});
  CHECK(words.tokens({bos_id, 5, unk_id, 4, eos_id, pad_id}) == Tokens{"<bos>", "b", "<unk>", "a", "<eos>", "<pad>"});
  CHECK(words.tokens({}).empty());
}

TEST_CASE("a vocabulary of sentences is distinct and sorted by bytes") {
  const Tokens one = {"b", "é", "a"}, two = {"b", "B"};
  const Vocabulary words = vocabulary_of({&one, &two});
  CHECK(words.tokens({4, 5, 6, 7}) == Tokens{"B", "a", "b", "é"});
}

TEST_CASE("ids out of range and repeated tokens are refused") {
  const Vocabulary words({"a"});
  CHECK(REFUSAL(input, words.token(5)) == "The token id is 5: use a number from 0 to 4.");
  CHECK(REFUSAL(input, words.token(-1)) == "The token id is -1: use a number from 0 to 4.");
  CHECK(REFUSAL(input, Vocabulary({"a", "a"})) == "The token \"a\" is in the vocabulary twice: list each token once.");
}
