// Decoders without attention: all the information about the source is one vector, the context.
#pragma once

#include "engine/nn/layers/linear.h"
#include "engine/nn/recurrent/recurrent_decoder.h"

namespace unroll {

// The context is the initial state. (Sutskever et al. 2014, §2.)
//   s_0 = h_S
//   s_t = cell(y_t, s_{t−1})
//   logits_t = W s_t + b
class FirstStateDecoder : public RecurrentDecoder {
 public:
  FirstStateDecoder(const DecoderOptions& options, Parameters& parameters);
  DecoderState start(const Source& source) const override;
  DecoderOutput step(Operand y, DecoderState& state, double temperature) const override;

 private:
  FirstState first_;
  CellStack cells_;
  Linear out_;
};

// The context is an input at every position. (Cho et al. 2014, §2.2. There it also gives s_0 = tanh(V c), and the
// logits also depend on y_t and c; here it enters through the cell alone.) h_S is the last state of the top layer, both
// directions concatenated.
//   s_0 = 0, c = h_S
//   s_t = cell([y_t; c], s_{t−1})
//   logits_t = W s_t + b
class EveryStepDecoder : public RecurrentDecoder {
 public:
  EveryStepDecoder(const DecoderOptions& options, Parameters& parameters);
  DecoderState start(const Source& source) const override;
  DecoderOutput step(Operand y, DecoderState& state, double temperature) const override;

 private:
  std::size_t layers_;
  CellStack cells_;
  Linear out_;
};

}  // namespace unroll
