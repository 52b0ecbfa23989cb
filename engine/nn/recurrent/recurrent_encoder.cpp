#include "engine/nn/recurrent/recurrent_encoder.h"

#include "engine/autograd/tape.h"
#include "engine/nn/recurrent/sequence.h"
#include "engine/nn/tokens.h"

namespace unroll {
namespace {

// The token of each row at position s when its tokens are read backwards; padding stays at the end.
Tensor at_mirrored(Operand ids, const std::vector<int>& lengths, int s) {
  Tensor position({ids.shape()[0]});
  for (std::size_t b = 0; b < lengths.size(); ++b)
    position.data()[b] = static_cast<Scalar>(s < lengths[b] ? lengths[b] - 1 - s : s);
  return pick(forward_operand(ids), position);
}

}  // namespace

RecurrentEncoder::RecurrentEncoder(const RecurrentOptions& options, int vocabulary, bool reversed,
                                   Parameters& parameters)
    : embedding_(parameters, "source_embedding", vocabulary, options.input),
      network_(options, parameters, "encoder"),
      reversed_(reversed) {}

Source RecurrentEncoder::encode(Operand ids) const {
  Scope scope("encoder", ids.where);
  const int S = ids.shape()[1];
  const std::vector<int> lengths = lengths_of(ids, pad_id);
  std::vector<Tensor> x;  // S of (B, E)
  for (int s = 0; s < S; ++s) x.push_back(embedding_(reversed_ ? at_mirrored(ids, lengths, s) : at_position(ids, s)));
  const RecurrentOutput encoded = network_.run(x, present_tokens(lengths, S));
  return {.h = join_positions(encoded.states).as("h"), .last = encoded.last, .lengths = lengths};
}

}  // namespace unroll
