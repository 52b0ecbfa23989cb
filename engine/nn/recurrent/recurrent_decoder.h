// The recurrent decoder: generates the target token by token. Each architecture of the literature has its own file.
//
// Letters: B batch, E embedding, H hidden, M size of a source state (D·H), V target vocabulary.
#pragma once

#include <vector>

#include "engine/nn/attention/source_attention.h"
#include "engine/nn/recurrent/recurrent_encoder.h"

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

}  // namespace unroll
