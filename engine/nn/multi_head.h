// Multi-head attention: several looks at once, each through projections of its own.
#pragma once

#include <optional>
#include <string>

#include "engine/nn/attention.h"
#include "engine/nn/linear.h"

namespace unroll {

// Letters: D model size, N heads, G heads of keys and values, K the size of a head's queries and keys.
struct MultiHeadOptions {
  int model = 0;                       // D: width of the queries' input and of the output
  int heads = 1;                       // N
  int key_value_heads = 0;             // G, divides N; 0: as many as heads
  int head_size = 0;                   // K; 0: D / N
  int value_size = 0;                  // of a head's values; 0: K
  int key_input = 0, value_input = 0;  // widths of what keys and values are made of; 0: D
  bool bias = true;

  // What else the scores know of positions: nothing, a penalty for distance, or queries and keys that are turned by
  // their position (see positions.h).
  enum class Relative { none, alibi, rotary };
  Relative relative = Relative::none;
};

// What a source is looked at through: keys (B, G, S, K) and values (B, G, S, value size). A KV cache holds these.
struct KeysValues {
  Tensor keys, values;
};
int length_of(const KeysValues& memory);  // S; 0 where there are none yet

// The four linear maps around the heads: W_Q (N · K, D), W_K (G · K, key_input), W_V (G · value_size, value_input) and
// W_O (D, N · value_size), head after head. One that is left out passes on what it gets.
struct HeadProjections {
  std::optional<Linear> W_Q, W_K, W_V, W_O;
};

// MultiHead(Q, K, V) = [head 1; …; head N] W_O, each head softmax(q kᵀ / √K + mask) v with q, k and v projected for
// that head alone. (Vaswani et al. 2017, §3.2.2.) With G < N the heads share keys and values in groups of N / G:
// grouped-query attention (Ainslie et al. 2023, §2.2), and with G = 1 multi-query attention (Shazeer 2019, §3).
class MultiHeadAttention {
 public:
  // Declares name.W_Q, name.W_K, name.W_V and name.W_O, each a Linear. Throws Error(config) where N is below 1, N does
  // not divide D and there is no head_size, G does not divide N, or K is odd and positions are rotary.
  MultiHeadAttention(const MultiHeadOptions& options, Parameters& parameters, const std::string& name);

  // The same with projections that exist already.
  MultiHeadAttention(const MultiHeadOptions& options, HeadProjections projections);

  // Queries from x (B, T, D), keys and values from (B, S, key_input) and (B, S, value_input): context (B, T, D),
  // weights (B, N, T, S). The additive mask broadcasts against (B, N, T, S); a query that sees no key gets weights 0,
  // and what W_O makes of a context of 0.
  Attended operator()(Operand x, Operand of_keys, Operand of_values, const Tensor& mask = {}) const;

  // Its halves, for what is read once and looked at often: keys and values whose first is at `first_position`, and
  // queries x whose first is at `first_position`, with keys from position 0 on. To a KV cache new keys and values are
  // joined along axis 2.
  KeysValues keys_and_values(Operand of_keys, Operand of_values, int first_position = 0) const;
  Attended look(Operand x, const KeysValues& memory, const Tensor& mask = {}, int first_position = 0) const;

  // What look is made of: queries x (B, T, D) → q (B, N, T, K); one look a head, context (B, N, T, value_size); and
  // those contexts joined and projected → (B, T, D).
  Tensor queries(Operand x, int first_position = 0) const;
  Attended look_of_heads(Operand q, const KeysValues& memory, const Tensor& mask = {}, int first_position = 0) const;
  Tensor output(Operand contexts) const;

  const MultiHeadOptions& options() const { return options_; }  // nothing is left at 0

 private:
  MultiHeadOptions options_;
  HeadProjections projections_;
};

// Options with every 0 filled in. Throws Error(config) as the constructor does.
MultiHeadOptions complete(MultiHeadOptions options);

// (B, T, N · size) → (B, N, T, size), and back.
Tensor split_heads(Operand x, int heads);
Tensor join_heads(Operand x);

// Keys or values (B, G, S, size) as each of N heads sees them, (B, N, S, size): head i has those of group i / (N / G).
Tensor for_each_head(Operand x, int heads);

}  // namespace unroll
