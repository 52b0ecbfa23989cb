#include "engine/models/recurrent_generator.h"

#include "engine/autograd/tape.h"
#include "engine/nn/recurrent/sequence.h"

namespace unroll {

DecoderOutput RecurrentGenerator::decode(const Source& source, const Tensor& target_in) const {
  std::vector<Tensor> logits, weights;  // T of (B, V), T of (B, 1, S)
  DecoderState state = begin(source);
  for (int t = 0; t < target_in.shape()[1]; ++t) {
    const Tensor token = forcing_.token(target_in, t, t > 0 ? logits.back() : Tensor());  // (B)
    Scope decoder("decoder"), position("t" + std::to_string(t));
    const DecoderOutput output = advance(token, state, 1);
    logits.push_back(output.logits);
    weights.push_back(output.weights);
  }
  const Tensor attention =
      weights[0] ? concat({weights.begin(), weights.end()}, 1).as("attention/α", Role::weight) : Tensor();
  return {join_positions(logits).as("logits"), attention};
}

DecoderState RecurrentGenerator::begin(const Source& source) const {
  Scope decoder("decoder");
  return decoder_->start(source);
}

// One step: feeds the tokens (B) and advances the state.
DecoderOutput RecurrentGenerator::advance(Operand tokens, DecoderState& state, double temperature) const {
  const Tensor y = target_embedding_(tokens).as("y");  // (B, E)
  const DecoderOutput output = decoder_->step(y, state, temperature);
  ++state.position;
  return output;
}

GeneratorState RecurrentGenerator::start(const Source& source) const { return pack(begin(source)); }

StepOutput RecurrentGenerator::next(const Tensor& tokens, GeneratorState& state, double temperature) const {
  Scope scope("decoder");
  DecoderState decoder = unpack(state);
  const DecoderOutput output = advance(tokens, decoder, temperature);
  state = pack(decoder);
  return {output.logits, output.weights ? reshape(output.weights, output.weights.shape().without(1)) : Tensor()};
}

// The tensors of a state in a fixed order, the same for every state of this generator.
std::vector<Tensor*> RecurrentGenerator::rows_of(DecoderState& state) const {
  std::vector<Tensor*> rows;
  for (CellState& layer : state.layers) {
    rows.push_back(&layer.h);
    if (parts_.c) rows.push_back(&layer.c);
  }
  if (parts_.input_feed) rows.push_back(&state.input_feed);
  if (parts_.memory)
    for (Tensor* each : {&state.memory.keys, &state.memory.values, &state.memory.mask, &state.memory.last})
      rows.push_back(each);
  return rows;
}

// Without padding the mask is all 0, so that every state has the same rows.
GeneratorState RecurrentGenerator::pack(DecoderState state) const {
  if (parts_.memory && !state.memory.mask) {
    const Shape& values = state.memory.values.shape();
    state.memory.mask = Tensor::full({values[0], 1, values[1]}, 0);
  }
  return GeneratorState::pack(rows_of(state), state.position);
}

DecoderState RecurrentGenerator::unpack(const GeneratorState& packed) const {
  DecoderState state{.layers = std::vector<CellState>(static_cast<std::size_t>(parts_.layers))};
  packed.unpack(rows_of(state));
  state.position = packed.position;
  return state;
}

}  // namespace unroll
