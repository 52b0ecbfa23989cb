#include "engine/data/dataset.h"

#include "engine/data/tasks/own_data.h"
#include "engine/data/vocabulary.h"
#include "tests/engine/support/test.h"

TEST_CASE("a vocabulary: four special tokens, then the others in their order or sorted by bytes; ids out of range") {
  const Vocabulary words({"chat", "été"});
  CHECK(words.size() == 6);
  CHECK(words.tokens({pad_id, bos_id, eos_id, unk_id}) == Tokens{"<pad>", "<bos>", "<eos>", "<unk>"});
  CHECK(words.id("chat") == 4);
  CHECK(words.id("été") == 5);
  CHECK(words.contains("été"));
  CHECK_FALSE(words.contains("ete"));
  CHECK(words.id("ete") == unk_id);
  const Vocabulary letters({"a", "b"});
  CHECK(letters.ids({"b", "z", "a"}) == std::vector<int>{5, unk_id, 4});
  CHECK(letters.tokens({bos_id, 5, unk_id, 4, eos_id, pad_id}) == Tokens{"<bos>", "b", "<unk>", "a", "<eos>", "<pad>"});
  CHECK(letters.tokens({}).empty());
  const Tokens one = {"b", "é", "a"}, two = {"b", "B"};
  CHECK(vocabulary_of({&one, &two}).tokens({4, 5, 6, 7}) == Tokens{"B", "a", "b", "é"});
  for (const int id : {6, -1})
    CHECK(REFUSAL(input, letters.token(id)) == "The token id is " + std::to_string(id) + ": use a number from 0 to 5.");
  CHECK(REFUSAL(input, Vocabulary({"a", "a"})) == "The token \"a\" is in the vocabulary twice: list each token once.");
}

namespace {

const Task& reversing() {
  static const std::shared_ptr<const Task> task = make_task("reverse");
  return *task;
}

bool equal(const Batch& a, const Batch& b) {
  return a.pairs == b.pairs && same_bits(a.source, b.source) && same_bits(a.target_in, b.target_in) &&
         same_bits(a.target_out, b.target_out);
}

}  // namespace

TEST_CASE("a batch holds ids, <bos>, <eos> and padding in their places") {
  const std::unique_ptr<Task> task = parse_pairs("ab\tba\na\ta\n");  // a is 4, b is 5
  const Pair long_pair{{"a", "b"}, {"b", "a"}, {}}, short_pair{{"a"}, {"a"}, {}};
  const Batch batch = make_batch(*task, {&long_pair, &short_pair});
  expect(batch.source, {2, 2}, {4, 5, 4, pad_id});
  expect(batch.target_in, {2, 3}, {bos_id, 5, 4, bos_id, 4, pad_id});
  expect(batch.target_out, {2, 3}, {5, 4, eos_id, 4, eos_id, pad_id});
}

TEST_CASE("every word of a text is a target, including its prompt; a window has no <eos>") {
  Corpus corpus{.name = "texts", .separator = " ", .pairs = {{{}, {"a", "b"}, {}}}, .form = Form::texts};
  const Pair opened{{"a"}, {"b", "a"}, {}}, whole{{}, {"b"}, {}}, other{{"b"}, {"a", "a"}, {}};  // a is 4, b is 5
  const Batch texts = make_batch(Task(corpus), {&opened, &whole});
  CHECK(texts.source.shape() == Shape{2, 0});
  expect(texts.target_in, {2, 4}, {bos_id, 4, 5, 4, bos_id, 5, pad_id, pad_id});
  expect(texts.target_out, {2, 4}, {4, 5, 4, eos_id, 5, eos_id, pad_id, pad_id});
  corpus.form = Form::windows;
  const Batch windows = make_batch(Task(corpus), {&opened, &other});
  expect(windows.target_in, {2, 3}, {bos_id, 4, 5, bos_id, 5, 4});
  expect(windows.target_out, {2, 3}, {4, 5, 4, 5, 4, 4});
}

TEST_CASE("stories make batches of similar length") {
  const Dataset data(*make_task("stories"), Split::train, 16);
  for (std::uint64_t step = 0; step < 20; ++step) {
    const Batch batch = data.batch(1, step);
    CHECK(batch.pairs.size() == 16);
    for (const Pair* pair : batch.pairs) CHECK(std::ssize(pair->target) + 4 >= batch.target_in.shape()[1]);
  }
}

