#include "engine/train/evaluate.h"

#include <new>

#include "tests/engine/support/test.h"

namespace {

constexpr double sure = 0.9;  // the probability that the copier gives to its token; the others share the rest

// Copies its source, if both sides have the same words, and ends; for sources of `faulty` tokens it omits the last. It
// attends to the token that it copies, or always to the first.
struct Copier : Generator {
  Copier(int V, int faulty, bool looks_along = true) : V(V), faulty(faulty), looks_along(looks_along) {}

  GeneratorState start(const Tensor& source) override {
    largest_batch = std::max(largest_batch, source.shape()[0]);
    return GeneratorState(source);
  }

  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    recorded |= Tape::live() != nullptr;
    const Tensor source = state.as<Tensor>();
    const int R = tokens.shape()[0], S = source.shape()[1], t = state.position;
    Tensor p = Tensor::full({R, V}, (1 - sure) / (V - 1)), weights = Tensor::full({R, S}, 0);
    for (int row = 0; row < R; ++row) {
      const Scalar* ids = source.data() + row * S;
      const int length = static_cast<int>(std::find(ids, ids + S, Scalar(pad_id)) - ids);
      const int copied = length == faulty ? length - 1 : length;
      p.data()[row * V + (t < copied ? static_cast<int>(ids[t]) : eos_id)] = sure;
      weights.data()[row * S + (looks_along ? std::min(t, S - 1) : 0)] = 1;
    }
    ++state.position;
    return {log(p), weights};
  }

  int V, faulty;
  bool looks_along;
  int largest_batch = 0;
  bool recorded = false;
};

// Fails once, when it reads a batch for the second time: to decode freely after forced decoding.
struct Failing : Copier {
  using Copier::Copier;
  GeneratorState start(const Tensor& source) override {
    if (++begun == 2) throw std::bad_alloc();
    return Copier::start(source);
  }
  int begun = 0;
};

// Copying all words of 1 to 3 letters out of five; position i is aligned to position i.
Task copied_letters() {
  Corpus corpus{.name = "copying", .separator = " ", .pairs = {}};
  const std::vector<std::string> letters = {"a", "b", "c", "d", "e"};
  std::vector<Tokens> words = {{}};
  for (std::size_t i = 0; i < words.size() && words[i].size() < 3; ++i)
    for (const std::string& letter : letters) {
      words.push_back(words[i]);
      words.back().push_back(letter);
    }
  for (std::size_t i = 1; i < words.size(); ++i) {
    Pair pair{.source = words[i], .target = words[i], .alignment = {}};
    for (int t = 0; t < static_cast<int>(words[i].size()); ++t) pair.alignment.emplace_back(t, t);
    corpus.pairs.push_back(pair);
  }
  return Task(corpus);
}

int size_of(const Task& task) { return task.target_vocabulary().size(); }

std::pair<Task, Copier> copying(int faulty, bool looks_along = true) {
  Task task = copied_letters();
  const Copier copier(size_of(task), faulty, looks_along);
  return {std::move(task), copier};
}

Tokens words(std::string_view text) { return split_text(text, " "); }

Bleu bleu(const std::vector<Tokens>& outputs, const std::vector<Tokens>& references) {
  Bleu all;
  for (std::size_t i = 0; i < outputs.size(); ++i) all.add(outputs[i], references[i]);
  return all;
}

}  // namespace

TEST_CASE("a model that is always right: exact match 1, alignment error 0, perplexity 1 / p; nothing is recorded") {
  auto [task, copier] = copying(0);
  LiveTape trace(Tape::Detail::trace);
  const Evaluation found = evaluate(copier, task, Split::train);
  CHECK(found.pairs == static_cast<int>(task.pairs(Split::train).size()));
  CHECK(found.exact_match == 1);
  CHECK(found.bleu.precision(1) == 1);
  CHECK(found.bleu.brevity_penalty() == 1);
  CHECK(found.alignment.rate() == 0);
  CHECK(found.alignment.links > 100);
  CHECK(found.perplexity == doctest::Approx(1 / sure));
  CHECK(trace.nodes().empty());
  CHECK_FALSE(copier.recorded);
}

TEST_CASE("errors are counted by the length of the source") {
  auto [task, copier] = copying(2);
  const Evaluation found = evaluate(copier, task, Split::train);
  int pairs = 0;
  for (const auto& [length, result] : found.by_length) {
    CHECK(result.exact == (length == 2 ? 0 : result.pairs));
    pairs += result.pairs;
  }
  CHECK(pairs == found.pairs);
  CHECK(found.exact_match == doctest::Approx(1 - double(found.by_length.at(2).pairs) / pairs));
  CHECK(found.bleu.brevity_penalty() < 1);
}

