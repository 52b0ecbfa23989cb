// The first decoder with attention: it attends before it updates its state.
#pragma once

#include "engine/nn/layers/linear.h"
#include "engine/nn/recurrent/recurrent_decoder.h"

namespace unroll {

// (Bahdanau et al. 2015, §3.1 and appendix A.2.2, without the maxout layer before the output.)
//   s_0 = tanh(W h_1 + b), h_1 of the backward encoder
//   c_t = Σ_j α_tj v_j, α_t = softmax(e_t), e_tj = score(s_{t−1}, k_j)
//   s_t = cell([y_t; c_t], s_{t−1})
//   logits_t = W [s_t; c_t; y_t] + b
class BahdanauDecoder : public RecurrentDecoder {
 public:
  BahdanauDecoder(const DecoderOptions& options, const SourceAttentionOptions& attention, Parameters& parameters);
  DecoderState start(const Source& source) const override;
  DecoderOutput step(Operand y, DecoderState& state, double temperature) const override;

 private:
  FirstState first_;
  SourceAttention attention_;
  CellStack cells_;
  Linear out_;
};

}  // namespace unroll
