// Autoregressive decoding: generates sequences token by token, greedily, along a given target, or by sampling from the
// model's distribution after temperature, top-k and top-p.
#pragma once

#include <functional>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/generate/generator.h"

namespace unroll {

struct DecodedSequence {
  std::vector<int> tokens;                // without <eos>
  std::vector<double> log_probabilities;  // log p of each token given its prefix, and of <eos> if it ended
  // Attention weights, one row per log-probability: over the source, or over a language model's own past, where each
  // row is one longer than the one before. Rows are empty without attention.
  std::vector<std::vector<Scalar>> weights;
  bool ended = false;  // with <eos>, not by the length limit

  double log_probability() const;  // of the whole sequence: the sum of log_probabilities
  void append(int token, double log_probability, std::vector<Scalar> weights);
};

// The distribution of the next token.
struct NextToken {
  Tensor log_p;    // (R, V)
  Tensor weights;  // (R, S); empty without attention
};

// Feeds the tokens (R) and advances the state. Throws Error(diverged) if a row of the logits is not a distribution.
NextToken next_token(Generator& generator, const Tensor& tokens, GeneratorState& state);

// Chooses the next token ids (R) from log p (R, V) at a position.
using TokenChoice = std::function<Tensor(const Tensor& log_p, int position)>;

// Generates a sequence for each row of source (R, S) in one batch, until each has ended or has max_length tokens;
// throws Error(shape) for a source of another rank. On a live tape, position t is the scope t0, t1 …, which holds log_p
// and token.
std::vector<DecodedSequence> decode(Generator& generator, const Tensor& source, int max_length,
                                    const TokenChoice& choose);

// Takes the most probable token at each position, the smallest id on ties; for max_length see generation_length.
std::vector<DecodedSequence> greedy_decode(Generator& generator, const Tensor& source, int max_length);

// Feeds target_out (R, T), y₁ … y_n <eos> and padding, regardless of the model's predictions: gives its
// log-probabilities and the attention weights under teacher forcing. Throws Error(shape) if the shapes do not match or
// the model has no room for T tokens.
std::vector<DecodedSequence> forced_decode(Generator& generator, const Tensor& source, const Tensor& target_out);

struct SamplingOptions {
  double temperature = 1;  // 0: the most probable token
  int top_k = 0;           // keeps the k most probable tokens (Fan et al. 2018, §5.4); 0: all
  double top_p = 1;        // keeps the fewest tokens that reach this total probability (Holtzman et al. 2020, §3.1)
};

// Probabilities (…, V) after each filter; each row sums to 1. A filter that is off returns its input.
struct FilteredDistribution {
  Tensor after_temperature;
  Tensor after_top_k;
  Tensor after_top_p;  // sampled from
};

// Filters logits (…, V); log-probabilities work as well. On ties the smaller id ranks higher. Throws Error(config) for
// a negative or infinite temperature, top_k < 0, and top_p outside (0, 1].
FilteredDistribution filtered_distribution(Operand logits, const SamplingOptions& options);

// Row r draws its token at position t with number t of stream r of `seed`, so no draw depends on another. The
// log-probabilities of the sequences are the model's own, before any filter.
std::vector<DecodedSequence> sample_decode(Generator& generator, const Tensor& source, int max_length,
                                           const SamplingOptions& options, std::uint64_t seed);

// The smaller of max_length, 1 to 64, and the tokens the model has room for after the source (R, S). Throws
// Error(config) for a max_length out of range, Error(shape) for a source of another rank.
int generation_length(const Generator& generator, const Tensor& source, int max_length);

Tensor begin_tokens(int rows);                         // (R), all <bos>
std::vector<Scalar> row_of(const Tensor& x, int row);  // of x (R, S); empty if x is

}  // namespace unroll
