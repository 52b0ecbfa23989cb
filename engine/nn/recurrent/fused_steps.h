// gru_step and lstm_step with the gates in one pass: the same bits, without the names of the gates (ops/fused/fused.h).
#pragma once

#include "engine/nn/recurrent/cell.h"

namespace unroll {

CellState fused_gru_step(Operand x, const CellState& previous, const CellWeights& weights);
CellState fused_lstm_step(Operand x, const CellState& previous, const CellWeights& weights);

}  // namespace unroll
