#include "engine/generate/decoding.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "engine/autograd/tape.h"
#include "engine/nn/recurrent/sequence.h"
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
