// Converts sequences between the layout of the recurrent cases and the engine's.
#pragma once

#include "engine/nn/recurrent/recurrent.h"
#include "tests/conform/case.h"

namespace unroll::conform {

std::vector<Tensor> positions_of(const Tensor& x);                   // (B, S, X) → S of (B, X)
Tensor present_at(const Tensor& lengths, int positions);             // (B) → (B, S), as Recurrent::run takes it
Tensor stacked_h(const std::vector<CellState>& states);              // C of (B, H) → (C, B, H)
Tensor stacked_c(const std::vector<CellState>& states);              // the same of the memories
std::vector<CellState> states_of(const Tensor& h, const Tensor& c);  // (C, B, H) → C of (B, H); c may be no tensor

}  // namespace unroll::conform