TEST_CASE("perplexity counts the wrong token and the <eos> that follows") {
  auto [task, copier] = copying(2);
  std::vector<const Pair*> pairs;
  for (const Pair& pair : task.pairs(Split::train))
    if (pair.source.size() == 2) pairs.push_back(&pair);
  Evaluator evaluator(copier, task, pairs);
  evaluator.next();
  // Right at first, wrong at the second token, right at <eos>.
  const double other = (1 - sure) / (size_of(task) - 1);
  CHECK(evaluator.result().perplexity == doctest::Approx(std::exp(-(2 * std::log(sure) + std::log(other)) / 3)));
}

TEST_CASE("alignment is measured on the true target: wrong links count, whatever is generated") {
  auto [task, copier] = copying(0, false);
  const Evaluation found = evaluate(copier, task, Split::train);
  CHECK(found.exact_match == 1);
  // It always attends to the first token: one link in n is right.
  CHECK(found.alignment.found == found.pairs);
  CHECK(found.alignment.rate() == doctest::Approx(1 - double(found.pairs) / found.alignment.true_links));
}

TEST_CASE("an evaluator works in batches of 64, and has a result at any time") {
  auto [task, copier] = copying(3);
  Evaluator evaluator(copier, task, spread(task.pairs(Split::train), 0));
  CHECK(evaluator.result().pairs == 0);
  CHECK(evaluator.next());
  CHECK(evaluator.done() == 64);
  CHECK(evaluator.result().by_length.contains(1));
  while (evaluator.next()) CHECK(evaluator.done() % 64 == 0);
  CHECK_FALSE(evaluator.next());
  CHECK(evaluator.done() == evaluator.size());
  CHECK(copier.largest_batch == 64);
  CHECK(evaluator.result().exact_match == evaluate(copier, task, Split::train).exact_match);
}

TEST_CASE("a batch that fails half-way adds nothing") {
  auto [task, copier] = copying(3);
  Failing failing(size_of(task), 3);
  const std::vector<const Pair*> pairs = spread(task.pairs(Split::train), 64);
  Evaluator whole(copier, task, pairs), again(failing, task, pairs);
  whole.next();
  CHECK_THROWS_AS(again.next(), std::bad_alloc);
  CHECK(again.done() == 0);
  CHECK(again.result().perplexity == 1);
  again.next();
  CHECK(again.result().perplexity == whole.result().perplexity);
  CHECK(again.result().alignment.links == whole.result().alignment.links);
}

TEST_CASE("batches of long sequences are smaller, to limit the time of each") {
  auto [task, copier] = copying(0);
  Pair pair{.source = Tokens(20, "a"), .target = Tokens(19, "a"), .alignment = {}};
  Evaluator evaluator(copier, task, std::vector<const Pair*>(50, &pair));
  evaluator.next();
  CHECK(evaluator.done() == 20);  // rows of 20 · 20, at most 8192 in all
  pair.source = Tokens(60, "a");
  evaluator.next();
  CHECK(evaluator.done() == 28);
}

TEST_CASE("a limit selects evenly spread, distinct pairs") {
  auto [task, copier] = copying(0);
  const std::vector<Pair>& pairs = task.pairs(Split::train);
  const std::vector<const Pair*> ten = spread(pairs, 10);
  CHECK(std::set<const Pair*>(ten.begin(), ten.end()).size() == 10);
  CHECK(ten[0] == pairs.data());
  CHECK(ten[9] - ten[0] > static_cast<std::ptrdiff_t>(pairs.size() * 8 / 10));
  CHECK(spread(pairs, 100000).size() == pairs.size());
  CHECK(evaluate(copier, task, Split::train, 10).pairs == 10);
  CHECK(REFUSAL(config, spread(pairs, -1)) == "limit is -1: use 0 (all pairs) or how many pairs to take.");
}

// Papineni's example 2: "the" occurs seven times, but twice in the reference: 2/7.
TEST_CASE("BLEU clips repeated words") {
  const Bleu result = bleu({words("the the the the the the the")}, {words("the cat is on the mat")});
  CHECK(result.precision(1) == doctest::Approx(2.0 / 7));
  CHECK(result.precision(2) == 0);
  CHECK(result.brevity_penalty() == 1);
  CHECK(result.score() == 0);
}

