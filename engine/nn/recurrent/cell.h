// Recurrent cells: one time step of a recurrent network.
//
// Letters: B batch, X input size, H hidden size, G blocks of H rows in a cell's weights (rnn 1, gru 3, lstm 4).
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "engine/nn/parameters.h"
#include "engine/nn/parts.h"
#include "engine/ops/ops.h"

namespace unroll {

// W (G·H, X) and b (G·H) for the input, U (G·H, H) and c (G·H) for the previous state.
// Blocks of rows: gru r, z, n; lstm i, f, g, o.
struct CellWeights {
  Tensor W, U, b, c;
};

// What a cell carries from one position to the next: h (B, H), and in an LSTM the memory c (B, H).
struct CellState {
  Tensor h;
  Tensor c = {};
  auto tensors() { return std::tie(h, c); }
};

// Each step function returns the state after x (B, X). On the tape every gate is named by its letter, the new state h
// (and c).

// h = tanh(W x + b + U h + c). (Elman 1990.)
CellState rnn_step(Operand x, const CellState& previous, const CellWeights& weights);

// The same with relu instead of tanh. (Le et al. 2015, §2.)
CellState rnn_relu_step(Operand x, const CellState& previous, const CellWeights& weights);

// r, z = σ(W x + b + U h + c), n = tanh(W x + b + r (U h + c)), h = (1 − z) n + z h: the reset gate r applies after the
// product, as in PyTorch.
CellState gru_step(Operand x, const CellState& previous, const CellWeights& weights);

// The same with the reset gate before the product: n = tanh(W x + b + U (r h) + c). (Cho et al. 2014, eq. 5 to 8.)
CellState gru_reset_before_step(Operand x, const CellState& previous, const CellWeights& weights);

// i, f, o = σ(W x + b + U h + c), g = tanh(W x + b + U h + c), memory c = f c + i g, h = o tanh c. (Hochreiter &
// Schmidhuber 1997; forget gate f: Gers et al. 2000.)
CellState lstm_step(Operand x, const CellState& previous, const CellWeights& weights);

// The readable definitions of the steps that have a fused kernel (ops/fused/fused.h); nn/fused.cpp chooses.
namespace composite {
CellState gru_step(const Operand& x, const CellState& previous, const CellWeights& weights);
CellState lstm_step(const Operand& x, const CellState& previous, const CellWeights& weights);
}  // namespace composite

enum class CellKind { rnn, rnn_relu, gru, gru_reset_before, lstm };

std::vector<std::string> cell_kinds();  // names, in enum order
int blocks_of(CellKind kind);           // G

// One cell with its parameters name.W (G·H, X), name.U (G·H, H), name.b (G·H) and name.c (G·H), all initially uniform
// between −1/√H and 1/√H; `forget_bias` is added to the forget gate's rows of an LSTM's b.
class Cell {
 public:
  // A cell that replaces the built-in one has no memory c.
  Cell(CellKind kind, Parameters& parameters, const std::string& name, int input, int hidden, double forget_bias = 0);
  Cell(CellKind kind, CellWeights weights);

  CellState zero_state(int batch) const;

  // The state after x (B, X).
  CellState step(Operand x, const CellState& previous) const { return step_(x, previous); }

 private:
  CellKind kind_;
  int hidden_;
  CellFunction step_;
};

}  // namespace unroll
