// A recurrent network over one short sequence, to follow its gates by hand and see how far gradients reach back.
#pragma once

#include "engine/models/model.h"
#include "engine/nn/recurrent/recurrent.h"

namespace unroll {

// Input X (S, size), one row per position, S from 1 to 101. The last state (1, D·H) is that of the highest layer after
// the last position, concatenated with the backward direction's after position 0. Loss L = mean (last state − target)².
// With `attention` the loss reads c (1, D·H) instead: the last state attends to all S states by scaled dot product.
// Every state is on the tape, such as cell.0.t3/h at position 3 of layer 0, and backward leaves ∂L/∂h there. (Bengio et
// al. 1994 and Pascanu et al. 2013 on how it vanishes and explodes.)
//
// Config: cell (see cell_kinds), size (1 to 8), hidden (1 to 16), positions (1 to 101), layers (1 or 2), bidirectional,
// attention, forget_bias (−10 to 10), seed; initialisation: input_scale (0 to 10), the standard deviation of X; bias
// (false: b and c are 0, except an LSTM's forget bias); orthogonal (true: blocks of U with orthonormal rows); scale (0
// to 10), which multiplies U, and for orthogonal blocks is their largest singular value; X and target as row-major
// lists; part and program (see learner_parts.h): a learner's cell has its own initial values.
class RecurrentModel : public Model {
 public:
  explicit RecurrentModel(const Config& config);
  Tensor loss() override;

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void init_parameters(const Config& config);
  void init_without_bias(const Tensor& value, bool is_b) const;
  Tensor last_state(const RecurrentOutput& encoded) const;

  RecurrentOptions options_;
  Recurrent network_;
  bool attention_;
};

}  // namespace unroll