// Output a b c d x, reference a b c d e f: words 4 of 5, pairs ab bc cd of 4, triples abc bcd of 3, abcd of 2;
// 4/5 · 3/4 · 2/3 · 1/2 = 1/5, its fourth root 0.668740; 5 words for 6: exp(1 − 6/5) = 0.818731; 0.547518 in all.
TEST_CASE("BLEU of a sentence worked by hand") {
  const Bleu result = bleu({words("a b c d x")}, {words("a b c d e f")});
  CHECK(result.precision(1) == doctest::Approx(0.8));
  CHECK(result.precision(2) == doctest::Approx(0.75));
  CHECK(result.precision(3) == doctest::Approx(2.0 / 3));
  CHECK(result.precision(4) == doctest::Approx(0.5));
  CHECK(result.brevity_penalty() == doctest::Approx(0.818731).epsilon(1e-5));
  CHECK(result.score() == doctest::Approx(0.547518).epsilon(1e-5));
}

// Counts are summed before they are divided: with the sentence above, a b c d → a b c d gives words (4+4)/(5+4),
// pairs (3+3)/(4+3), triples (2+2)/(3+2), fours (1+1)/(2+1); 9 words for 10.
TEST_CASE("BLEU is computed over the corpus, not as a mean over sentences") {
  const Bleu result = bleu({words("a b c d x"), words("a b c d")}, {words("a b c d e f"), words("a b c d")});
  CHECK(result.matches == std::array<int, 4>{8, 6, 4, 2});
  CHECK(result.ngrams == std::array<int, 4>{9, 7, 5, 3});
  CHECK(result.output_length == 9);
  CHECK(result.reference_length == 10);
  CHECK(result.score() == doctest::Approx(std::exp(1 - 10.0 / 9) * std::pow(8 * 6 * 4 * 2 / (9.0 * 7 * 5 * 3), 0.25)));
}

TEST_CASE("BLEU of perfect output, of empty output and of none") {
  CHECK(bleu({words("a b c d e")}, {words("a b c d e")}).score() == 1);
  CHECK(bleu({{}}, {words("a")}).brevity_penalty() == 0);
  CHECK(bleu({{}}, {words("a")}).score() == 0);
  CHECK(bleu({}, {}).score() == 0);
}

// |A| = 3, |S| = 4, two links in both: 1 − 2·2/(3 + 4) = 3/7.
// The numbers are Python's, from the definition with counted n-grams.
TEST_CASE("BLEU of a sentence, step by step on the tape, has the counts of the measure") {
  // le chat est sur le le tapis, le chat est sur le tapis noir aussi
  const Tensor output({7}, {4, 5, 6, 7, 4, 4, 8}), reference({8}, {4, 5, 6, 7, 4, 8, 9, 10});
  LiveTape trace(Tape::Detail::trace);
  traced_bleu(output, reference);
  const auto value = [&](const char* name) { return node(trace, name).value; };
  expect(value("bleu.n1/in_reference"), {7, 1}, {2, 1, 1, 1, 2, 2, 1});
  expect(value("bleu.n1/seen"), {7, 1}, {1, 1, 1, 1, 2, 3, 1});
  expect(value("bleu.n1/counts"), {7, 1}, {1, 1, 1, 1, 1, 0, 1});
  expect(value("bleu.n2/in_reference"), {6, 1}, {1, 1, 1, 1, 0, 1});
  expect(value("bleu.n3/in_reference"), {5, 1}, {1, 1, 1, 0, 0});
  expect(value("bleu.n4/in_reference"), {4, 1}, {1, 1, 0, 0});
  expect(value("bleu/brevity_penalty"), {}, {0.8668778997501817});
  expect(value("bleu/score"), {}, {0.5898019932366151});
}

TEST_CASE("traced BLEU and BLEU agree on random sentences, in every count to the bit") {
  Random random(3);
  const auto words = [&](int most) {
    std::vector<Scalar> ids;
    const int length = 1 + random.below(most);
    for (int i = 0; i < length; ++i) ids.push_back(static_cast<Scalar>(4 + random.below(4)));
    return ids;
  };
  const auto texts = [](const std::vector<Scalar>& ids) {
    Tokens tokens;
    for (const Scalar id : ids) tokens.push_back(std::to_string(static_cast<int>(id)));
    return tokens;
  };
  int positive = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<Scalar> output = words(12), reference = words(12);
    Bleu bleu;
    bleu.add(texts(output), texts(reference));
    LiveTape trace(Tape::Detail::trace);
    const Scalar score =
        traced_bleu({{static_cast<int>(output.size())}, output}, {{static_cast<int>(reference.size())}, reference})
            .item();
    CHECK(score == doctest::Approx(bleu.score()).epsilon(1e-6));
    positive += score > 0;
    for (int n = 1; n <= Bleu::max_order; ++n)
      if (const int id = trace.find("bleu.n" + std::to_string(n) + "/matches"); id >= 0)
        CHECK(trace.nodes()[id].value.item() == static_cast<Scalar>(bleu.matches[n - 1]));
      else
        CHECK(bleu.ngrams[n - 1] == 0);
  }
  CHECK(positive > 10);
}

