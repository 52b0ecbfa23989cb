#include "engine/generate/sampling.h"
#include "tests/engine/support/test.h"
#include "tests/engine/train/chain.h"

namespace {

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

TEST_CASE("temperature comes first, then top-k, then top-p on the rest; every step can be seen") {
  // After top-k the first two have 0.7 / 0.85 = 0.82; of all tokens they have 0.7.
  const FilteredDistribution steps = filtered_distribution(log(five), {.top_k = 3, .top_p = 0.8});
  expect(steps.after_temperature, {5}, {0.15, 0.4, 0.05, 0.3, 0.1});
  expect(steps.after_top_k, {5}, {3.0 / 17, 8.0 / 17, 0, 6.0 / 17, 0});
  expect(steps.after_top_p, {5}, {0, 4.0 / 7, 0, 3.0 / 7, 0});
}

TEST_CASE("every row is filtered independently") {
  const Tensor two({2, 3}, {0.5, 0.3, 0.2, 0.1, 0.2, 0.7});
  expect(filtered(two, {.top_k = 2}), {2, 3}, {5.0 / 8, 3.0 / 8, 0, 0, 2.0 / 9, 7.0 / 9});
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

TEST_CASE("a sample reports the log-probabilities of the model, not of the filtered distribution") {
  Chain chain({trap()});
  const DecodedSequence written = sample_decode(chain, many_rows(1), 8, {.top_k = 1}, 1)[0];
  CHECK(written.tokens == std::vector<int>{3});
  CHECK(written.log_probability() == doctest::Approx(std::log(0.175)));
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

TEST_CASE("at temperature 0 sampling is greedy decoding") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Chain chain({random_table(6, seed)});
    const DecodedSequence sampled = sample_decode(chain, many_rows(1), 10, {.temperature = 0}, seed)[0];
    CHECK(sampled.tokens == greedy_decode(chain, many_rows(1), 10)[0].tokens);
  }
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
