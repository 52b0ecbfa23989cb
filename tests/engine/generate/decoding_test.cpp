#include "engine/generate/decoding.h"

#include "engine/generate/beam_search.h"
#include "engine/models/model.h"
#include "tests/engine/generate/chain.h"
#include "tests/engine/support/settings.h"
#include "tests/engine/support/test.h"

namespace {

using Ids = std::vector<int>;

// 3 → 4 → 3 → 4 … forever.
Tensor endless() {
  Tensor table = Tensor::full({5, 5}, 0.2);
  for (const auto& [from, to] : {std::pair{1, 3}, {3, 4}, {4, 3}}) {
    for (int next = 0; next < 5; ++next) table.data()[from * 5 + next] = next == to ? 0.6 : 0.1;
  }
  return table;
}

const Tensor five({5}, {0.15, 0.4, 0.05, 0.3, 0.1});

Tensor filtered(const Tensor& p, const SamplingOptions& options) {
  return filtered_distribution(log(p), options).after_top_p;
}

Tensor many_rows(int rows) { return Tensor::full({rows, 1}, 0); }

std::vector<int> first_tokens_of(const std::vector<DecodedSequence>& sequences, int V) {
  std::vector<int> counts(static_cast<std::size_t>(V));
  for (const DecodedSequence& each : sequences) ++counts[each.ended ? 2 : each.tokens[0]];
  return counts;
}

// The distance of the worst count from n p, in standard deviations.
double worst_deviation(const std::vector<int>& counts, const Scalar* p, int n) {
  double worst = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n * static_cast<double>(p[i]), spread = std::sqrt(expected * (1 - p[i]));
    worst = std::max(worst, spread > 0 ? std::abs(counts[i] - expected) / spread : counts[i] * 1e9);
  }
  return worst;
}

}  // namespace

TEST_CASE("greedy decoding writes the most probable token at each position, and keeps attention weights for each") {
  Chain chain({trap()});
  const DecodedSequence written = greedy_decode(chain, tables_numbered({0}), 8)[0];
  CHECK(written.tokens == Ids{3});
  CHECK(written.ended);
  REQUIRE(written.log_probabilities.size() == 2);
  CHECK(written.log_probabilities[0] == doctest::Approx(std::log(0.5)));
  CHECK(written.log_probabilities[1] == doctest::Approx(std::log(0.35)));
  CHECK(written.log_probability() == doctest::Approx(std::log(0.175)));
  CHECK(written.weights == std::vector<std::vector<Scalar>>{{0, 1, 0, 0, 0}, {0, 0, 0, 1, 0}});
}

TEST_CASE("decoding stops at the length limit, and as soon as every row has ended") {
  Chain chain({trap(), endless()});
  const auto both = greedy_decode(chain, tables_numbered({0, 1}), 5);
  CHECK(chain.positions == 5);
  CHECK(both[0].tokens == Ids{3});
  CHECK(both[0].log_probabilities.size() == 2);
  CHECK(both[1].tokens == Ids{3, 4, 3, 4, 3});
  CHECK(both[1].log_probabilities.size() == 5);
  CHECK_FALSE(both[1].ended);

  chain.positions = 0;
  greedy_decode(chain, tables_numbered({0, 0}), 5);
  CHECK(chain.positions == 2);
}

TEST_CASE("a row is decoded as if it were alone, and among equally probable tokens the smaller id is taken") {
  const std::vector<Tensor> tables = {random_table(7, 1), random_table(7, 2), random_table(7, 3)};
  Chain chain(tables);
  const auto together = greedy_decode(chain, tables_numbered({0, 1, 2}), 6);
  for (const int row : {0, 1, 2}) {
    const DecodedSequence alone = greedy_decode(chain, tables_numbered({static_cast<Scalar>(row)}), 6)[0];
    CHECK(alone.tokens == together[row].tokens);
    CHECK(alone.log_probabilities == together[row].log_probabilities);
  }
  Tensor table = Tensor::full({5, 5}, 0.1);
  for (int from = 0; from < 5; ++from) table.data()[from * 5 + 3] = table.data()[from * 5 + 4] = 0.35;
  Chain equal({table});
  CHECK(greedy_decode(equal, tables_numbered({0}), 2)[0].tokens == Ids{3, 3});
}

