// Evaluates a model on a split of a task.
#pragma once

#include <map>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/tasks/task.h"
#include "engine/generate/decoding.h"
#include "engine/generate/generator.h"
#include "engine/train/metrics.h"

namespace unroll {

struct LengthResult {
  int pairs = 0, exact = 0;  // exact: the output equals the target
};

struct Evaluation {
  int pairs = 0;
  bool generated = true;   // outputs were decoded greedily and compared; false for texts, which have no single target
  double exact_match = 0;  // share of exact outputs; NaN unless generated
  Bleu bleu = {};          // of the same outputs
  PronounResult pronouns = {};        // in the same outputs
  AlignmentErrors alignment = {};     // under teacher forcing; no links without attention or gold links
  AttentionMass attention_mass = {};  // under teacher forcing, over the same pairs
  double perplexity = 0;              // under teacher forcing, prompts of texts included; <eos> counts as a token
  std::map<int, LengthResult> by_length = {};  // by source length, in tokens
};

// Evaluates batch by batch, so that callers can do other work in between. The generator and the task must outlive it.
// Nothing is recorded on a tape. Outputs are limited to 2T tokens (T of their batch), to 64, and to the generator's
// max_new_tokens.
class Evaluator {
 public:
  static constexpr std::size_t batch_size = 64;  // maximum; smaller for long sequences

  Evaluator(Generator& generator, const Task& task, std::vector<const Pair*> pairs);

  // Evaluates one more batch; false once all are done. Throws what decoding throws; the results are then unchanged.
  bool next();
  std::size_t done() const { return done_; }
  std::size_t size() const { return pairs_.size(); }

  Evaluation result() const;  // over the pairs done so far

 private:
  std::vector<const Pair*> next_pairs() const;
  std::vector<DecodedSequence> generate(const Batch& batch) const;
  void add_forced(const Batch& batch, const std::vector<DecodedSequence>& forced);
  void add_generated(const Batch& batch, const std::vector<DecodedSequence>& generated);

  Generator& generator_;
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

// Up to `limit` of the pairs, evenly spaced; 0: all. Throws Error(config) for a negative limit.
std::vector<const Pair*> spread(const std::vector<Pair>& pairs, int limit);

// Evaluates up to `limit` pairs of a split, chosen by spread.
Evaluation evaluate(Generator& generator, const Task& task, Split split, int limit = 0);

}  // namespace unroll
