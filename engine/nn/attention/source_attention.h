// Attention of a recurrent decoder over the source: its state becomes the query, the encoder's states keys and values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/parts.h"

namespace unroll {

// How keys, queries or values are made from states x: x itself, W x + b, or a function of each number of W x + b.
enum class Projection { none, linear, tanh, sigmoid, relu };

// Which keys a query attends to: all, those around its own position (local-m), or those around a position it predicts
// (local-p). (Luong et al. 2015, §3.2.)
enum class Window { global, local_m, local_p };

struct SourceAttentionOptions {
  std::string score = "additive";  // see make_score
  int query = 0, state = 0;        // sizes of the decoder's state s and the encoder's states h
  int attention = 0;               // A: in the score function, projected keys and queries, and local-p
  int positions = 0;               // longest source; see location_score
  Projection queries = Projection::none, keys = Projection::none, values = Projection::none;
  Window window = Window::global;
  int half_width = 4;  // D of the local windows
};

// Computed once for a source (B, S) and attended to from every target position.
struct Memory {
  Tensor keys;    // (B, S, …), as the score function takes them
  Tensor values;  // (B, S, state)
  Tensor mask;    // (B, 1, S): −∞ at padding; empty if there is none
  Tensor last;    // (B, 1): the position of each row's last token
  auto tensors() { return std::tie(keys, values, mask, last); }
};

class SourceAttention {
 public:
  SourceAttention(const SourceAttentionOptions& options, Parameters& parameters, const std::string& name);

  // h (B, S, state); row b has lengths[b] tokens, followed by padding.
  Memory project_memory(Operand h, const std::vector<int>& lengths) const;

  // One query per row, s (B, query), at a target position: context (B, state), weights (B, 1, S). Temperature 0 is hard
  // attention, with all the weight on the best key. (Xu et al. 2015, §4.1, who sample the key with probability α.)
  AttentionOutput attend_to(Operand s, const Memory& memory, int position, double temperature = 1) const;

 private:
  AttentionOutput attend_by_scores(Operand q, const Memory& memory, const Tensor& mask, double temperature) const;

  SourceAttentionOptions options_;
  std::optional<Linear> W_query_, W_key_, W_value_;
  Score score_ = {[](const Operand& k) { return Tensor(k); }, {}};  // the keys as they are, where nothing scores them
  // attend_by_scores, or its replacement.
  std::function<AttentionOutput(const SourceAttention&, const Operand& q, const Memory&, const Tensor& mask,
                                double temperature)>
      attend_;
  Tensor W_p_, v_p_;  // of local-p: (A, Q), (A)
};

// The parts of local attention. `last` (B, 1) is the position of each row's last token, counted from 0.

// Local-m: the query at target position t attends to keys t − D to t + D, D the half width. Returns an additive mask
// (B, 1, S). Past the end of the source the window stays centred on the last token.
Tensor window_mask(const Tensor& last, int keys, int position, int half_width);

// Local-p: p = last · σ(v · tanh(W q)) (B, T), the position that each query q (B, T, Q) predicts; W (A, Q), v (A).
// (Eq. 9, where positions count from 1.)
Tensor predicted_position(Operand q, Operand last, Operand W, Operand v);

// α = softmax((e + mask) / temperature) · exp(−(s − p)² / 2σ²) for key s, c = α v; p (B, T), σ the deviation. The
// weights decay on both sides of p and no longer sum to 1. Unlike in the paper, keys further than D = 2σ are not cut
// off, so p has a gradient everywhere. (Eq. 10.)
AttentionOutput attend_local_p(Operand e, Operand v, Operand p, double deviation, const Tensor& mask = {},
                               double temperature = 1);

}  // namespace unroll
