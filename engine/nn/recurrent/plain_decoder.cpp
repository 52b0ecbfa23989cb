#include "engine/nn/recurrent/plain_decoder.h"

#include "engine/autograd/tape.h"

namespace unroll {

FirstStateDecoder::FirstStateDecoder(const DecoderOptions& options, Parameters& parameters)
    : first_(options, parameters),
      cells_(options, options.embedding, parameters),
      out_(parameters, "out", options.hidden, options.vocabulary) {}

DecoderState FirstStateDecoder::start(const Source& source) const { return {.layers = first_(source)}; }

DecoderOutput FirstStateDecoder::step(Operand y, DecoderState& state, double) const {
  state.layers = cells_.step(y, state.layers);
  const Tensor s = state.layers.back().h;      // (B, H)
  const Tensor logits = out_(s).as("logits");  // (B, V)
  return {logits};
}

EveryStepDecoder::EveryStepDecoder(const DecoderOptions& options, Parameters& parameters)
    : layers_(static_cast<std::size_t>(options.layers)),
      cells_(options, options.embedding + options.source, parameters),
      out_(parameters, "out", options.hidden, options.vocabulary) {}

DecoderState EveryStepDecoder::start(const Source& source) const {
  const std::size_t directions = source.last.size() / layers_, top = source.last.size() - directions;
  std::vector<Operand> ends;  // of the top layer, in each direction
  for (std::size_t i = top; i < source.last.size(); ++i) ends.push_back(source.last[i].h);
  const Tensor c = directions == 1 ? Tensor(ends[0]) : concat(ends, -1).as("c");  // (B, M)
  return {.layers = cells_.zero_states(c.shape()[0]), .input_feed = c};
}

DecoderOutput EveryStepDecoder::step(Operand y, DecoderState& state, double) const {
  const Tensor& c = state.input_feed;           // (B, M)
  const Tensor x = concat({y, c}, -1).as("x");  // (B, E + M)
  state.layers = cells_.step(x, state.layers);
  const Tensor s = state.layers.back().h;      // (B, H)
  const Tensor logits = out_(s).as("logits");  // (B, V)
  return {logits};
}

}  // namespace unroll
