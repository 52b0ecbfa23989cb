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

using Row = std::span<const Scalar>;

void check_sampling(const SamplingOptions& options) {
  if (!(options.temperature >= 0) || std::isinf(options.temperature))
    fail(ErrorCode::config, "sampling_temperature_negative", options.temperature);
  if (options.top_k < 0) fail(ErrorCode::config, "top_k_negative", options.top_k);
  if (!(options.top_p > 0 && options.top_p <= 1)) fail(ErrorCode::config, "top_p_out_of_range", options.top_p);
}

// Nucleus size: the smallest number of tokens, most probable first, whose total probability reaches top_p.
std::size_t nucleus_size(Row p, const std::vector<std::size_t>& ids, double top_p) {
  const auto needed = static_cast<double>(static_cast<Scalar>(top_p));
  double together = 0;
  std::size_t count = 0;
  while (count < ids.size() && together < needed) together += static_cast<double>(p[ids[count++]]);
  return count;
}

// 1 for the count(p, ids) most probable tokens of each row, 0 for the others.
template <typename Count>
Tensor mask_of_first(const Tensor& p, const Count& count) {
  const auto V = static_cast<std::size_t>(p.shape()[-1]);
  Tensor mask = Tensor::full(p.shape(), 0);
  for (std::size_t start = 0; start < p.size(); start += V) {
    const Row row(p.data() + start, V);
    const std::vector<std::size_t> ids =
        stable_order(row.size(), [row](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    const std::size_t chosen = std::min(V, count(row, ids));
    for (std::size_t i = 0; i < chosen; ++i) mask.data()[start + ids[i]] = 1;
  }
  return mask;
}

// Applies the mask and renormalises each row to sum to 1.
Tensor renormalised(Operand p, Operand mask) {
  const Tensor allowed = p * mask;
  return allowed / sum(allowed, -1, true);
}

Tensor at_temperature(Operand logits, double temperature) {
  return temperature == 0 ? one_hot(argmax(logits), logits.shape()[-1]) : softmax(logits, -1, temperature);
}

Tensor keep_top_k(Operand p, int top_k) {
  if (top_k == 0 || top_k >= p.shape()[-1]) return p;
  const Tensor mask = mask_of_first(p, [top_k](Row, const auto&) { return static_cast<std::size_t>(top_k); });
  return renormalised(p, mask).as("p_top_k", Role::weight);
}

Tensor keep_top_p(Operand p, double top_p) {
  if (top_p == 1) return p;
  const Tensor mask = mask_of_first(p, [top_p](Row row, const auto& ids) { return nucleus_size(row, ids, top_p); });
  return renormalised(p, mask).as("p_top_p", Role::weight);
}

// Inverse CDF: the first token whose cumulative probability exceeds draw · Σ p, with draw in [0, 1).
std::size_t token_at(Row p, Scalar draw) {
  const double all = std::accumulate(p.begin(), p.end(), 0.0), wanted = static_cast<double>(draw) * all;
  double before = 0;
  std::size_t token = 0;
  while (token + 1 < p.size() && before + static_cast<double>(p[token]) <= wanted)
    before += static_cast<double>(p[token++]);
  return token;
}

// Draws one token per row of p (R, V), as ids (R). No gradient.
Tensor sample(Operand p, std::uint64_t seed, int position) {
  const auto V = static_cast<std::size_t>(p.shape()[1]);
  Tensor ids({p.shape()[0]});
  for (std::size_t row = 0; row < ids.size(); ++row) {
    Random random(seed, row);
    random.seek(static_cast<std::uint64_t>(position));
    ids.data()[row] = static_cast<Scalar>(token_at({p.data() + row * V, V}, random.uniform()));
  }
  return record({"sample", "reduce", "a draw from {0}", {1}, 1}, ids, Input{p});
}

}  // namespace

FilteredDistribution filtered_distribution(Operand logits, const SamplingOptions& options) {
  check_sampling(options);
  const Tensor warm = at_temperature(logits, options.temperature).as("p_temperature", Role::weight);
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
