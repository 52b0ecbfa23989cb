// The composites of this layer that have a fused kernel (ops/fused/fused.h), as ops/fused/composites.h has those of the
// operations.
#pragma once

#include "engine/nn/recurrent/cell.h"

namespace unroll::composite {

CellState gru_step(const Operand& x, const CellState& previous, const CellWeights& weights);
CellState lstm_step(const Operand& x, const CellState& previous, const CellWeights& weights);
Tensor additive_score_of_keys(const Operand& q, const Operand& u, const Operand& W, const Operand& b, const Operand& v);

}  // namespace unroll::composite
