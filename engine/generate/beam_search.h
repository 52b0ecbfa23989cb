// Beam search: extends several prefixes in parallel and keeps the best at each position.
#pragma once

#include "engine/generate/decoding.h"

namespace unroll {

constexpr int max_beam_width = 512;

struct BeamOptions {
  int width = 4;                           // prefixes kept at each position, 1 to 512
  int max_length = max_generation_length;  // see generation_length
  double length_normalisation = 0;         // α, 0 to 2
};

// Kept in the beam, pruned, or finished: ended with <eos> or reached the length limit.
enum class BeamNodeState { kept, pruned, finished };

struct BeamNode {
  int parent = -1;  // index in the tree; −1 for the root, <bos>
  int token = 0;
  double log_probability = 0;  // log p(token | prefix)
  double score = 0;            // sum of log-probabilities from the root
  BeamNodeState state = BeamNodeState::kept;
};

struct Hypothesis {
  DecodedSequence sequence;
  double score = 0;  // length-normalised
  int node = 0;      // index of its last node in the tree
};

struct BeamResult {
  std::vector<Hypothesis> hypotheses;  // at most `width`, best first
  std::vector<BeamNode> tree;          // by position; of the pruned nodes, the best three of each position
};

// Ranks sequences by score = log p / lp, lp = ((5 + n) / 6)^α for n tokens including <eos> (Wu et al. 2016, §7). Each
// position keeps the `width` best continuations of all live prefixes, including those that end; ties go to the smaller
// token id. The search stops when no live prefix can still enter the `width` best sequences. Takes a single row, source
// (1, S). Throws Error(config) for a field out of range, Error(shape) for several rows.
BeamResult beam_search(Generator& generator, const Tensor& source, const BeamOptions& options);

}  // namespace unroll
