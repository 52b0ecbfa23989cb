#include "engine/nn/recurrent/bahdanau_decoder.h"

#include "engine/autograd/tape.h"

namespace unroll {

BahdanauDecoder::BahdanauDecoder(const DecoderOptions& options, const SourceAttentionOptions& attention,
                                 Parameters& parameters)
    : first_(options, parameters),
      attention_(attention, parameters, "attention"),
      cells_(options, options.embedding + options.source, parameters),
      out_(parameters, "out", options.hidden + options.source + options.embedding, options.vocabulary) {}

DecoderState BahdanauDecoder::start(const Source& source) const {
  return {.layers = first_(source), .memory = attention_.project_memory(source.h, source.lengths)};
}

DecoderOutput BahdanauDecoder::step(Operand y, DecoderState& state, double temperature) const {
  const Tensor query = state.layers.back().h;  // (B, H)
  const auto [c, weights] =
      attention_.attend_to(query, state.memory, state.position, temperature);  // (B, M), (B, 1, S)
  state.layers = cells_.step(concat({y, c}, -1).as("x"), state.layers);        // (B, E + M)
  const Tensor s = state.layers.back().h;                                      // (B, H)
  const Tensor logits = out_(concat({s, c, y}, -1)).as("logits");              // (B, V)
  return {logits, weights};
}

}  // namespace unroll