TEST_CASE("a batch is a function of seed and step alone") {
  const Dataset one(reversing(), Split::train, 64), two(reversing(), Split::train, 64);
  const Batch tenth = one.batch(7, 10);
  for (std::uint64_t step = 0; step < 10; ++step) one.batch(7, step);
  CHECK(equal(one.batch(7, 10), tenth));
  CHECK(equal(two.batch(7, 10), tenth));
  CHECK_FALSE(equal(one.batch(7, 11), tenth));
  CHECK_FALSE(equal(one.batch(8, 10), tenth));
}

TEST_CASE("a batch of short pairs has the configured size, similar lengths and no pair twice") {
  const Dataset data(*make_task("translate-en-fr"), Split::train, 32);
  int padding = 0, ids = 0;
  for (std::uint64_t step = 0; step < 200; ++step) {
    const Batch batch = data.batch(1, step);
    const std::size_t rows = batch.pairs.size();
    REQUIRE(rows <= 32);
    if (batch.source.shape()[1] <= 20) REQUIRE(rows == 32);
    CHECK(std::set<const Pair*>(batch.pairs.begin(), batch.pairs.end()).size() == rows);
    for (const Scalar id : batch.source.values()) ++ids, padding += id == pad_id;
  }
  CHECK(padding < 0.03 * ids);
}

TEST_CASE("a batch of long pairs has fewer rows: the work of a step is bounded") {
  const Dataset data(*make_task("translate-en-fr"), Split::train, 256);
  std::size_t fewest = 256, most = 0;
  for (std::uint64_t step = 0; step < 200; ++step) {
    const Batch batch = data.batch(1, step);
    const std::size_t rows = batch.pairs.size();
    const int S = batch.source.shape()[1], T = batch.target_in.shape()[1];
    CHECK(rows * static_cast<std::size_t>(S * T) <= Dataset::max_work);
    fewest = std::min(fewest, rows);
    most = std::max(most, rows);
  }
  CHECK(fewest < 16);
  CHECK(most == 256);
}

TEST_CASE("a batch stays within its token limit unless a single row exceeds it") {
  const Dataset data(*make_task("translate-en-fr"), Split::train, 48, 30);
  for (std::uint64_t step = 0; step < 300; ++step) {
    const Shape shape = data.batch(1, step).target_in.shape();
    CHECK((shape[0] == 1 || shape[0] * shape[1] <= 30));
  }
}

TEST_CASE("long pairs are drawn as often as short ones") {
  const std::shared_ptr<const Task> task = make_task("translate-en-fr");
  int batch_tokens = 0;
  SUBCASE("rows count") {}
  SUBCASE("tokens count") { batch_tokens = 200; }
  const std::vector<Pair>& all = task->pairs(Split::train);
  const auto tokens = [](const Pair& pair) { return static_cast<double>(pair.source.size()); };
  const Dataset data(*task, Split::train, 64, batch_tokens);
  double drawn = 0, rows = 0, whole = 0;
  for (std::uint64_t step = 0; step < 8000; ++step)
    for (const Pair* pair : data.batch(5, step).pairs) drawn += tokens(*pair), ++rows;
  for (const Pair& pair : all) whole += tokens(pair);
  CHECK(drawn / rows == doctest::Approx(whole / static_cast<double>(all.size())).epsilon(0.03));
}

TEST_CASE("all pairs are drawn equally often, up to chance") {
  const Dataset data(reversing(), Split::test, 16);
  std::map<const Pair*, int> drawn;
  const int steps = 20 * static_cast<int>(reversing().pairs(Split::test).size()) / 16;
  for (int step = 0; step < steps; ++step)
    for (const Pair* pair : data.batch(3, static_cast<std::uint64_t>(step)).pairs) ++drawn[pair];
  CHECK(drawn.size() == reversing().pairs(Split::test).size());
  for (const auto& [pair, times] : drawn) CHECK((times >= 3 && times <= 50));  // 20 on average
}

TEST_CASE("if there are fewer pairs than a batch holds, it takes all; an empty split is refused") {
  const std::unique_ptr<Task> task = parse_pairs("a\tb\nb\ta\n");
  const Dataset data(*task, Split::train, 64);
  CHECK(data.batch(1, 0).pairs.size() == task->pairs(Split::train).size());
  const Split empty = task->pairs(Split::validation).empty() ? Split::validation : Split::test;
  CHECK(REFUSAL(input, Dataset(*task, empty, 64)) ==
        "The task own-pairs has no pairs in this split: give it more pairs.");
  CHECK(REFUSAL(config, Dataset(*task, Split::train, 0)) == "batch_size is 0: use 1 or more.");
  CHECK(REFUSAL(input, make_batch(*task, {})) == "The batch has no pairs: give at least one.");
}
