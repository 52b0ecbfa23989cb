#include "engine/train/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/kernels/functions.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

std::map<Tokens, int> ngram_counts(const Tokens& tokens, std::ptrdiff_t n) {
  std::map<Tokens, int> counts;
  for (auto first = tokens.begin(); tokens.end() - first >= n; ++first) ++counts[Tokens(first, first + n)];
  return counts;
}

// Each n-gram of the output counts at most as often as it occurs in the reference.
int clipped_matches(const std::map<Tokens, int>& output, const std::map<Tokens, int>& reference) {
  int matches = 0;
  for (const auto& [ngram, count] : output) {
    const auto found = reference.find(ngram);
    if (found != reference.end()) matches += std::min(count, found->second);
  }
  return matches;
}

}  // namespace

void Bleu::add(const Tokens& output, const Tokens& reference) {
  const int length = static_cast<int>(output.size());
  output_length += length;
  reference_length += static_cast<int>(reference.size());
  for (int n = 1; n <= max_order; ++n) {
    matches[n - 1] += clipped_matches(ngram_counts(output, n), ngram_counts(reference, n));
    ngrams[n - 1] += std::max(0, length - n + 1);
  }
}

double Bleu::precision(int n) const {
  return ngrams[n - 1] == 0 ? 0 : static_cast<double>(matches[n - 1]) / ngrams[n - 1];
}

double Bleu::brevity_penalty() const {
  if (output_length >= reference_length) return 1;
  if (output_length == 0) return 0;
  return static_cast<double>(
      kernels::exp(1 - static_cast<Scalar>(reference_length) / static_cast<Scalar>(output_length)));
}

// The fourth root as two square roots, which are correctly rounded on every platform.
double Bleu::score() const {
  const double product = precision(1) * precision(2) * precision(3) * precision(4);
  return brevity_penalty() * std::sqrt(std::sqrt(product));
}

void AlignmentErrors::add(const Alignment& alignment, const Pair& pair) {
  for (const auto& link : alignment) found += std::ranges::find(pair.alignment, link) != pair.alignment.end();
  links += static_cast<int>(alignment.size());
  true_links += static_cast<int>(pair.alignment.size());
}

double AlignmentErrors::rate() const {
  const int all = links + true_links;
  return all == 0 ? 0 : 1 - 2.0 * found / all;
}

Alignment hard_links(const Tensor& attention, int source_length, int target_length) {
  if (attention.rank() != 2 || attention.shape()[0] < target_length || attention.shape()[1] < source_length)
    fail(ErrorCode::shape, "hard_links_shape", attention.shape(), target_length, source_length);
  Alignment links;
  for (int t = 0; t < target_length && source_length > 0; ++t) {
    const Scalar* row = attention.data() + static_cast<std::ptrdiff_t>(t) * attention.shape()[1];
    links.emplace_back(static_cast<int>(std::max_element(row, row + source_length) - row), t);
  }
  return links;
}

void AttentionMass::add(const Tensor& attention, const Pair& pair) {
  const int S = attention.shape()[1];
  int last = -1;  // links are sorted by target position
  for (const auto& [source, target] : pair.alignment) {
    weight += static_cast<double>(attention.data()[target * S + source]);
    tokens += target != last;
    last = target;
  }
}

void PronounResult::add(const Tokens& output, const Pair& pair) {
  if (pair.pronoun < 0) return;
  const auto at = static_cast<std::size_t>(pair.pronoun);
  ++pronouns;
  right += at < output.size() && output[at] == pair.target[at];
}

Scalar perplexity(double mean_loss) { return kernels::exp(static_cast<Scalar>(mean_loss)); }

}  // namespace unroll