TEST_CASE("forced decoding gives the log-probabilities of the given tokens") {
  Chain chain({trap()});
  const auto forced = forced_decode(chain, tables_numbered({0, 0}), Tensor({2, 3}, {4, 3, 2, 3, 2, 0}));
  CHECK(forced[0].tokens == Ids{4, 3});
  CHECK(forced[0].log_probability() == doctest::Approx(std::log(0.4 * 0.1 * 0.35)));
  CHECK(forced[1].tokens == Ids{3});
  CHECK(forced[1].log_probability() == doctest::Approx(std::log(0.175)));
  CHECK(forced[1].weights == std::vector<std::vector<Scalar>>{{0, 1, 0, 0, 0}, {0, 0, 0, 1, 0}});
  CHECK(REFUSAL(shape, forced_decode(chain, tables_numbered({0, 0}), Tensor({1, 2}, {4, 2}))) ==
        "target_out is (1, 2), source is (2, 1): give token ids as (rows, positions), with a row of target_out for "
        "each of source.");
}

TEST_CASE("a decoding run is a trace: each token depends on the one before") {
  Chain chain({endless()});
  LiveTape trace(Tape::Detail::trace);
  greedy_decode(chain, tables_numbered({0}), 2);
  check_names(trace, {"t0/log_p", "t0/token", "t1/log_p", "t1/token"});
  int at = trace.edge(node(trace, "t1/token"), 0).node;
  CHECK(trace.nodes()[at].name == "t1/log_p");
  const int before = trace.find("t0/token");
  std::vector<bool> used(trace.nodes().size());
  for (used[at] = true; at > before; --at)
    for (int i = 0; used[at] && i < trace.nodes()[at].edges; ++i) used[trace.edge(trace.nodes()[at], i).node] = true;
  CHECK(used[before]);
}

TEST_CASE("the nodes of a decoding step are in the scope of its position, which is named once") {
  const std::map<Text, std::vector<Text>> names = {
      {"seq2seq", {"t2.decoder/s", "t2.decoder.0/h", "t2.decoder.attention/α", "t2.decoder/logits"}},
      {"language_model", {"t2.network.0/h", "t2.network.1/h", "t2.attention/α", "t2/logits"}}};
  for (const auto& [kind, of_kind] : names) {
    const std::unique_ptr<Model> model = make_model(with({{"kind", kind}}, "layers=2 hidden=5 embedding=4"));
    LiveTape trace(Tape::Detail::trace);
    forced_decode(dynamic_cast<Generator&>(*model), Tensor({1, 3}, {4, 5, 6}), Tensor({1, 3}, {4, 5, 6}));
    check_names(trace, of_kind);
    for (const Node& node : trace.nodes())
      if (node.name.starts_with("t2.")) CHECK_MESSAGE(node.name.find(".t") == Text::npos, node.name);
  }
}

