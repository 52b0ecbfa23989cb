// The decoder: writes the target token by token. Each wiring of the literature is a file of its own.
//
// Letters: B batch, E embedding, H hidden, M size of a source state (D·H), V target vocabulary.
#pragma once

#include <vector>

#include "engine/nn/recurrent_encoder.h"
#include "engine/nn/source_attention.h"

namespace unroll {

// Where a decoder stands between two positions.
struct DecoderState {
  std::vector<CellState> layers;  // s
  Tensor fed = {};                // (B, …), what a wiring feeds its cell beside the token; no tensor where nothing
  Memory memory = {};             // what it looks back at; empty without attention
  int position = 0;               // how many tokens were taken
};

struct Decoded {
  Tensor logits;        // (B, V)
  Tensor weights = {};  // (B, 1, S); no tensor without attention
};

class RecurrentDecoder {
 public:
  virtual ~RecurrentDecoder() = default;

  // The state before the first token.
  virtual DecoderState start(const Source& source) const = 0;

  // Takes the embedded token y (B, E), moves the state on and gives the logits of the next token. Temperature 0 makes
  // the attention hard.
  virtual Decoded step(Operand y, DecoderState& state, double temperature = 1) const = 0;
};

struct DecoderOptions {
  CellKind cell = CellKind::gru;
  int embedding = 0, hidden = 0, vocabulary = 0, layers = 1;
  double forget_bias = 0;  // see Cell
  int source = 0;          // M
  bool bridge = false;     // see FirstState
};

// The recurrent network of a decoder, names decoder.0 …
class CellStack {
 public:
  CellStack(const DecoderOptions& options, int input, Parameters& parameters);

  // The states after x (B, input), the highest layer last; its h is named s.
  std::vector<CellState> step(Operand x, const std::vector<CellState>& before) const;
  std::vector<CellState> zero_states(int batch) const { return network_.zero_states(batch); }

 private:
  Recurrent network_;
};

// s_0 = h, the encoder's last state, layer by layer (Sutskever et al. 2014). With a bridge s_0 = tanh(W h + b), names
// init.0 … (Bahdanau et al. 2015, appendix A.2.2.) Of a bidirectional encoder, h is the backward direction's, which has
// read the source from its end to its beginning. An LSTM's memory c is the encoder's.
class FirstState {
 public:
  FirstState(const DecoderOptions& options, Parameters& parameters);
  std::vector<CellState> operator()(const Source& source) const;

 private:
  std::size_t layers_;
  std::vector<Linear> bridges_;
};

}  // namespace unroll
