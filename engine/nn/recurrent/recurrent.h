// Recurrent networks: a state that is updated at every position of a sequence.
//
// Letters: B batch, S positions, X input size, H hidden size, L layers, D directions (1 or 2).
#pragma once

#include <string>
#include <vector>

#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/cell.h"

namespace unroll {

struct RecurrentOptions {
  CellKind cell = CellKind::gru;
  int input = 0, hidden = 0;
  int layers = 1;
  bool bidirectional = false;
  double forget_bias = 0;  // see Cell
};

struct RecurrentOutput {
  std::vector<Tensor> states;   // S of (B, D·H): of the top layer, the directions concatenated
  std::vector<CellState> last;  // L·D, layer by layer, forward then backward; the backward one is that of position 0
};

// L layers in D directions, with cells name.0, name.0_reverse, name.1 … (Schuster & Paliwal 1997, bidirectional.)
//
// On the tape a position is in the scopes of its layer and of itself: 0.t3/z is gate z of layer 0 at position 3,
// 0_reverse.t3/z that of the backward direction, 0_both.t3/h the concatenated states of both. The caller opens the
// scope around them, such as "encoder" for encoder.0.t3/z.
class Recurrent {
 public:
  Recurrent(const RecurrentOptions& options, Parameters& parameters, const std::string& name);
  // From L·D cells, in the order of RecurrentOutput::last.
  Recurrent(std::vector<Cell> cells, bool bidirectional);

  // x: S of (B, X), one per position. `present` (B, S), if given, is 1 for tokens and 0 for the padding after them: at
  // padding the state is carried over unchanged, and RecurrentOutput::states is 0. `first` holds the initial states, in
  // the order of RecurrentOutput::last; by default they are zero. Throws Error(shape) if x is empty, `present` is not
  // (B, S), or `first` does not hold one state per cell.
  RecurrentOutput run(const std::vector<Tensor>& x, const Tensor& present = {},
                      const std::vector<CellState>& first = {}) const;

  // One more position of a unidirectional network: takes x (B, X) and the previous state of each layer, returns the new
  // states. On the tape each layer is in the scope of its number.
  std::vector<CellState> step(Operand x, const std::vector<CellState>& previous) const;

  std::vector<CellState> zero_states(int batch) const;  // L·D, in the order of RecurrentOutput::last

 private:
  void check(const std::vector<Tensor>& x, const Tensor& present, const std::vector<CellState>& first) const;
  // Returns the states of a layer that reads output.states, and appends its last states to output.last.
  std::vector<Tensor> run_layer(int layer, const std::vector<Tensor>& masks, const std::vector<CellState>& first,
                                RecurrentOutput& output) const;

  std::vector<Cell> cells_;
  int directions_;
};

// The recurrent encoder: reads the source token by token.

// An encoded source (B, S).
struct Source {
  Tensor h;                     // (B, S, D·H): a state for each token, 0 at padding
  std::vector<CellState> last;  // see RecurrentOutput
  std::vector<int> lengths;     // tokens in each row
};

class RecurrentEncoder {
 public:
  // Parameters source_embedding.weight (V, E) and encoder.0.W … With `reversed` it reads from the last token to the
  // first. (Sutskever et al. 2014, §3.3.)
  RecurrentEncoder(const RecurrentOptions& options, int vocabulary, bool reversed, Parameters& parameters);

  // ids (B, S), with pad_id after the tokens.
  Source encode(Operand ids) const;

 private:
  Embedding embedding_;
  Recurrent network_;
  bool reversed_;
};

// Conversions between a sequence (B, S, …) and its positions, S of (B, …); lengths and padding.

// x (B, S, …) at one position (B, …).
Tensor at_position(Operand x, int position);

// S of (B, …) stacked to (B, S, …).
Tensor join_positions(const std::vector<Tensor>& positions);

// Number of tokens in each row of ids (B, S) before its padding.
std::vector<int> lengths_of(const Tensor& ids, int padding);

// (B, S): 1 for the tokens, 0 for the padding after them; empty if no row is padded.
Tensor present_tokens(const std::vector<int>& lengths, int positions);

}  // namespace unroll