TEST_CASE("decoding ends where the table of positions ends, whatever the length limit") {
  const Tensor source({1, 3}, {4, 5, 6});
  for (const auto& [kind, room] : {std::pair{"transformer", 7}, {"transformer_lm", 4}}) {  // which counts its prompt
    int reached = 0;
    for (const double seed : {1, 2, 3, 4, 5, 6}) {
      INFO(kind, ", seed ", seed);
      const Config config = {{"kind", kind}, {"positions", "learned"}, {"longest", 7.0}, {"seed", seed}};
      const std::unique_ptr<Model> model = make_model(config);
      Generator& writer = dynamic_cast<Generator&>(*model);
      const DecodedSequence greedy = greedy_decode(writer, source, 64)[0];
      CHECK(greedy.tokens == greedy_decode(writer, source, room)[0].tokens);
      reached += !greedy.ended && static_cast<int>(greedy.tokens.size()) == room;
      const DecodedSequence sampled = sample_decode(writer, source, 64, {}, 1)[0];
      CHECK(sampled.tokens == sample_decode(writer, source, room, {}, 1)[0].tokens);
      const BeamResult whole = beam_search(writer, source, {.length_normalisation = 1});
      const BeamResult cut = beam_search(writer, source, {.max_length = room, .length_normalisation = 1});
      CHECK(whole.hypotheses.at(0).score == cut.hypotheses.at(0).score);
      CHECK(whole.tree.size() == cut.tree.size());
    }
    CHECK(reached > 0);
  }
}

TEST_CASE("forced tokens are not cut off: if the model has no room for them, they are refused") {
  for (const auto& [words, room] : {std::pair{"kind=transformer positions=learned longest=7", 7},
                                    {"kind=transformer positions=rotary", 64},
                                    {"kind=transformer_lm", 61},
                                    {"kind=seq2seq", 64}}) {
    const std::unique_ptr<Model> model = make_model(settings(words));
    Generator& writer = dynamic_cast<Generator&>(*model);
    const Tensor source({1, 3}, {4, 5, 6});
    CHECK(forced_decode(writer, source, Tensor::full({1, room}, 4))[0].tokens.size() == std::size_t(room));
    CHECK(REFUSAL(shape, forced_decode(writer, source, Tensor::full({1, room + 1}, 4))) ==
          "target_out is (1, " + std::to_string(room + 1) + "), and the model has room for " + std::to_string(room) +
              " tokens after this source: use at most " + std::to_string(room) + ".");
  }
}

TEST_CASE("decoding refuses invalid lengths, sources and logits") {
  Chain chain({trap()});
  const Tensor first = tables_numbered({0});
  CHECK(REFUSAL(config, greedy_decode(chain, first, 0)) == "max_length is 0: use 1 to 64 tokens.");
  CHECK(REFUSAL(config, greedy_decode(chain, first, 65)) == "max_length is 65: use 1 to 64 tokens.");
  CHECK(REFUSAL(shape, greedy_decode(chain, Tensor({1}, {0}), 4)) ==
        "source is (1): give token ids as (rows, positions).");
  Chain nothing({Tensor::full({5, 5}, 0)}), broken({Tensor::full({5, 5}, -1)});
  for (Chain* each : {&nothing, &broken})
    CHECK(REFUSAL(diverged, greedy_decode(*each, tables_numbered({0}), 4))
              .starts_with("Row 0 of the logits gives no token a probability"));
}

TEST_CASE("temperature sharpens or flattens a distribution; at 0 the smallest most probable id has it all") {
  expect(filtered(five, {}), {5}, {0.15, 0.4, 0.05, 0.3, 0.1});
  expect(filtered(five, {.temperature = 0.5}), {5},
         {0.0225 / 0.285, 0.16 / 0.285, 0.0025 / 0.285, 0.09 / 0.285, 0.01 / 0.285});
  expect(filtered(five, {.temperature = 0}), {5}, {0, 1, 0, 0, 0});
  expect(filtered(Tensor({4}, {0.1, 0.4, 0.1, 0.4}), {.temperature = 0}), {4}, {0, 1, 0, 0});
}

TEST_CASE("top-k keeps the k most probable tokens, smaller ids first among equals") {
  expect(filtered(five, {.top_k = 1}), {5}, {0, 1, 0, 0, 0});
  expect(filtered(five, {.top_k = 2}), {5}, {0, 4.0 / 7, 0, 3.0 / 7, 0});
  expect(filtered(five, {.top_k = 9}), {5}, {0.15, 0.4, 0.05, 0.3, 0.1});
  expect(filtered(Tensor::full({4}, 0.25), {.top_k = 3}), {4}, {1.0 / 3, 1.0 / 3, 1.0 / 3, 0});
}

