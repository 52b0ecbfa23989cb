// Multi-head attention: several attention heads in parallel, each with its own projections.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>

#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/parts.h"

namespace unroll {

// Letters: D model size, N heads, G key/value heads, K size of a head's queries and keys.
struct MultiHeadOptions {
  int model = 0;                       // D: width of the queries' input and of the output
  int heads = 1;                       // N
  int key_value_heads = 0;             // G, divides N; 0: N
  int head_size = 0;                   // K; 0: D / N
  int value_size = 0;                  // of a head's values; 0: K
  int key_input = 0, value_input = 0;  // widths of the keys' and values' inputs; 0: D
  bool bias = true;

  // How the scores depend on positions: not at all, by a penalty for distance, or through rotated queries and keys (see
  // positions.h).
  enum class Relative { none, alibi, rotary };
  Relative relative = Relative::none;
};

// Projected keys (B, G, S, K) and values (B, G, S, value size): what queries attend to. A KV cache holds these.
struct KeysValues {
  Tensor keys, values;
  auto tensors() { return std::tie(keys, values); }
};
int cached_length(const KeysValues& memory);  // S; 0 if there are no keys yet

// The four projections W_Q (N · K, D), W_K (G · K, key_input), W_V (G · value_size, value_input) and
// W_O (D, N · value_size), one head after the other. A missing one is the identity.
struct HeadProjections {
  std::optional<Linear> W_Q, W_K, W_V, W_O;
};

// MultiHead(Q, K, V) = [head 1; …; head N] W_O, each head softmax(q kᵀ / √K + mask) v with its own projections q, k and
// v. (Vaswani et al. 2017, §3.2.2.) With G < N, groups of N / G heads share keys and values: grouped-query attention
// (Ainslie et al. 2023, §2.2), with G = 1 multi-query attention (Shazeer 2019, §3).
class MultiHeadAttention {
 public:
  // Declares name.W_Q, name.W_K, name.W_V and name.W_O, each a Linear. Throws Error(config) if N is below 1, N does not
  // divide D and head_size is 0, G does not divide N, or K is odd with rotary positions.
  MultiHeadAttention(const MultiHeadOptions& options, Parameters& parameters, const std::string& name);

  // The same with existing projections.
  MultiHeadAttention(const MultiHeadOptions& options, HeadProjections projections, const std::string& name = "",
                     const Parts& parts = no_parts);

  // Queries from x (B, T, D), keys and values from (B, S, key_input) and (B, S, value_input): context (B, T, D),
  // weights (B, N, T, S). The additive mask broadcasts against (B, N, T, S); a query that sees no key gets weights 0
  // and the output of W_O for a zero context.
  AttentionOutput operator()(Operand x, Operand key_input, Operand value_input, const Tensor& mask = {}) const;

  // operator() in two halves, for keys and values that are computed once and attended to often. `first_position` is
  // that of the first key or query; attend_to takes keys from position 0 on. A KV cache appends new keys and values
  // along axis 2.
  KeysValues keys_and_values(Operand key_input, Operand value_input, int first_position = 0) const;
  AttentionOutput attend_to(Operand x, const KeysValues& memory, const Tensor& mask = {}, int first_position = 0) const;

  // The steps of attend_to: queries x (B, T, D) → q (B, N, T, K); attention in each head, context
  // (B, N, T, value_size); the contexts joined and projected → (B, T, D).
  Tensor queries(Operand x, int first_position = 0) const;
  AttentionOutput attend_heads(Operand q, const KeysValues& memory, const Tensor& mask = {},
                               int first_position = 0) const;
  Tensor output(Operand contexts) const;

  const MultiHeadOptions& options() const { return options_; }  // with every default filled in

 private:
  MultiHeadOptions options_;
  HeadProjections projections_;
  AttentionOutput attend_and_join(Operand q, const KeysValues& memory, const Tensor& mask, int first_position) const;

  ScoreFunction score_;  // scaled_dot_score, or its replacement
  // attend_heads, or its replacement, which gets no penalty for distance.
  std::function<AttentionOutput(const MultiHeadAttention&, const Operand& q, const KeysValues&, const Tensor& mask,
                                int)>
      attend_;
};

// Replaces every 0 by its default. Throws Error(config) as the constructor does.
MultiHeadOptions with_defaults(MultiHeadOptions options);

// (B, T, N · size) → (B, N, T, size), and back.
Tensor split_heads(Operand x, int heads);
Tensor join_heads(Operand x);

// Keys or values (B, G, S, size) repeated for N heads, (B, N, S, size): head i has those of group i / (N / G).
Tensor repeat_kv(Operand x, int heads);

}  // namespace unroll
