// What a batch of token sequences must be.
#pragma once

#include "engine/models/model.h"

namespace unroll {

constexpr int most_rows = 256, most_positions = 64;
constexpr int least_vocabulary = 5, most_vocabulary = 32768;  // the special tokens and one word

// (B, positions) within these limits; throws Error(shape).
void check_token_shape(const std::string& name, const Shape& shape);

// Each row begins with a token, and padding comes after its last one; throws Error(input).
void check_padding(const std::string& name, const Tensor& ids);

// (1, …): something to look at before an input is set, `words` tokens of the vocabulary one after the other, between
// `begin` and `end` where these are not 0.
Tensor first_tokens(int begin, int words, int end, int vocabulary);

// target_in (B, T) of empty sequences, <bos> and padding; target_out, <eos> and padding.
Tensor empty_targets(int first, int rows, int positions);

}  // namespace unroll