TEST_CASE("top-p keeps the fewest tokens whose probabilities sum to p") {
  expect(filtered(five, {.top_p = 0.01}), {5}, {0, 1, 0, 0, 0});
  expect(filtered(five, {.top_p = 0.6}), {5}, {0, 4.0 / 7, 0, 3.0 / 7, 0});
  expect(filtered(five, {.top_p = 0.72}), {5}, {3.0 / 17, 8.0 / 17, 0, 6.0 / 17, 0});
  expect(filtered(five, {.top_p = 1}), {5}, {0.15, 0.4, 0.05, 0.3, 0.1});
  expect(filtered(Tensor::full({4}, 0.25), {.top_p = 0.5}), {4}, {0.5, 0.5, 0, 0});
}

TEST_CASE("temperature comes first, then top-k, then top-p on the rest; every step can be seen, each row by itself") {
  // After top-k the first two have 0.7 / 0.85 = 0.82; of all tokens they have 0.7.
  const FilteredDistribution steps = filtered_distribution(log(five), {.top_k = 3, .top_p = 0.8});
  expect(steps.after_temperature, {5}, {0.15, 0.4, 0.05, 0.3, 0.1});
  expect(steps.after_top_k, {5}, {3.0 / 17, 8.0 / 17, 0, 6.0 / 17, 0});
  expect(steps.after_top_p, {5}, {0, 4.0 / 7, 0, 3.0 / 7, 0});
  const Tensor two({2, 3}, {0.5, 0.3, 0.2, 0.1, 0.2, 0.7});
  expect(filtered(two, {.top_k = 2}), {2, 3}, {5.0 / 8, 3.0 / 8, 0, 0, 2.0 / 9, 7.0 / 9});
}

TEST_CASE("every step of a draw is on the tape: sorted, cut, renormalised, summed, and where a random number falls") {
  Chain chain({concat({five, five, five, five, five}, 0).reshaped({5, 5})});
  LiveTape trace(Tape::Detail::trace);
  sample_decode(chain, many_rows(1), 1, {.temperature = 0.5, .top_k = 4, .top_p = 0.85}, 1);
  const auto value = [&](const char* name) { return node(trace, name).value; };
  // p² / Σ p² of .15 .4 .05 .3 .1 is .0225 .16 .0025 .09 .01 / .285; top-k leaves out the third, top-p the last.
  expect(value("t0/p"), {1, 5}, {0.078947368, 0.561403509, 0.00877193, 0.315789474, 0.035087719});
  expect(value("t0.top_k/ids"), {1, 5}, {1, 3, 0, 4, 2});
  expect(value("t0.top_k/sorted"), {1, 5}, {0.561403509, 0.315789474, 0.078947368, 0.035087719, 0.00877193});
  expect(value("t0.top_k/kept"), {1, 5}, {1, 1, 1, 1, 0});
  expect(value("t0.top_k/p"), {1, 5}, {0.079646018, 0.566371681, 0, 0.318584071, 0.03539823});
  expect(value("t0.top_p/sorted"), {1, 5}, {0.566371681, 0.318584071, 0.079646018, 0.03539823, 0});
  expect(value("t0.top_p/before"), {1, 5}, {0, 0.566371681, 0.884955752, 0.96460177, 1});
  expect(value("t0.top_p/kept"), {1, 5}, {1, 1, 0, 0, 0});
  expect(value("t0.top_p/mask"), {1, 5}, {0, 1, 0, 1, 0});
  expect(value("t0.top_p/p"), {1, 5}, {0, 0.64, 0, 0.36, 0});
  expect(value("t0.draw/cumulative"), {1, 5}, {0, 0.64, 0.64, 1, 1});
  const Scalar u = value("t0.draw/u").item();
  CHECK(u == Random(1, 0).uniform());
  CHECK(value("t0/token").item() == (u < 0.64 ? 1 : 3));
}

