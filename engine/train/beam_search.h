// Beam search: several beginnings of a sequence are followed at once, the best of them further.
#pragma once

#include "engine/train/decoding.h"

namespace unroll {

constexpr int widest_beam = 512;

struct BeamOptions {
  int width = 4;                    // how many beginnings are kept at a position, 1 to 512
  int max_length = most_written;    // see tokens_to_write
  double length_normalisation = 0;  // α, 0 to 2
};

// A beginning that was kept, one that was not, or one that is a whole sequence: it ended or reached the length limit.
enum class BeamNodeState { kept, pruned, finished };

struct BeamNode {
  int parent = -1;  // its number in the tree; −1 for the root, which is <bos>
  int token = 0;
  double log_probability = 0;  // log p(token | the tokens before)
  double score = 0;            // in sum from the root
  BeamNodeState state = BeamNodeState::kept;
};

struct Hypothesis {
  DecodedSequence sequence;
  double score = 0;  // normalised
  int node = 0;      // where it ends in the tree
};

struct BeamResult {
  std::vector<Hypothesis> hypotheses;  // at most `width`, the best first
  std::vector<BeamNode> tree;          // by position; of the pruned the best three of each position
};

// Sequences by score = log p / lp, lp = ((5 + n) / 6)^α for n tokens with <eos> (Wu et al. 2016, §7). A position keeps
// the `width` best continuations of all, those that end among them; of equal ones the smaller id comes first. The
// search goes on until no open beginning can come among the `width` best sequences any more. For one row, source (1,
// S). Throws Error(config) for a field out of range, Error(shape) for several rows.
BeamResult beam_search(Writer& writer, const Tensor& source, const BeamOptions& options);

}  // namespace unroll
