// The decoder that attends after it has updated its state.
#pragma once

#include "engine/nn/layers/linear.h"
#include "engine/nn/recurrent/recurrent_decoder.h"

namespace unroll {

// (Luong et al. 2015, §3; input feeding of h̄: §3.3.)
//   s_0 = h_S, h̄_0 = 0
//   s_t = cell([y_t; h̄_{t−1}], s_{t−1}), without input feeding cell(y_t, s_{t−1})
//   c_t = Σ_j α_tj v_j, α_t = softmax(e_t), e_tj = score(s_t, k_j)
//   h̄_t = tanh(W_c [c_t; s_t])
//   logits_t = W h̄_t + b
class LuongDecoder : public RecurrentDecoder {
 public:
  LuongDecoder(const DecoderOptions& options, const SourceAttentionOptions& attention, bool input_feeding,
               Parameters& parameters);
  DecoderState start(const Source& source) const override;
  DecoderOutput step(Operand y, DecoderState& state, double temperature) const override;

 private:
  bool input_feeding_;
  FirstState first_;
  SourceAttention attention_;
  CellStack cells_;
  Linear W_c_, out_;
};

}  // namespace unroll
