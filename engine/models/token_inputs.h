// Limits, checks and initial values of token inputs.
#pragma once

#include "engine/models/model.h"

namespace unroll {

constexpr int max_rows = 256, max_positions = 64;
constexpr int min_vocabulary = 5, max_vocabulary = 32768;  // minimum: the special tokens and one word

// Throws Error(shape) unless the shape is (B, positions) within these limits.
void check_token_shape(const std::string& name, const Shape& shape);

// Throws Error(input) unless each row begins with a token and has padding only at its end.
void check_padding(const std::string& name, const Tensor& ids);

// Initial ids (1, …): `words` consecutive tokens of the vocabulary, between `begin` and `end` unless these are 0.
Tensor first_tokens(int begin, int words, int end, int vocabulary);

// Empty sequences (B, T): `first`, which is <bos> in target_in and <eos> in target_out, then padding.
Tensor empty_targets(int first, int rows, int positions);

}  // namespace unroll
