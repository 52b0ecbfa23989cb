#include "engine/generate/decoding.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "engine/autograd/tape.h"
#include "engine/kernels/order.h"
#include "engine/kernels/random.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// No NaN, and at least one finite value.
bool is_distribution(std::span<const Scalar> log_p) {
  const bool no_nan = std::ranges::none_of(log_p, [](Scalar value) { return std::isnan(value); });
  return no_nan && std::ranges::any_of(log_p, [](Scalar value) { return std::isfinite(value); });
}

void check_distributions(const Tensor& log_p) {
  const int rows = log_p.shape()[0], V = log_p.shape()[1];
  for (int row = 0; row < rows; ++row)
    if (!is_distribution({log_p.data() + static_cast<std::size_t>(row) * V, static_cast<std::size_t>(V)}))
      fail(ErrorCode::diverged, "logits_not_finite", row);
}

void check_source(const Tensor& source) {
  if (source.rank() != 2) fail(ErrorCode::shape, "source_is_not_rows", source.shape());
}

}  // namespace

double DecodedSequence::log_probability() const {
  return std::accumulate(log_probabilities.begin(), log_probabilities.end(), 0.0);
}

void DecodedSequence::append(int token, double log_probability, std::vector<Scalar> attention) {
  log_probabilities.push_back(log_probability);
  weights.push_back(std::move(attention));
  ended = token == eos_id;
  if (!ended) tokens.push_back(token);
}

NextToken next_token(Generator& generator, const Tensor& tokens, GeneratorState& state) {
  const StepOutput output = generator.next(tokens, state);
  const Tensor log_p = log_softmax(output.logits).as("log_p", Role::score);  // (R, V)
  check_distributions(log_p);
  return {log_p, output.weights};
}

std::vector<DecodedSequence> decode(Generator& generator, const Tensor& source, int max_length,
                                    const TokenChoice& choose) {
  check_source(source);
  std::vector<DecodedSequence> sequences(static_cast<std::size_t>(source.shape()[0]));
  GeneratorState state = generator.start(source);
  Tensor tokens = begin_tokens(source.shape()[0]);  // (R)
  for (int t = 0; t < max_length && !std::ranges::all_of(sequences, &DecodedSequence::ended); ++t) {
    Scope position("t" + std::to_string(t));
    const NextToken next = next_token(generator, tokens, state);
    tokens = choose(next.log_p, t).as("token", Role::input);
    const Tensor log_p = pick(next.log_p, tokens).as("token_log_p", Role::score);  // (R)
    for (int row = 0; row < source.shape()[0]; ++row)
      if (DecodedSequence& sequence = sequences[static_cast<std::size_t>(row)]; !sequence.ended)
        sequence.append(static_cast<int>(tokens.data()[row]), log_p.data()[row], row_of(next.weights, row));
  }
  return sequences;
}

std::vector<DecodedSequence> greedy_decode(Generator& generator, const Tensor& source, int max_length) {
  const int length = generation_length(generator, source, max_length);
  return decode(generator, source, length, [](const Tensor& log_p, int) { return argmax(log_p); });
}

std::vector<DecodedSequence> forced_decode(Generator& generator, const Tensor& source, const Tensor& target_out) {
  if (target_out.rank() != 2 || source.rank() != 2 || target_out.shape()[0] != source.shape()[0])
    fail(ErrorCode::shape, "target_does_not_match_source", target_out.shape(), source.shape());
  if (const int room = generator.max_new_tokens(source.shape()[1]); target_out.shape()[1] > room)
    fail(ErrorCode::shape, "target_longer_than_room", target_out.shape(), room);
  return decode(generator, source, target_out.shape()[1],
                [&](const Tensor&, int position) { return at_position(target_out, position); });
}

