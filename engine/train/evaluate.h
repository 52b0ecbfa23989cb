// Evaluates a model on a split of a task: BLEU, alignment error rate, attention mass, perplexity.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/tasks/task.h"
#include "engine/generate/beam_search.h"
#include "engine/generate/decoding.h"
#include "engine/generate/generator.h"

namespace unroll {

// Corpus BLEU with one reference per sentence: Papineni, Roukos, Ward and Zhu, "BLEU: a method for automatic evaluation
// of machine translation" (ACL 2002), section 2. The components of the score are public.
struct Bleu {
  static constexpr int max_order = 4;
  std::array<int, max_order> matches{}, ngrams{};  // for n = 1 … 4: clipped matches, and n-grams in outputs
  int output_length = 0, reference_length = 0;

  void add(const Tokens& output, const Tokens& reference);

  double precision(int n) const;   // p_n = matches / n-grams; 0 without n-grams
  double brevity_penalty() const;  // 1, or exp(1 − r/c) for outputs shorter than the references
  double score() const;            // brevity penalty · (p₁ p₂ p₃ p₄)^¼, in [0, 1]
};

// BLEU of one sentence, step by step for a tape: the output (C) and the reference (R) are token ids, C > 0. In the
// scopes n1 … n4, for the n-grams that begin at each of the M = C − n + 1 first tokens of the output: how often each
// occurs up to there (`seen`) and in the reference (`in_reference`), both (M, 1), and whether it counts, which it does
// as long as the first does not exceed the second. Then the precision, and in the end the brevity penalty and the
// score.
Tensor traced_bleu(const Tensor& output, const Tensor& reference);

// The alignment error rate of one pair, step by step for a tape: attention (T, S) and the gold links (T, S) as 0 and 1.
Tensor traced_alignment_error(Operand attention, Operand gold);

// The alignment error rate of Och and Ney, "A systematic comparison of various statistical alignment models"
// (Computational Linguistics 2003), section 6, with all gold links sure: 1 − 2 |A ∩ S| / (|A| + |S|).
struct AlignmentErrors {
  int found = 0, links = 0, true_links = 0;  // |A ∩ S|, |A|, |S|

  void add(const Alignment& alignment, const Pair& pair);
  double rate() const;  // 0 if there are no links at all
};

// For each of the first `target_length` rows of the attention weights (T, S), the source position of the largest weight
// among the first `source_length`; ties go to the first. Throws Error(shape) for a smaller matrix.
Alignment hard_links(const Tensor& attention, int source_length, int target_length);

// Attention on the gold links: the total weight of a target token's linked source positions, averaged over the target
// tokens that have links.
struct AttentionMass {
  double weight = 0;
  int tokens = 0;

  // Weights (T, S), with at least one row per token of the pair's target.
  void add(const Tensor& attention, const Pair& pair);
  double mean() const { return tokens == 0 ? 0 : weight / tokens; }
};

// The least number of insertions, deletions and substitutions of tokens that make one of the other: Levenshtein,
// "Binary codes capable of correcting deletions, insertions, and reversals" (Soviet Physics Doklady 1966).
int edit_distance(const Tokens& from, const Tokens& to);

// How far outputs are from their targets, counted in two ways. A token that is left out makes all later ones stand at a
// wrong place, and is one edit.
struct TokenErrors {
  int misplaced = 0;  // places of the targets that hold another token in the output, or none
  int edits = 0, tokens = 0;

  void add(const Tokens& output, const Tokens& target);
  double misplaced_share() const { return share(misplaced); }
  double rate() const { return share(edits); }  // over 1 for outputs much longer than their targets

 private:
  double share(int errors) const { return tokens == 0 ? 0 : static_cast<double>(errors) / tokens; }
};

// Accuracy on pronouns whose gender depends on another word: right if the output has the pronoun at its position.
struct PronounResult {
  int pronouns = 0, right = 0;

  void add(const Tokens& output, const Pair& pair);
  double share() const { return pronouns == 0 ? 0 : static_cast<double>(right) / pronouns; }
};

// exp of the mean negative log-likelihood per token, in nats.
Scalar perplexity(double mean_loss);

struct LengthResult {
  int pairs = 0, exact = 0;  // exact: the output equals the target
};

struct Evaluation {
  int pairs = 0;
  bool generated = true;              // outputs were decoded and compared; false for texts, which have no single target
  double exact_match = 0;             // share of exact outputs; NaN unless generated
  Bleu bleu = {};                     // of the same outputs
  TokenErrors errors = {};            // in the same outputs
  PronounResult pronouns = {};        // in the same outputs
  AlignmentErrors alignment = {};     // under teacher forcing; no links without attention or gold links
  AttentionMass attention_mass = {};  // under teacher forcing, over the same pairs
  double perplexity = 0;              // under teacher forcing, prompts of texts included; <eos> counts as a token
  std::map<int, LengthResult> by_length = {};  // by source length, in tokens
};

// How outputs are written for the sources (B, S) of a batch, of at most so many tokens: by default greedy_decode.
using BatchDecoder = std::function<std::vector<DecodedSequence>(Generator&, const Tensor& sources, int max_length)>;

// Decodes by beam search: row by row, without the padding.
BatchDecoder beam_decoder(const BeamOptions& options);

// Evaluates batch by batch, so that callers can do other work in between. The generator and the task must outlive it.
// Nothing is recorded on a tape. Outputs are limited to 2T tokens (T of their batch), to 64, and to the generator's
// max_new_tokens.
class Evaluator {
 public:
  static constexpr std::size_t batch_size = 64;  // maximum; smaller for long sequences

  Evaluator(Generator& generator, const Task& task, std::vector<const Pair*> pairs,
            BatchDecoder decoder = greedy_decode);

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
  BatchDecoder decoder_;
  std::size_t done_ = 0, exact_ = 0;
  Bleu bleu_;
  TokenErrors errors_;
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
