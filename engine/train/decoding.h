// Writing a sequence token by token, and the plainest rule for it: the most probable token at each position.
#pragma once

#include <functional>
#include <vector>

#include "engine/models/writer.h"

namespace unroll {

struct DecodedSequence {
  std::vector<int> tokens;                // without <eos>
  std::vector<double> log_probabilities;  // log p of each token given those before it, and of <eos> where it ended
  // As many rows: where it looked, over the source; over a language model's own past, each row one longer than the one
  // before. Rows are empty without attention.
  std::vector<std::vector<Scalar>> weights;
  bool ended = false;  // with <eos>, not at the length limit

  double log_probability() const;  // of the whole sequence: their sum
  void write(int token, double log_probability, std::vector<Scalar> weights);
};

// What a writer says of the next token.
struct NextToken {
  Tensor log_p;    // (R, V)
  Tensor weights;  // (R, S); no tensor without attention
};

// Moves the state on by the tokens (R). Throws Error(diverged) when a row of the logits is no distribution.
NextToken next_token(Writer& writer, const Tensor& tokens, WriterState& state);

// A token for each row, as ids (R), from log p (R, V) at a position.
using TokenChoice = std::function<Tensor(const Tensor& log_p, int position)>;

// Writes a sequence for each row of source (R, S), all at once, until each has ended or has max_length tokens; throws
// Error(shape) for another source. On a live tape position t is the scope t0, t1 …, with log_p and token in it.
std::vector<DecodedSequence> decode(Writer& writer, const Tensor& source, int max_length, const TokenChoice& choose);

// The most probable token at each position, of equal ones that with the smallest id; see tokens_to_write.
std::vector<DecodedSequence> greedy_decode(Writer& writer, const Tensor& source, int max_length);

// Writes what stands in target_out (R, T), y₁ … y_n <eos> and padding, whatever the model thinks of it: its
// log-probabilities, and where the model looks under teacher forcing. Throws Error(shape) for another shape, and where
// the writer has no room for all of it.
std::vector<DecodedSequence> forced_decode(Writer& writer, const Tensor& source, const Tensor& target_out);

// As many as are asked for, 1 to 64, or as the writer has room for behind the source (R, S). Throws Error(config) for
// another max_length, Error(shape) for another source.
int tokens_to_write(const Writer& writer, const Tensor& source, int max_length);

Tensor begin_tokens(int rows);                         // (R) of <bos>
std::vector<Scalar> row_of(const Tensor& x, int row);  // of (R, …); empty without a tensor

}  // namespace unroll
