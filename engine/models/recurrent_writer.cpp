#include "engine/models/recurrent_writer.h"

#include "engine/autograd/tape.h"
#include "engine/nn/sequence.h"

namespace unroll {

RecurrentWriter::Decoding RecurrentWriter::decode(const Source& source, const Tensor& target_in) const {
  std::vector<Tensor> logits, weights;  // T of (B, V), T of (B, 1, S)
  DecoderState state = begin(source);
  for (int t = 0; t < target_in.shape()[1]; ++t) {
    const Tensor token = forcing_.token(target_in, t, t > 0 ? logits.back() : Tensor());  // (B)
    Scope decoder("decoder"), position("t" + std::to_string(t));
    const Decoded now = advance(token, state, 1);
    logits.push_back(now.logits);
    weights.push_back(now.weights);
  }
  const Tensor looked =
      weights[0] ? concat({weights.begin(), weights.end()}, 1).as("attention/α", Role::weight) : Tensor();
  return {join_positions(logits).as("logits"), looked};
}

DecoderState RecurrentWriter::begin(const Source& source) const {
  Scope decoder("decoder");
  return decoder_->start(source);
}

// One position: the tokens (B) go in, the state moves on.
Decoded RecurrentWriter::advance(Operand tokens, DecoderState& state, double temperature) const {
  const Tensor y = target_embedding_(tokens).as("y");  // (B, E)
  const Decoded now = decoder_->step(y, state, temperature);
  ++state.position;
  return now;
}

WriterState RecurrentWriter::start(const Source& source) const { return written_as(begin(source)); }

Written RecurrentWriter::next(const Tensor& tokens, WriterState& state, double temperature) const {
  Scope scope("decoder");
  DecoderState decoder = read_from(state);
  const Decoded now = advance(tokens, decoder, temperature);
  state = written_as(decoder);
  return {now.logits, now.weights ? reshape(now.weights, now.weights.shape().without(1)) : Tensor()};
}

// The tensors of a state, in one order; the same for every state of this writer.
std::vector<Tensor*> RecurrentWriter::rows_of(DecoderState& state) const {
  std::vector<Tensor*> rows;
  for (CellState& layer : state.layers) {
    rows.push_back(&layer.h);
    if (parts_.c) rows.push_back(&layer.c);
  }
  if (parts_.fed) rows.push_back(&state.fed);
  if (parts_.memory)
    for (Tensor* each : {&state.memory.keys, &state.memory.values, &state.memory.mask, &state.memory.last})
      rows.push_back(each);
  return rows;
}

// As rows, the position among them; a source without padding gets the mask that hides nothing.
WriterState RecurrentWriter::written_as(DecoderState state) const {
  const int rows = state.layers[0].h.shape()[0];
  if (parts_.memory && !state.memory.mask)
    state.memory.mask = Tensor::full({rows, 1, state.memory.values.shape()[1]}, 0);
  WriterState written = WriterState::of(rows_of(state));
  written.rows.push_back(Tensor::full({rows}, static_cast<Scalar>(state.position)));
  return written;
}

DecoderState RecurrentWriter::read_from(const WriterState& written) const {
  DecoderState state{.layers = std::vector<CellState>(static_cast<std::size_t>(parts_.layers))};
  written.put_back(rows_of(state));
  state.position = static_cast<int>(written.rows.back().data()[0]);
  return state;
}

}  // namespace unroll
