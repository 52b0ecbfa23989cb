#include "engine/nn/recurrent/fused_steps.h"

#include "engine/ops/fused/fused.h"

namespace unroll {

CellState fused_gru_step(Operand x, const CellState& previous, const CellWeights& p) {
  const Tensor Wx = matmul(x, p.W, Transposed::b) + p.b;           // (B, 3H)
  const Tensor Uh = matmul(previous.h, p.U, Transposed::b) + p.c;  // (B, 3H)
  return {fused::gru(Wx, Uh, previous.h)};
}

CellState fused_lstm_step(Operand x, const CellState& previous, const CellWeights& p) {
  const Tensor Wx = matmul(x, p.W, Transposed::b) + p.b;           // (B, 4H)
  const Tensor Uh = matmul(previous.h, p.U, Transposed::b) + p.c;  // (B, 4H)
  const Tensor sums = Wx + Uh;                                     // (B, 4H)
  const Tensor c = fused::lstm_cell(sums, previous.c);             // (B, H)
  return {fused::lstm_output(sums, c), c};
}

}  // namespace unroll
