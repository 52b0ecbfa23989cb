#include "engine/generate/beam_search.h"
#include "engine/nn/tokens.h"
#include "tests/engine/generate/chain.h"
#include "tests/engine/support/test.h"

namespace {

using Ids = std::vector<int>;

const Tensor one_row = tables_numbered({0});

// Every sequence of the table that ends or has max_length tokens, with its log-probability, including <eos>.
void enumerate(const Tensor& table, Ids& written, double log_p, int max_length, std::map<Ids, double>& all) {
  const int V = table.shape()[0], last = written.empty() ? bos_id : written.back();
  if (last == eos_id || static_cast<int>(written.size()) == max_length) {
    all[written] = log_p;
    return;
  }
  for (int token = 0; token < V; ++token) {
    const double p = table.data()[last * V + token];
    if (p == 0) continue;
    written.push_back(token);
    enumerate(table, written, log_p + std::log(p), max_length, all);
    written.pop_back();
  }
}

std::map<Ids, double> all_sequences(const Tensor& table, int max_length) {
  std::map<Ids, double> all;
  Ids nothing;
  enumerate(table, nothing, 0, max_length, all);
  return all;
}

Ids with_end(const DecodedSequence& sequence) {
  Ids tokens = sequence.tokens;
  if (sequence.ended) tokens.push_back(eos_id);
  return tokens;
}

double penalty(double alpha, std::size_t length) { return std::pow((5.0 + static_cast<double>(length)) / 6, alpha); }

// The next token depends on the last two, the earlier of which is the state: tables (V · V, V).
struct TwoBack : Generator {
  TwoBack(int V, std::uint64_t seed) : V(V), logits({V * V, V}) {
    Random random(seed);
    for (Scalar& each : logits.values()) each = 2 * random.normal();
  }
  GeneratorState start(const Tensor& source) override { return GeneratorState(Tensor::full({source.shape()[0]}, 0)); }
  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    const Tensor before = state.as<Tensor>() * V;
    state = GeneratorState(tokens);
    return {gather(logits, before + tokens)};
  }

  int V;
  Tensor logits;
};

Tensor as_target(const DecodedSequence& sequence) {
  const Ids tokens = with_end(sequence);
  Tensor target({1, static_cast<int>(tokens.size())});
  std::ranges::copy(tokens, target.data());
  return target;
}

struct Beginning {
  Ids tokens;
  double log_p = 0, score = 0;
};

// The `width` best sequences of a textbook beam search, which runs to the length limit.
std::vector<Beginning> searched_to_the_end(const Tensor& table, std::size_t width, int max_length, double alpha) {
  const int V = table.shape()[0];
  std::vector<Beginning> open(1), done;
  for (int length = 1; length <= max_length; ++length) {
    std::vector<Beginning> longer;
    for (const Beginning& each : open)
      for (int token = 0; token < V; ++token) {
        const int last = each.tokens.empty() ? bos_id : each.tokens.back();
        const double log_p = each.log_p + std::log(static_cast<double>(table.data()[last * V + token]));
        longer.push_back({each.tokens, log_p, log_p / penalty(alpha, static_cast<std::size_t>(length))});
        longer.back().tokens.push_back(token);
      }
    std::ranges::sort(longer, std::greater(), &Beginning::log_p);
    longer.resize(std::min(width, longer.size()));
    open.clear();
    for (const Beginning& each : longer)
      (each.tokens.back() == eos_id || length == max_length ? done : open).push_back(each);
  }
  std::ranges::sort(done, std::greater(), &Beginning::score);
  done.resize(std::min(width, done.size()));
  return done;
}

}  // namespace

TEST_CASE("a beam of two finds the best sequence where greedy decoding does not") {
  Chain chain({trap()});
  CHECK(greedy_decode(chain, one_row, 6)[0].tokens == Ids{3});
  const BeamResult found = beam_search(chain, one_row, {.width = 2, .max_length = 6});
  REQUIRE(found.hypotheses.size() == 2);
  const Hypothesis& best = found.hypotheses[0];
  CHECK(best.sequence.tokens == Ids{4});
  CHECK(best.sequence.ended);
  CHECK(best.score == doctest::Approx(std::log(0.36)));
  CHECK(best.sequence.log_probability() == doctest::Approx(best.score));
  CHECK(best.sequence.weights == std::vector<std::vector<Scalar>>{{0, 1, 0, 0, 0}, {0, 0, 0, 0, 1}});
}