TEST_CASE("tokens are drawn with the probabilities of the table") {
  constexpr int n = 4000, V = 6;
  const Tensor table = random_table(V, 5);
  Chain chain({table});
  const Scalar* after_bos = table.data() + V;
  const auto all = sample_decode(chain, many_rows(n), 1, {}, 11);
  CHECK(worst_deviation(first_tokens_of(all, V), after_bos, n) < 4);

  const Tensor few = filtered(slice(table, 0, 1, 1), {.temperature = 1.5, .top_k = 4, .top_p = 0.9});
  const auto cut = sample_decode(chain, many_rows(n), 1, {.temperature = 1.5, .top_k = 4, .top_p = 0.9}, 12);
  CHECK(worst_deviation(first_tokens_of(cut, V), few.data(), n) < 4);
  CHECK(worst_deviation(first_tokens_of(cut, V), after_bos, n) > 4);
}

TEST_CASE("the successors of a token are drawn with the probabilities of the table") {
  constexpr int n = 4000, V = 5;
  const Tensor table = trap();
  Chain chain({table});
  std::vector<int> after_3(V);
  int seen = 0;
  for (const DecodedSequence& each : sample_decode(chain, many_rows(n), 2, {}, 13)) {
    if (each.tokens.empty() || each.tokens[0] != 3) continue;
    ++seen;
    ++after_3[each.ended ? 2 : each.tokens[1]];
  }
  CHECK(worst_deviation(after_3, table.data() + 3 * V, seen) < 4);
}

TEST_CASE("a sample has the model's log-probabilities, not those of what is left; at temperature 0 it is greedy") {
  Chain chain({trap()});
  const DecodedSequence written = sample_decode(chain, many_rows(1), 8, {.top_k = 1}, 1)[0];
  CHECK(written.tokens == std::vector<int>{3});
  CHECK(written.log_probability() == doctest::Approx(std::log(0.175)));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Chain drawn({random_table(6, seed)});
    const DecodedSequence sampled = sample_decode(drawn, many_rows(1), 10, {.temperature = 0}, seed)[0];
    CHECK(sampled.tokens == greedy_decode(drawn, many_rows(1), 10)[0].tokens);
  }
}

TEST_CASE("the same seed gives the same sample, another seed another, and rows are independent") {
  Chain chain({random_table(9, 7)});
  const auto written = [&](int rows, std::uint64_t seed) {
    return sample_decode(chain, many_rows(rows), 12, {}, seed);
  };
  CHECK(written(8, 3)[5].tokens == written(8, 3)[5].tokens);
  CHECK(written(8, 3)[5].tokens == written(6, 3)[5].tokens);
  CHECK(written(8, 3)[5].tokens != written(8, 3)[4].tokens);
  CHECK(written(8, 3)[5].tokens != written(8, 4)[5].tokens);
}

TEST_CASE("sampling refuses options that make no sense") {
  const auto refused = [](const SamplingOptions& options) {
    return REFUSAL(config, filtered_distribution(log(five), options));
  };
  CHECK(refused({.temperature = -1}) ==
        "temperature is -1: use 0 (always the most probable token) or any positive number.");
  CHECK(refused({.temperature = NAN}).starts_with("temperature is "));
  CHECK(refused({.temperature = INFINITY}).starts_with("temperature is "));
  CHECK(refused({.top_k = -1}) == "top_k is -1: use 0 (all tokens) or how many tokens to choose from.");
  for (const double top_p : {0.0, -0.5, 1.5, double(NAN)})
    CHECK(refused({.top_p = top_p}).ends_with(": use a number above 0, up to 1 (all tokens)."));
  Chain chain({trap()});
  CHECK(REFUSAL(config, sample_decode(chain, many_rows(1), 0, {}, 1)).starts_with("max_length"));
}
