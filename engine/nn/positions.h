// Position encodings: without them, permuting the tokens only permutes the outputs of attention.
//
// Absolute encodings are added to the token vectors, relative ones enter the scores of queries against keys. Positions
// count from 0; `first_position` is that of the first row, for a sequence that continues an earlier one.
#pragma once

#include <functional>
#include <string>

#include "engine/nn/layers/position_wise.h"
#include "engine/nn/parts.h"

namespace unroll {

enum class AbsolutePositions { none, index, sinusoidal, learned };

// (T, 1): the position itself, broadcast over the D values of a token.
Tensor index_positions(int positions, int first_position = 0);

// (T, D): P[p, 2i] = sin(p / 10000^(2i/D)) and P[p, 2i + 1] = cos of the same angle; for an odd D the last column is a
// sine. Pair i at position p + k is pair i at position p rotated by an angle that does not depend on p. (Vaswani et al.
// 2017, §3.5.)
Tensor sinusoidal_positions(int positions, int size, int first_position = 0);

// Index or sinusoidal positions, by `kind`: nothing is learned.
Tensor fixed_positions(AbsolutePositions kind, int positions, int size, int first_position = 0);

// One learned vector per position: the parameter `name`, a table (max_positions, D). (Gehring et al. 2017, §3.1;
// Vaswani et al. 2017, §3.5.)
struct LearnedPositions {
  LearnedPositions(Parameters& parameters, const std::string& name, int max_positions, int size);
  explicit LearnedPositions(Tensor table) : table(std::move(table)) {}

  // (T, D): the rows of the table from first_position on. Throws Error(shape) when the sequence runs past its end.
  Tensor operator()(int positions, int first_position = 0) const;

  Tensor table;
};

// (N, T, S): −slope · |distance| between query and key, added to the scores; the heads have the slopes 2^(−8/N),
// 2^(−16/N) … 2^(−8). If N is not a power of two, they have the slopes of the next lower power, then every second slope
// of the next higher one. (Press et al. 2022, §3; other N as in the code they published.)
Tensor alibi_bias(int heads, int queries, int keys, int first_position = 0);

// Which two values of a vector form a pair: neighbours (Su et al. 2021, eq. 34), or one from each half, as in most
// language models. The two layouts differ only in the order of the values.
enum class RotaryLayout { interleaved, half };

// x (…, T, K) with pair i at position p rotated by the angle p / base^(2i/K): the product of a query with a key then
// depends on their positions only through the distance. Throws Error(shape) for an odd K. (Su et al. 2021, §3.2.)
Tensor rotary(Operand x, int first_position = 0, RotaryLayout layout = RotaryLayout::interleaved, double base = 10000);

// The input of a Transformer: ids (B, T) → √D · E[ids] + P (B, T, D), E the embedding and P the positions. (Vaswani et
// al. 2017, §3.4 and §3.5.)
class PositionedEmbedding {
 public:
  // Declares name.weight (V, D), normal with standard deviation 1/√D, so that √D · E starts on the scale of sinusoidal
  // positions; and name.positions (max_positions, D) for learned positions.
  PositionedEmbedding(Parameters& parameters, const std::string& name, int vocabulary, int size,
                      AbsolutePositions positions, int max_positions);

  // The first id is at first_position. Throws Error(shape) when the ids run past the end of a learned table.
  Tensor operator()(Operand ids, int first_position = 0) const;

  const Tensor& table() const { return embedding_.weight; }  // E (V, D)

 private:
  Embedding embedding_;
  std::function<Tensor(int count, int first_position)> positions_;  // (T, D), or (T, 1); none for no positions
};

}  // namespace unroll
