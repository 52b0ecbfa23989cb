// Recurrent networks: a state that every position of a sequence updates.
//
// Letters: B batch, S positions, X input size, H hidden size, L layers, D directions (1 or 2).
#pragma once

#include <string>
#include <vector>

#include "engine/nn/cell.h"

namespace unroll {

struct RecurrentOptions {
  CellKind cell = CellKind::gru;
  int input = 0, hidden = 0;
  int layers = 1;
  bool bidirectional = false;
  double forget_bias = 0;  // see Cell
};

// What a recurrent network makes of a sequence.
struct Encoded {
  std::vector<Tensor> states;   // S of (B, D·H): of the highest layer, the directions side by side
  std::vector<CellState> last;  // L·D, the directions of a layer side by side; backward's is that of position 0
};

// L layers in D directions, cell names name.0, name.0_reverse, name.1 … (Schuster & Paliwal 1997, bidirectional.)
//
// On the tape a position stands in the scopes of its layer and of itself: 0.t3/z is gate z of layer 0 at position 3,
// 0_reverse.t3/z the backward direction's, 0_both.t3/h the states of both directions side by side. Whoever runs the
// network opens the scope around them, as "encoder" for encoder.0.t3/z.
class Recurrent {
 public:
  Recurrent(const RecurrentOptions& options, Parameters& parameters, const std::string& name);
  // From L·D cells, in the order of Encoded::last.
  Recurrent(std::vector<Cell> cells, bool bidirectional);

  // x: S of (B, X), position by position. `present` (B, S), where given, is 1 for tokens and 0 for the padding after
  // them: there a state stays as it was, and the states given out are 0. `first` holds the states to start from, like
  // Encoded::last; without it they are zero.
  Encoded run(const std::vector<Tensor>& x, const Tensor& present = {}, const std::vector<CellState>& first = {}) const;

  // One position more, of a network in one direction: x (B, X) and the state of each layer before it go in, the states
  // after it come out. On the tape a layer stands in the scope of its number.
  std::vector<CellState> step(Operand x, const std::vector<CellState>& before) const;

  std::vector<CellState> zero_states(int batch) const;  // L·D, like Encoded::last

 private:
  void check(const std::vector<Tensor>& x, const Tensor& present, const std::vector<CellState>& first) const;
  // The states that a layer makes of encoded.states; adds what it ends with to encoded.last.
  std::vector<Tensor> run_layer(int layer, const std::vector<Tensor>& marks, const std::vector<CellState>& first,
                                Encoded& encoded) const;

  std::vector<Cell> cells_;
  int directions_;
};

}  // namespace unroll
