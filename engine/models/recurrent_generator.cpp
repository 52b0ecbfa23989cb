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

// Without padding the mask is all 0.
GeneratorState RecurrentGenerator::start(const Source& source) const {
  DecoderState state = begin(source);
  const Memory& memory = state.memory;
  if (memory.values && !memory.mask)
    state.memory.mask = Tensor::full({memory.values.shape()[0], 1, memory.values.shape()[1]}, 0);
  return GeneratorState(state);
}

StepOutput RecurrentGenerator::next(const Tensor& tokens, GeneratorState& state, double temperature) const {
  Scope scope("decoder");
  DecoderState decoder = state.as<DecoderState>();
  const DecoderOutput output = advance(tokens, decoder, temperature);
  state = GeneratorState(decoder, decoder.position);
  return {output.logits, output.weights ? reshape(output.weights, output.weights.shape().without(1)) : Tensor()};
}

}  // namespace unroll
