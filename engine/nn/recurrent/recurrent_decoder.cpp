#include "engine/nn/recurrent/recurrent_decoder.h"

#include "engine/autograd/tape.h"

namespace unroll {

CellStack::CellStack(const DecoderOptions& options, int input, Parameters& parameters)
    : network_({.cell = options.cell,
                .input = input,
                .hidden = options.hidden,
                .layers = options.layers,
                .forget_bias = options.forget_bias},
               parameters, "decoder") {}

std::vector<CellState> CellStack::step(Operand x, const std::vector<CellState>& previous) const {
  std::vector<CellState> next = network_.step(x, previous);
  next.back().h = next.back().h.as("s");
  return next;
}

FirstState::FirstState(const DecoderOptions& options, Parameters& parameters)
    : layers_(static_cast<std::size_t>(options.layers)) {
  for (std::size_t layer = 0; options.bridge && layer < layers_; ++layer)
    bridges_.emplace_back(parameters, "init." + std::to_string(layer), options.hidden, options.hidden);
}

std::vector<CellState> FirstState::operator()(const Source& source) const {
  const std::size_t directions = source.last.size() / layers_;
  std::vector<CellState> states;
  for (std::size_t layer = 0; layer < layers_; ++layer) {
    CellState state = source.last[layer * directions + directions - 1];
    if (!bridges_.empty()) state.h = tanh(bridges_[layer](state.h)).as("s0");
    states.push_back(state);
  }
  return states;
}

}  // namespace unroll
