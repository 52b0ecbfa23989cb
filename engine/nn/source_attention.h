// Looking back at the source: how a decoder's state becomes a query, the encoder's states keys and values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/nn/attention.h"
#include "engine/nn/linear.h"

namespace unroll {

// What makes keys, queries or values of states x: x itself, W x + b, or tanh(W x + b).
enum class Projection { none, linear, tanh };

// Which keys a query looks at: all, those around its own position, or those around a position it asks for (see
// local_attention.h).
enum class Window { global, local_m, local_p };

struct SourceAttentionOptions {
  std::string score = "additive";  // see make_score
  int query = 0, state = 0;        // sizes of the decoder's state s and the encoder's h
  int attention = 0;               // A: of the score function, of projected keys and queries, of local-p
  int positions = 0;               // the longest source
  Projection queries = Projection::none, keys = Projection::none, values = Projection::none;
  Window window = Window::global;
  int half_width = 4;  // D of the local windows
};

// What is computed once for a source (B, S) and looked at from every position of the target.
struct Memory {
  Tensor keys;    // (B, S, …), as the score function takes them
  Tensor values;  // (B, S, state)
  Tensor mask;    // (B, 1, S): −∞ for padding; no tensor where there is none
  Tensor last;    // (B, 1): the position of each row's last token
};

class SourceAttention {
 public:
  SourceAttention(const SourceAttentionOptions& options, Parameters& parameters, const std::string& name);

  // h (B, S, state); row b has lengths[b] tokens, and padding after them.
  Memory read(Operand h, const std::vector<int>& lengths) const;

  // One query a row, s (B, query), at a position of the target: context (B, state), weights (B, 1, S). Temperature 0 is
  // hard attention: all the weight on the best key. (Xu et al. 2015, §4.1, who draw the key with probability α.)
  Attended look(Operand s, const Memory& memory, int position, double temperature = 1) const;

 private:
  SourceAttentionOptions options_;
  std::optional<Linear> W_query_, W_key_, W_value_;
  Score score_;
  Tensor W_p_, v_p_;  // of local-p: (A, Q), (A)
};

// How many numbers the parameters are.
double source_attention_parameters(const SourceAttentionOptions& options);

}  // namespace unroll