namespace {

void check_sampling(const SamplingOptions& options) {
  if (!(options.temperature >= 0) || std::isinf(options.temperature))
    fail(ErrorCode::config, "sampling_temperature_negative", options.temperature);
  if (options.top_k < 0) fail(ErrorCode::config, "top_k_negative", options.top_k);
  if (!(options.top_p > 0 && options.top_p <= 1)) fail(ErrorCode::config, "top_p_out_of_range", options.top_p);
}

// The token ids of each row of p (…, V), most probable first; the smaller one first among equals. No gradient.
Tensor ids_by_rank(Operand p) {
  const auto V = static_cast<std::size_t>(p.shape()[-1]);
  Tensor ids(p.shape());
  for (std::size_t start = 0; start < p.size(); start += V) {
    const Scalar* row = p.data() + start;
    const auto order = stable_order(V, [row](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    std::ranges::copy(order, ids.data() + start);
  }
  return record({"ids_by_rank", "reduce", "ids by falling {0}", {p.shape().rank() - 1}, 1}, ids, Input{p});
}

// 0 … V − 1 in each row (…, V).
Tensor ranks(const Shape& shape) {
  Tensor ranks(shape);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    ranks.data()[i] = static_cast<Scalar>(i % static_cast<std::size_t>(shape[-1]));
  return ranks;
}

// A distribution p (…, V) by rank.
struct Ranking {
  Tensor p;       // (…, V), sorted
  Tensor places;  // (R · V): where each was, counted through all rows
};

Ranking ranked(Operand p) {
  const int N = static_cast<int>(p.size()), V = p.shape()[-1], R = N / V;
  Tensor starts({R, 1});
  for (int row = 0; row < R; ++row) starts.data()[row] = static_cast<Scalar>(row * V);
  const Tensor ids = ids_by_rank(p).as("ids", Role::input);
  const Tensor places = reshape(reshape(ids, {R, V}) + starts, {N});
  const Tensor table = reshape(p, {N, 1});
  return {reshape(gather(table, places), p.shape()).as("sorted", Role::weight), places};
}

// p without the tokens that are not kept, which is 0 or 1 (…, V) by rank; each row sums to 1 again.
Tensor renormalised(Operand p, const Ranking& ranking, Operand kept) {
  const int N = static_cast<int>(p.size());
  const Tensor column = reshape(kept, {N, 1});
  const Tensor mask = reshape(scatter_add(column, ranking.places, N), p.shape()).as("mask", Role::input);
  const Tensor allowed = (p * mask).as("allowed", Role::weight);
  return allowed / sum(allowed, -1, true);
}

Tensor at_temperature(Operand logits, double temperature) {
  return temperature == 0 ? one_hot(argmax(logits), logits.shape()[-1]) : softmax(logits, -1, temperature);
}

Tensor keep_top_k(Operand p, int top_k) {
  if (top_k == 0 || top_k >= p.shape()[-1]) return p;
  Scope scope("top_k");
  const Ranking ranking = ranked(p);
  const Tensor kept = greater(top_k, ranks(p.shape())).as("kept", Role::input);
  return renormalised(p, ranking, kept).as("p", Role::weight);
}

// Keeps a token if those before it do not reach top_p together.
Tensor keep_top_p(Operand p, double top_p) {
  if (top_p == 1) return p;
  Scope scope("top_p");
  const Ranking ranking = ranked(p);
  const Tensor together = cumsum(ranking.p, -1).as("together", Role::weight);
  const Tensor before = pad(slice(together, -1, 0, p.shape()[-1] - 1), -1, 1, 0).as("before", Role::weight);
  const Tensor kept = greater(top_p, before).as("kept", Role::input);
  return renormalised(p, ranking, kept).as("p", Role::weight);
}

// Number `position` of each row's own stream of random numbers from [0, 1): (R, 1).
Tensor uniform_numbers(int rows, std::uint64_t seed, int position) {
  Tensor u({rows, 1});
  for (std::size_t row = 0; row < u.size(); ++row) {
    Random random(seed, row);
    random.seek(static_cast<std::uint64_t>(position));
    u.data()[row] = random.uniform();
  }
  return record({"uniform", "", "random number {0}"}, u, Input{static_cast<double>(position)});
}

// Draws one token per row of p (R, V), as ids (R), by the inverse of the cumulative distribution: the first token at
// which it exceeds u, from [0, 1). It ends at 1 but for rounding, and u is scaled to where it ends. No gradient.
Tensor sample(Operand p, std::uint64_t seed, int position) {
  Scope scope("draw");
  const int V = p.shape()[1];
  const Tensor cumulative = cumsum(p, -1).as("cumulative", Role::weight);
  const Tensor u = uniform_numbers(p.shape()[0], seed, position).as("u", Role::input);
  const Tensor bound = u * slice(cumulative, -1, V - 1, 1);
  return argmax(greater(cumulative, bound).as("passed", Role::input));
}

}  // namespace

FilteredDistribution filtered_distribution(Operand logits, const SamplingOptions& options) {
  check_sampling(options);
  const Tensor warm = at_temperature(logits, options.temperature).as("p", Role::weight);
  const Tensor likely = keep_top_k(warm, options.top_k);
  return {warm, likely, keep_top_p(likely, options.top_p)};
}

std::vector<DecodedSequence> sample_decode(Generator& generator, const Tensor& source, int max_length,
                                           const SamplingOptions& options, std::uint64_t seed) {
  check_sampling(options);
  const int length = generation_length(generator, source, max_length);
  return decode(generator, source, length, [&](const Tensor& log_p, int position) {
    return sample(filtered_distribution(log_p, options).after_top_p, seed, position);
  });
}

int generation_length(const Generator& generator, const Tensor& source, int max_length) {
  if (max_length < 1 || max_length > max_generation_length)
    fail(ErrorCode::config, "max_length_out_of_range", max_length, max_generation_length);
  check_source(source);
  return std::min(max_length, generator.max_new_tokens(source.shape()[1]));
}

Tensor begin_tokens(int rows) { return Tensor::full({rows}, bos_id); }

std::vector<Scalar> row_of(const Tensor& x, int row) {
  if (!x) return {};
  const auto width = static_cast<std::size_t>(x.shape()[-1]);
  const Scalar* begin = x.data() + static_cast<std::size_t>(row) * width;
  return {begin, begin + width};
}

}  // namespace unroll
