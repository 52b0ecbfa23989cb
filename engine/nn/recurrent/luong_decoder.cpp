#include "engine/nn/recurrent/luong_decoder.h"

#include "engine/autograd/tape.h"

namespace unroll {

LuongDecoder::LuongDecoder(const DecoderOptions& options, const SourceAttentionOptions& attention, bool input_feeding,
                           Parameters& parameters)
    : input_feeding_(input_feeding),
      first_(options, parameters),
      attention_(attention, parameters, "attention"),
      cells_(options, options.embedding + (input_feeding ? options.hidden : 0), parameters),
      W_c_(parameters, "W_c", options.source + options.hidden, options.hidden, false),
      out_(parameters, "out", options.hidden, options.vocabulary) {}

DecoderState LuongDecoder::start(const Source& source) const {
  DecoderState state{.layers = first_(source), .memory = attention_.project_memory(source.h, source.lengths)};
  if (input_feeding_) state.input_feed = Tensor::full(state.layers.back().h.shape(), 0);
  return state;
}

DecoderOutput LuongDecoder::step(Operand y, DecoderState& state, double temperature) const {
  const Tensor x = input_feeding_ ? concat({y, state.input_feed}, -1).as("x") : Tensor(y);  // (B, E + H)
  state.layers = cells_.step(x, state.layers);
  const Tensor s = state.layers.back().h;                                                        // (B, H)
  const auto [c, weights] = attention_.attend_to(s, state.memory, state.position, temperature);  // (B, M), (B, 1, S)
  const Tensor attentional = tanh(W_c_(concat({c, s}, -1))).as("h̄");                             // (B, H)
  const Tensor logits = out_(attentional).as("logits");                                          // (B, V)
  if (input_feeding_) state.input_feed = attentional;
  return {logits, weights};
}

}  // namespace unroll
