// Chooses between kernel and composite, as ops/fused/fused.cpp does. The products are the same operations in both: a
// kernel computes what follows them.
#include "engine/ops/fused/fused.h"

#include "engine/nn/attention/scores.h"
#include "engine/nn/recurrent/cell.h"

namespace unroll {
namespace {

Tensor affine(const Tensor& x, const Tensor& W, const Tensor& b) { return matmul(x, W, Transposed::b) + b; }

CellState fused_gru_step(const Tensor& x, const CellState& previous, const CellWeights& p) {
  const Tensor Wx = affine(x, p.W, p.b), Uh = affine(previous.h, p.U, p.c);  // (B, 3H)
  return {fused::gru(Wx, Uh, previous.h)};
}

CellState fused_lstm_step(const Tensor& x, const CellState& previous, const CellWeights& p) {
  const Tensor Wx = affine(x, p.W, p.b), Uh = affine(previous.h, p.U, p.c);  // (B, 4H)
  const Tensor sums = Wx + Uh;                                               // (B, 4H)
  const Tensor c = fused::lstm_cell(sums, previous.c);                       // (B, H)
  return {fused::lstm_output(sums, c), c};
}

bool has_additive_kernel(const Tensor& q, const Tensor& keys, const Tensor& W, const Tensor& b, const Tensor& v) {
  return q.rank() > 0 && W.rank() == 2 && b.shape() == v.shape() &&
         fused::takes_additive_score(q.shape().with(-1, W.shape()[0]), keys.shape(), v.shape());
}

}  // namespace

CellState gru_step(Operand x, const CellState& previous, const CellWeights& weights) {
  return fused::runs() ? fused_gru_step(x, previous, weights) : composite::gru_step(x, previous, weights);
}

CellState lstm_step(Operand x, const CellState& previous, const CellWeights& weights) {
  return fused::runs() ? fused_lstm_step(x, previous, weights) : composite::lstm_step(x, previous, weights);
}

Tensor additive_score_of_keys(Operand q, Operand keys, Operand W, Operand b, Operand v) {
  return fused::runs() && has_additive_kernel(q, keys, W, b, v) ? fused::additive_score(affine(q, W, b), keys, v)
                                                                : composite::additive_score_of_keys(q, keys, W, b, v);
}

}  // namespace unroll
