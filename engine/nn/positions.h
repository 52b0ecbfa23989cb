// What tells an attention layer where each word stands: without it a permutation of the words permutes the outputs.
//
// Absolute positions are added to the words, relative ones enter where a query meets a key. Position 0 is the first;
// `first_position` is where a sequence goes on that began earlier.
#pragma once

#include <string>

#include "engine/nn/parameters.h"
#include "engine/ops/ops.h"

namespace unroll {

enum class AbsolutePositions { none, index, sinusoidal, learned };

// (T, 1): the position itself, one number for all entries of a word.
Tensor index_positions(int positions, int first_position = 0);

// (T, D): P[p, 2i] = sin(p / 10000^(2i/D)) and P[p, 2i + 1] = cos of the same; the last column of an odd D is a sine.
// The pairs of position p + k are those of p turned by an angle that depends on k alone. (Vaswani et al. 2017, §3.5.)
Tensor sinusoidal_positions(int positions, int size, int first_position = 0);

// One of these two, which have nothing to learn.
Tensor fixed_positions(AbsolutePositions kind, int positions, int size, int first_position = 0);

// One learned vector a position: the parameter `name`, a table (longest, D). (Gehring et al. 2017, §3.1; Vaswani et al.
// 2017, §3.5.)
struct LearnedPositions {
  LearnedPositions(Parameters& parameters, const std::string& name, int longest, int size);
  explicit LearnedPositions(Tensor table) : table(std::move(table)) {}

  // (T, D): the rows from first_position on. Throws Error(shape) where the table ends before the sequence does.
  Tensor operator()(int positions, int first_position = 0) const;

  Tensor table;
};

// (N, T, S): −slope · |distance| from the query to the key, to be added to the scores; heads have the slopes
// 2^(−8/N), 2^(−16/N) … 2^(−8). Where N is no power of two they are those of the power below, and then every second one
// of the power above. (Press et al. 2022, §3; the other N as in the program they published.)
Tensor alibi_bias(int heads, int queries, int keys, int first_position = 0);

// Which two numbers of a vector make a pair: neighbours (Su et al. 2021, eq. 34), or one from each half, as most
// language models have it. The two differ by the order of the numbers only.
enum class RotaryLayout { interleaved, half };

// x (…, T, K) with pair i of position p turned by the angle p / base^(2i/K): the product of a query with a key then
// depends on the distance between them alone. Throws Error(shape) for an odd K. (Su et al. 2021, §3.2.)
Tensor rotary(Operand x, int first_position = 0, RotaryLayout layout = RotaryLayout::interleaved, double base = 10000);

}  // namespace unroll
