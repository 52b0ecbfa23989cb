// A recurrent network over one short sequence: its gates to follow by hand, and how far a gradient gets back.
#pragma once

#include "engine/models/model.h"
#include "engine/nn/recurrent.h"

namespace unroll {

// Input X (S, size), one row a position, 1 to 101 of them. The last state is that of the highest layer after the last
// position, the backward direction's after position 0 beside it: (1, D·H). Loss L = mean (last state − target)². With
// `attention` the loss reads c (1, D·H) instead: the last state looks at all S states by scaled dot product.
// Every state is on the tape, cell.0.t3/h at position 3 of layer 0, and backward leaves ∂L/∂h there. (Bengio et al.
// 1994 and Pascanu et al. 2013 on how it vanishes and explodes.)
//
// Config: cell (see cell_kinds), size (1 to 8), hidden (1 to 16), positions (1 to 101), layers (1 or 2), bidirectional,
// attention, forget_bias (−10 to 10), seed; how it starts: input_scale (0 to 10), the deviation of X; bias, false for b
// and c of 0; orthogonal, true for blocks of U with orthonormal rows; scale (0 to 10), which multiplies U, and is the
// largest singular value of each of its blocks where these are orthogonal; and X and target as row-major lists.
class RecurrentModel : public Model {
 public:
  explicit RecurrentModel(const Config& config);
  Tensor loss() override;

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override;
  void start_parameters(const Config& config);
  void start_without_bias(const Tensor& value, bool is_b) const;
  Tensor last_state(const Encoded& encoded) const;

  RecurrentOptions options_;
  Recurrent network_;
  bool attention_;
};

}  // namespace unroll
