// Metrics: BLEU, alignment error rate, attention mass, perplexity.
#pragma once

#include <array>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/data/tasks/task.h"

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

// Accuracy on pronouns whose gender depends on another word: right if the output has the pronoun at its position.
struct PronounResult {
  int pronouns = 0, right = 0;

  void add(const Tokens& output, const Pair& pair);
  double share() const { return pronouns == 0 ? 0 : static_cast<double>(right) / pronouns; }
};

// exp of the mean negative log-likelihood per token, in nats.
Scalar perplexity(double mean_loss);

}  // namespace unroll
