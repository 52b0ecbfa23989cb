// Sampling: draws each token from the model's distribution after temperature, top-k and top-p.
#pragma once

#include "engine/autograd/operand.h"
#include "engine/generate/decoding.h"

namespace unroll {

struct SamplingOptions {
  double temperature = 1;  // 0: the most probable token
  int top_k = 0;           // keeps the k most probable tokens (Fan et al. 2018, §5.4); 0: all
  double top_p = 1;        // keeps the fewest tokens that reach this total probability (Holtzman et al. 2020, §3.1)
};

// Probabilities (…, V) after each filter; each row sums to 1. A filter that is off returns its input.
struct FilteredDistribution {
  Tensor after_temperature;
  Tensor after_top_k;
  Tensor after_top_p;  // sampled from
};

// Filters logits (…, V); log-probabilities work as well. On ties the smaller id ranks higher. Throws Error(config) for
// a negative or infinite temperature, top_k < 0, and top_p outside (0, 1].
FilteredDistribution filtered_distribution(Operand logits, const SamplingOptions& options);

// Row r draws its token at position t with number t of stream r of `seed`, so no draw depends on another. The
// log-probabilities of the sequences are the model's own, before any filter.
std::vector<DecodedSequence> sample_decode(Generator& generator, const Tensor& source, int max_length,
                                           const SamplingOptions& options, std::uint64_t seed);

}  // namespace unroll