TEST_CASE("a step of a beam is on the tape: the scores of all continuations, the best, and those that live on") {
  Chain chain({trap()});
  LiveTape trace(Tape::Detail::trace);
  beam_search(chain, one_row, {.width = 2, .max_length = 6});
  const auto value = [&](const char* name) { return node(trace, name).value; };
  const auto sums = [](std::initializer_list<double> p) {
    std::vector<double> sums;
    for (const double each : p) sums.push_back(std::log(each));
    return sums;
  };
  // After <bos>: 3 with .5, 4 with .4, <eos> with .1; two are kept.
  expect(value("t0/candidates"), {1, 5}, sums({0, 0, 0.1, 0.5, 0.4}));
  expect(value("t0/best"), {3}, {3, 4, 2});
  expect(value("t0/live"), {2}, {0, 1});
  expect(value("t0/kept"), {2, 1}, sums({0.5, 0.4}));
  expect(value("t1/candidates"), {2, 5},
         sums({0, 0, 0.5 * 0.35, 0.5 * 0.33, 0.5 * 0.32, 0, 0, 0.4 * 0.9, 0.4 * 0.1, 0}));
  // The best is 4 <eos> with .36, then 3 <eos> with .175: both end, so nothing lives on.
  expect(value("t1/best"), {5}, {7, 2, 3, 4, 8});
  expect(value("t1/score"), {5}, sums({0.36, 0.175, 0.165, 0.16, 0.04}));
  CHECK(trace.find("t1/live") == -1);
}

TEST_CASE("a beam of one is greedy decoding") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Chain chain({random_table(6, seed)});
    const DecodedSequence greedy = greedy_decode(chain, one_row, 8)[0];
    const BeamResult found = beam_search(chain, one_row, {.width = 1, .max_length = 8});
    REQUIRE(found.hypotheses.size() == 1);
    CHECK(found.hypotheses[0].sequence.tokens == greedy.tokens);
    CHECK(found.hypotheses[0].sequence.log_probabilities == greedy.log_probabilities);
    CHECK(found.hypotheses[0].sequence.weights == greedy.weights);
    CHECK(found.hypotheses[0].sequence.ended == greedy.ended);
  }
}

TEST_CASE("a beam that holds everything ranks every sequence there is") {
  for (const double alpha : {0.0, 0.7, 1.0, 2.0}) {
    const Tensor table = random_table(5, 31);
    Chain chain({table});
    const auto all = all_sequences(table, 4);
    const BeamResult found =
        beam_search(chain, one_row, {.width = max_beam_width, .max_length = 4, .length_normalisation = alpha});
    REQUIRE(found.hypotheses.size() == all.size());
    double together = 0, before = 0;
    for (const Hypothesis& each : found.hypotheses) {
      const Ids tokens = with_end(each.sequence);
      CHECK(each.score == doctest::Approx(all.at(tokens) / penalty(alpha, tokens.size())));
      CHECK(each.score <= before);
      before = each.score;
      together += std::exp(each.sequence.log_probability());
    }
    CHECK(together == doctest::Approx(1));
  }
}

TEST_CASE("a beam as wide as the vocabulary cubed finds the most probable of the sequences of four tokens") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor table = random_table(6, 100 + seed);
    Chain chain({table});
    const auto all = all_sequences(table, 4);
    const auto best = std::ranges::max_element(all, {}, [](const auto& each) { return each.second; });
    const BeamResult found = beam_search(chain, one_row, {.width = 216, .max_length = 4});
    CHECK(with_end(found.hypotheses[0].sequence) == best->first);
  }
}

// Scores are compared, not tokens: sequences that take the same steps in another order are equally probable.
TEST_CASE("stopping early loses nothing") {
  int stopped = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const double alpha = seed % 2 == 0 ? 0 : 0.8;
    const Tensor table = random_table(5, 200 + seed);
    Chain chain({table});
    const auto expected = searched_to_the_end(table, 3, 30, alpha);
    const BeamResult found = beam_search(chain, one_row, {.width = 3, .max_length = 30, .length_normalisation = alpha});
    REQUIRE(found.hypotheses.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(found.hypotheses[i].score == doctest::Approx(expected[i].score).epsilon(1e-5));
    stopped += chain.positions < 30;
  }
  CHECK(stopped > 10);
}

