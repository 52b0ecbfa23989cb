// Writing by chance: each token is drawn from the model's distribution, made sharper or cut off before.
#pragma once

#include "engine/autograd/operand.h"
#include "engine/train/decoding.h"

namespace unroll {

struct SamplingOptions {
  double temperature = 1;  // 0: the most probable token
  int top_k = 0;           // only the k most probable tokens (Fan et al. 2018, §5.4); 0: all
  double top_p = 1;        // only the fewest tokens that have this probability together (Holtzman et al. 2020, §3.1)
};

// Probabilities (…, V), step by step; each row sums to one. A step that is off gives the same tensor again.
struct FilteredDistribution {
  Tensor after_temperature;
  Tensor after_top_k;
  Tensor after_top_p;  // what is drawn from
};

// The distribution of logits (…, V), which may be log-probabilities as well. Of equally probable tokens the smaller id
// comes first. Throws Error(config) for temperature < 0, top_k < 0, and top_p outside (0, 1].
FilteredDistribution filtered_distribution(Operand logits, const SamplingOptions& options);

// Row r draws its token at position t with number t of the stream r of `seed`, so that no draw depends on another. The
// log-probabilities of the sequences are the model's own, before any filter.
std::vector<DecodedSequence> sample_decode(Writer& writer, const Tensor& source, int max_length,
                                           const SamplingOptions& options, std::uint64_t seed);

}  // namespace unroll
