// Autoregressive decoding: generates sequences token by token, greedily or along a given target.
#pragma once

#include <functional>
#include <vector>

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

// The smaller of max_length, 1 to 64, and the tokens the model has room for after the source (R, S). Throws
// Error(config) for a max_length out of range, Error(shape) for a source of another rank.
int generation_length(const Generator& generator, const Tensor& source, int max_length);

Tensor begin_tokens(int rows);                         // (R), all <bos>
std::vector<Scalar> row_of(const Tensor& x, int row);  // of x (R, S); empty if x is

}  // namespace unroll
