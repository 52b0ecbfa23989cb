// How good an output is: BLEU, alignment error rate, perplexity.
#pragma once

#include <array>
#include <vector>

#include "engine/tensor/tensor.h"
#include "engine/train/tasks/task.h"

namespace unroll {

// BLEU of a whole corpus, one reference a sentence: Papineni, Roukos, Ward and Zhu, "BLEU: a method for automatic
// evaluation of machine translation" (ACL 2002), section 2. Its parts say why it is what it is.
struct Bleu {
  static constexpr int longest = 4;
  std::array<int, longest> matches{}, ngrams{};  // of length 1 … 4: clipped matches, and how many the outputs have
  int output_length = 0, reference_length = 0;

  void add(const Tokens& output, const Tokens& reference);

  double precision(int n) const;   // p_n = matches / n-grams of length n; 0 without any
  double brevity_penalty() const;  // 1, or exp(1 − r/c) for outputs shorter than the references
  double score() const;            // brevity penalty · (p₁ p₂ p₃ p₄)^¼, in [0, 1]
};

// The alignment error rate of Och and Ney, "A systematic comparison of various statistical alignment models"
// (Computational Linguistics 2003), section 6, where every true link is sure: 1 − 2 |A ∩ S| / (|A| + |S|).
struct AlignmentErrors {
  int found = 0, links = 0, true_links = 0;  // |A ∩ S|, |A|, |S|

  void add(const Links& alignment, const Pair& pair);
  double rate() const;  // 0 when there are no links at all
};

// Attention weights (T, S) → for each of the first `target_length` positions the source position of the largest weight
// among the first `source_length`, the first of equals. Throws Error(shape) for a matrix that is smaller.
Links hard_links(const Tensor& attention, int source_length, int target_length);

// How much of the attention lies where it should: over the target words with true links, the mean of the weight that
// the places they are linked to have together.
struct AttentionMass {
  double weight = 0;
  int words = 0;

  // Weights (T, S), at least one row for each word of the pair's target.
  void add(const Tensor& attention, const Pair& pair);
  double mean() const { return words == 0 ? 0 : weight / words; }
};

// How many of the pronouns whose gender another word decides came out right, at their own position.
struct PronounResult {
  int pronouns = 0, right = 0;

  void add(const Tokens& output, const Pair& pair);
  double share() const { return pronouns == 0 ? 0 : static_cast<double>(right) / pronouns; }
};

// exp of the mean negative log-likelihood of a token, in nats.
Scalar perplexity(double mean_loss);

}  // namespace unroll