TEST_CASE("the alignment error rate of a pair, step by step on the tape, is the measure's") {
  const Tensor attention({3, 4}, {0.1, 0.2, 0.6, 0.1, 0.4, 0.4, 0.1, 0.1, 0, 0, 0, 1});
  const Alignment gold = {{2, 0}, {1, 1}, {3, 2}, {2, 2}};
  Tensor matrix = Tensor::full({3, 4}, 0);
  for (const auto& [source, target] : gold) matrix.data()[target * 4 + source] = 1;
  LiveTape trace(Tape::Detail::trace);
  const Scalar rate = traced_alignment_error(attention, matrix).item();
  expect(node(trace, "alignment_error/links").value, {3, 4}, {0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1});
  expect(node(trace, "alignment_error/both").value, {3, 4}, {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  CHECK(rate == doctest::Approx(1 - 2 * 2.0 / (3 + 4)));
  AlignmentErrors errors;
  errors.add(hard_links(attention, 4, 3), {.source = {}, .target = {}, .alignment = gold});
  CHECK(rate == doctest::Approx(errors.rate()).epsilon(1e-6));
}

TEST_CASE("the edit distance, worked by hand") {
  const auto distance = [](std::string_view from, std::string_view to) {
    const auto letters = [](std::string_view word) {
      Tokens tokens;
      for (const char letter : word) tokens.emplace_back(1, letter);
      return tokens;
    };
    CHECK(edit_distance(letters(to), letters(from)) == edit_distance(letters(from), letters(to)));
    return edit_distance(letters(from), letters(to));
  };
  CHECK(distance("", "") == 0);
  CHECK(distance("abc", "") == 3);
  CHECK(distance("kitten", "sitting") == 3);
  CHECK(distance("chfdb", "chdffb") == 2);
  CHECK(distance("abcdef", "bcdefa") == 2);
}

TEST_CASE("a token left out is one edit, and all tokens after it stand at a wrong place") {
  TokenErrors errors;
  CHECK(errors.rate() == 0);
  errors.add({"a", "c", "d", "e"}, {"a", "b", "c", "d", "e"});
  CHECK(errors.edits == 1);
  CHECK(errors.misplaced == 4);
  errors.add({"a", "b", "c"}, {"a", "b", "c"});
  CHECK(errors.rate() == doctest::Approx(1.0 / 8));
  CHECK(errors.misplaced_share() == doctest::Approx(4.0 / 8));
  errors.add({"a", "b", "c", "c"}, {"a", "b", "c"});
  CHECK(errors.edits == 2);
  CHECK(errors.misplaced == 4);
}

TEST_CASE("the alignment error rate, worked by hand") {
  const Pair pair{words("x y z"), words("u v w"), {{0, 0}, {1, 1}, {2, 1}, {0, 2}}};
  AlignmentErrors errors;
  CHECK(errors.rate() == 0);
  errors.add({{0, 0}, {2, 1}, {2, 2}}, pair);
  CHECK(errors.rate() == doctest::Approx(3.0 / 7));
  errors.add(pair.alignment, pair);  // 6 of 7 and 8: 1 − 12/15
  CHECK(errors.rate() == doctest::Approx(0.2));
}

TEST_CASE("hard links take the largest weight, the first among equals, and leave out <eos> and padding") {
  const Tensor attention({3, 4}, {0.1, 0.5, 0.1, 0.3, 0.4, 0.1, 0.4, 0.1, 0, 0, 0, 1});
  CHECK(hard_links(attention, 3, 2) == Alignment{{1, 0}, {0, 1}});
  CHECK(hard_links(attention, 4, 3) == Alignment{{1, 0}, {0, 1}, {3, 2}});
  CHECK(REFUSAL(shape, hard_links(attention, 5, 3)) == "[hard_links] attention is (3, 4): it must be at least (3, 5).");
}

TEST_CASE("a pronoun counts as right at its place in the target, whatever else is generated") {
  Pair pair{words("because it was wide"), words("parce qu' elle était large"), {}};
  PronounResult result;
  result.add(words("parce qu' elle"), pair);
  CHECK(result.pronouns == 0);
  pair.pronoun = 2;
  result.add(words("parce qu' elle était fatigué"), pair);
  result.add(words("parce qu' il était large"), pair);
  result.add(words("parce"), pair);
  result.add({}, pair);
  CHECK(result.pronouns == 4);
  CHECK(result.right == 1);
  CHECK(result.share() == 0.25);
}

TEST_CASE("perplexity: a uniform choice of eight has the loss ln 8 and the perplexity 8") {
  CHECK(perplexity(std::log(8.0)) == doctest::Approx(8).epsilon(1e-6));
  CHECK(perplexity(0) == 1);
}
