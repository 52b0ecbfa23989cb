// Recurrent decoders generate the target token by token: the architectures of the literature, side by side.
//
// Letters: B batch, E embedding, H hidden, M size of a source state (D·H), V target vocabulary.
#pragma once

#include <vector>

#include "engine/kernels/random.h"
#include "engine/nn/attention/source_attention.h"
#include "engine/nn/recurrent/recurrent.h"

namespace unroll {

// State of a decoder between two positions.
struct DecoderState {
  std::vector<CellState> layers;  // s
  Tensor input_feed = {};         // (B, …), input to the cell besides the token; empty if there is none
  Memory memory = {};             // what it attends to; empty without attention
  int position = 0;               // number of tokens consumed
  auto tensors() { return std::tie(layers, input_feed, memory); }
};

struct DecoderOutput {
  Tensor logits;        // (B, V)
  Tensor weights = {};  // (B, 1, S); empty without attention
};

class RecurrentDecoder {
 public:
  virtual ~RecurrentDecoder() = default;

  // The state before the first token.
  virtual DecoderState start(const Source& source) const = 0;

  // Consumes the embedded token y (B, E), updates the state and returns the logits of the next token. Temperature 0
  // makes the attention hard.
  virtual DecoderOutput step(Operand y, DecoderState& state, double temperature = 1) const = 0;
};

struct DecoderOptions {
  CellKind cell = CellKind::gru;
  int embedding = 0, hidden = 0, vocabulary = 0, layers = 1;
  double forget_bias = 0;  // see Cell
  int source = 0;          // M
  bool bridge = false;     // see FirstState
};

// The recurrent network of a decoder, with cells decoder.0 …
class CellStack {
 public:
  CellStack(const DecoderOptions& options, int input, Parameters& parameters);

  // The states after x (B, input), the top layer last; its h is named s.
  std::vector<CellState> step(Operand x, const std::vector<CellState>& previous) const;
  std::vector<CellState> zero_states(int batch) const { return network_.zero_states(batch); }

 private:
  Recurrent network_;
};

// The initial state s_0 = h, the encoder's last state, layer by layer (Sutskever et al. 2014). With a bridge,
// s_0 = tanh(W h + b), with parameters init.0 … (Bahdanau et al. 2015, appendix A.2.2.) For a bidirectional encoder, h
// is the backward direction's, which has read the source from end to beginning. An LSTM's memory c is copied from the
// encoder.
class FirstState {
 public:
  FirstState(const DecoderOptions& options, Parameters& parameters);
  std::vector<CellState> operator()(const Source& source) const;

 private:
  std::size_t layers_;
  std::vector<Linear> bridges_;
};

// Decoders without attention: all the information about the source is one vector, the context.

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

// The first decoder with attention: it attends before it updates its state.
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

// The decoder that attends after it has updated its state.
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

// Which token a decoder consumes next in training: the true one, or its own prediction (argmax).
// Probability 1 is teacher forcing (Williams & Zipser 1989), 0 is free running, and values between are scheduled
// sampling: a coin toss for each row and position (Bengio et al. 2015, §2.4).
class TeacherForcing {
 public:
  TeacherForcing() = default;
  // `random` tosses the coins; with its own stream for each training step, the step is repeatable. Throws Error(config)
  // unless 0 ≤ probability ≤ 1.
  TeacherForcing(double probability, Random random);

  // The tokens (B) to consume at a position, given target_in (B, T) and the logits (B, V) of the previous position; at
  // position 0 always the true ones. On the tape: decoder.t1.coin/u, the random numbers (B); rate, the probability;
  // heads, 1 where u is below it and the true token is taken.
  Tensor token(Operand target_in, int position, const Tensor& logits_before) const;

 private:
  double probability_ = 1;
  Random random_{0};
};

}  // namespace unroll