TEST_CASE("every prefix continues from its own state") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    TwoBack writer(6, seed);
    for (const Hypothesis& each : beam_search(writer, one_row, {.width = 4, .max_length = 8}).hypotheses)
      CHECK(forced_decode(writer, one_row, as_target(each.sequence))[0].log_probabilities ==
            each.sequence.log_probabilities);
  }
}

TEST_CASE("length normalisation prefers the longer sequence") {
  // <eos> at once has 0.4 and wins by probability; 3 <eos> has 0.6 · 0.5 and wins by log p / lp for α = 2.
  Tensor table = Tensor::full({4, 4}, 0.25);
  const std::vector<Scalar> after_bos = {0, 0, 0.4, 0.6}, after_3 = {0, 0, 0.5, 0.5};
  std::ranges::copy(after_bos, table.data() + 4);
  std::ranges::copy(after_3, table.data() + 12);
  Chain chain({table});
  const auto best = [&](double alpha) {
    return beam_search(chain, one_row, {.width = 4, .max_length = 6, .length_normalisation = alpha})
        .hypotheses[0]
        .sequence.tokens;
  };
  CHECK(best(0).empty());
  CHECK(best(2) == Ids{3});
}

TEST_CASE("among equally probable continuations the smaller id comes first") {
  Chain chain({Tensor::full({6, 6}, 1.0 / 6)});
  const BeamResult found = beam_search(chain, one_row, {.width = 2, .max_length = 2});
  CHECK(found.hypotheses[0].sequence.tokens == Ids{0, 0});
  CHECK(found.hypotheses[1].sequence.tokens == Ids{1, 0});
}

TEST_CASE("the tree contains every prefix that was kept, the best three pruned ones, and no impossible token") {
  Chain chain({random_table(8, 17)});
  const BeamResult found = beam_search(chain, one_row, {.width = 4, .max_length = 5});
  std::map<int, int> kept, pruned;  // by position
  std::vector<int> depth(found.tree.size());
  CHECK(found.tree[0].token == bos_id);
  CHECK(found.tree[0].parent == -1);
  for (std::size_t i = 1; i < found.tree.size(); ++i) {
    const BeamNode& node = found.tree[i];
    REQUIRE(node.parent < static_cast<int>(i));
    const BeamNode& parent = found.tree[node.parent];
    CHECK(parent.state == BeamNodeState::kept);
    CHECK(node.score ==
          static_cast<double>(static_cast<Scalar>(parent.score) + static_cast<Scalar>(node.log_probability)));
    depth[i] = depth[node.parent] + 1;
    ++(node.state == BeamNodeState::pruned ? pruned : kept)[depth[i]];
    if (node.token == eos_id || depth[i] == 5) CHECK(node.state != BeamNodeState::kept);
  }
  for (const auto& [position, count] : kept) CHECK(count == 4);
  for (const auto& [position, count] : pruned) CHECK(count == 3);
  for (const Hypothesis& each : found.hypotheses) {
    CHECK(found.tree[each.node].state == BeamNodeState::finished);
    CHECK(found.tree[each.node].score == doctest::Approx(each.score));
  }
  Chain trapped({trap()});
  for (const BeamNode& node : beam_search(trapped, one_row, {.width = 20, .max_length = 4}).tree)
    CHECK(std::isfinite(node.score));
}

TEST_CASE("beam search refuses options that make no sense") {
  Chain chain({trap()});
  const auto refused = [&](const BeamOptions& options) {
    return REFUSAL(config, beam_search(chain, one_row, options));
  };
  CHECK(refused({.width = 0}) == "width is 0: use 1 to 512 kept beginnings.");
  CHECK(refused({.width = 513}) == "width is 513: use 1 to 512 kept beginnings.");
  CHECK(refused({.max_length = 0}) == "max_length is 0: use 1 to 64 tokens.");
  for (const double alpha : {-0.1, 2.1, double(NAN)})
    CHECK(refused({.length_normalisation = alpha}).starts_with("length_normalisation is "));
  CHECK(REFUSAL(shape, beam_search(chain, tables_numbered({0, 0}), {})) ==
        "source is (2, 1): beam search reads one row, (1, positions).");
}
