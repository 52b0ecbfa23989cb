// How good a model is on pairs it should know or has never seen.
#pragma once

#include <map>
#include <vector>

#include "engine/models/writer.h"
#include "engine/train/dataset.h"
#include "engine/train/decoding.h"
#include "engine/train/metrics.h"
#include "engine/train/tasks/task.h"

namespace unroll {

struct LengthResult {
  int pairs = 0, exact = 0;  // exact: written token by token as the target
};

struct Evaluation {
  int pairs = 0;
  bool written = true;          // greedily, to be compared with the targets: not so for texts, which may go on so or so
  double exact_match = 0;       // the share; NaN where nothing is written
  Bleu bleu = {};               // of the same outputs
  PronounResult pronouns = {};  // in the same outputs
  AlignmentErrors alignment = {};     // under teacher forcing; no links without attention or without true links
  AttentionMass attention_mass = {};  // under teacher forcing, of the same pairs as alignment
  double perplexity = 0;              // under teacher forcing, of whole texts; <eos> counts as a token
  std::map<int, LengthResult> by_length = {};  // of the source, in tokens
};

// Evaluates batch after batch, so that something else can happen between two of them. The writer and the task must
// live as long. Nothing is recorded. An output ends at twice the longest target of its batch, at 64 tokens, or where
// the writer has no more room.
class Evaluator {
 public:
  static constexpr std::size_t batch_size = 64;  // at most; fewer where sequences are long

  Evaluator(Writer& writer, const Task& task, std::vector<const Pair*> pairs);

  // A batch more; false when all are done. Throws what decoding throws, and nothing has been added then.
  bool next();
  std::size_t done() const { return done_; }
  std::size_t size() const { return pairs_.size(); }

  Evaluation result() const;  // of the pairs that are done

 private:
  std::vector<const Pair*> next_pairs() const;
  std::vector<DecodedSequence> write(const Batch& batch) const;
  void add_forced(const Batch& batch, const std::vector<DecodedSequence>& forced);
  void add_written(const Batch& batch, const std::vector<DecodedSequence>& written);

  Writer& writer_;
  const Task& task_;
  std::vector<const Pair*> pairs_;  // shortest sources first
  std::size_t done_ = 0, exact_ = 0;
  Bleu bleu_;
  PronounResult pronouns_;
  std::map<int, LengthResult> by_length_;
  AlignmentErrors alignment_;
  AttentionMass attention_mass_;
  double log_likelihood_ = 0;
  int tokens_ = 0;
};

// Up to `limit` of the pairs, evenly spread over them; 0: all. Throws Error(config) for a negative limit.
std::vector<const Pair*> spread(const std::vector<Pair>& pairs, int limit);

Evaluation evaluate(Writer& writer, const Task& task, Split split, int limit = 0);

}  // namespace unroll
