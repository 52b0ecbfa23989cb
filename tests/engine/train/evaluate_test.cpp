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
Task copying() {
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

}  // namespace

TEST_CASE("a model that is always right: exact match 1, alignment error 0, perplexity 1 / p") {
  const Task task = copying();
  Copier copier(size_of(task), 0);
  const Evaluation found = evaluate(copier, task, Split::train);
  CHECK(found.pairs == static_cast<int>(task.pairs(Split::train).size()));
  CHECK(found.exact_match == 1);
  CHECK(found.bleu.precision(1) == 1);
  CHECK(found.bleu.brevity_penalty() == 1);
  CHECK(found.alignment.rate() == 0);
  CHECK(found.alignment.links > 100);
  CHECK(found.perplexity == doctest::Approx(1 / sure));
}

TEST_CASE("errors are counted by the length of the source") {
  const Task task = copying();
  Copier copier(size_of(task), 2);
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
  const Task task = copying();
  Copier copier(size_of(task), 2);
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
  const Task task = copying();
  Copier copier(size_of(task), 0, false);
  const Evaluation found = evaluate(copier, task, Split::train);
  CHECK(found.exact_match == 1);
  // It always attends to the first token: one link in n is right.
  CHECK(found.alignment.found == found.pairs);
  CHECK(found.alignment.rate() == doctest::Approx(1 - double(found.pairs) / found.alignment.true_links));
}

TEST_CASE("an evaluator works in batches of 64, and has a result at any time") {
  const Task task = copying();
  Copier copier(size_of(task), 3);
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
  const Task task = copying();
  Copier copier(size_of(task), 3);
  Failing failing(size_of(task), 3);
  Evaluator whole(copier, task, spread(task.pairs(Split::train), 64)),
      again(failing, task, spread(task.pairs(Split::train), 64));
  whole.next();
  CHECK_THROWS_AS(again.next(), std::bad_alloc);
  CHECK(again.done() == 0);
  CHECK(again.result().perplexity == 1);
  again.next();
  CHECK(again.result().perplexity == whole.result().perplexity);
  CHECK(again.result().alignment.links == whole.result().alignment.links);
}

TEST_CASE("batches of long sequences are smaller, to limit the time of each") {
  const Task task = copying();
  Copier copier(size_of(task), 0);
  Pair pair{.source = Tokens(20, "a"), .target = Tokens(19, "a"), .alignment = {}};
  Evaluator evaluator(copier, task, std::vector<const Pair*>(50, &pair));
  evaluator.next();
  CHECK(evaluator.done() == 20);  // rows of 20 · 20, at most 8192 in all
  pair.source = Tokens(60, "a");
  evaluator.next();
  CHECK(evaluator.done() == 28);
}

TEST_CASE("evaluation records nothing") {
  const Task task = copying();
  Copier copier(size_of(task), 0);
  LiveTape trace(Tape::Detail::trace);
  evaluate(copier, task, Split::validation);
  CHECK(trace.nodes().empty());
  CHECK_FALSE(copier.recorded);
}

TEST_CASE("a limit selects evenly spread, distinct pairs") {
  const Task task = copying();
  const std::vector<Pair>& pairs = task.pairs(Split::train);
  const std::vector<const Pair*> ten = spread(pairs, 10);
  CHECK(std::set<const Pair*>(ten.begin(), ten.end()).size() == 10);
  CHECK(ten[0] == pairs.data());
  CHECK(ten[9] - ten[0] > static_cast<std::ptrdiff_t>(pairs.size() * 8 / 10));
  CHECK(spread(pairs, 100000).size() == pairs.size());
  Copier copier(size_of(task), 0);
  CHECK(evaluate(copier, task, Split::train, 10).pairs == 10);
  CHECK(REFUSAL(config, spread(pairs, -1)) == "limit is -1: use 0 (all pairs) or how many pairs to take.");
}
