#include "engine/generate/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/autograd/tape.h"
#include "engine/kernels/order.h"
#include "engine/kernels/random.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

using Row = std::span<const Scalar>;

void check(const SamplingOptions& options) {
  if (!(options.temperature >= 0) || std::isinf(options.temperature))
    fail(ErrorCode::config, "sampling_temperature_negative", options.temperature);
  if (options.top_k < 0) fail(ErrorCode::config, "top_k_negative", options.top_k);
  if (!(options.top_p > 0 && options.top_p <= 1)) fail(ErrorCode::config, "top_p_out_of_range", options.top_p);
}

// Nucleus size: the smallest number of tokens, most probable first, whose total probability reaches top_p.
std::size_t nucleus_size(Row p, const std::vector<std::size_t>& ids, double top_p) {
  const auto needed = static_cast<double>(static_cast<Scalar>(top_p));
  double together = 0;
  std::size_t count = 0;
  while (count < ids.size() && together < needed) together += static_cast<double>(p[ids[count++]]);
  return count;
}

// 1 for the count(p, ids) most probable tokens of each row, 0 for the others.
template <typename Count>
Tensor mask_of_first(const Tensor& p, const Count& count) {
  const auto V = static_cast<std::size_t>(p.shape()[-1]);
  Tensor mask = Tensor::full(p.shape(), 0);
  for (std::size_t start = 0; start < p.size(); start += V) {
    const Row row(p.data() + start, V);
    const std::vector<std::size_t> ids =
        stable_order(row.size(), [row](std::size_t a, std::size_t b) { return row[a] > row[b]; });
    const std::size_t chosen = std::min(V, count(row, ids));
    for (std::size_t i = 0; i < chosen; ++i) mask.data()[start + ids[i]] = 1;
  }
  return mask;
}

// Applies the mask and renormalises each row to sum to 1.
Tensor renormalised(Operand p, Operand mask) {
  const Tensor allowed = p * mask;
  return allowed / sum(allowed, -1, true);
}

Tensor at_temperature(Operand logits, double temperature) {
  return temperature == 0 ? one_hot(argmax(logits), logits.shape()[-1]) : softmax(logits, -1, temperature);
}

Tensor keep_top_k(Operand p, int top_k) {
  if (top_k == 0 || top_k >= p.shape()[-1]) return p;
  const Tensor mask = mask_of_first(p, [top_k](Row, const auto&) { return static_cast<std::size_t>(top_k); });
  return renormalised(p, mask).as("p_top_k", Role::weight);
}

Tensor keep_top_p(Operand p, double top_p) {
  if (top_p == 1) return p;
  const Tensor mask = mask_of_first(p, [top_p](Row row, const auto& ids) { return nucleus_size(row, ids, top_p); });
  return renormalised(p, mask).as("p_top_p", Role::weight);
}

// Inverse CDF: the first token whose cumulative probability exceeds draw · Σ p, with draw in [0, 1).
std::size_t token_at(Row p, Scalar draw) {
  const double all = std::accumulate(p.begin(), p.end(), 0.0), wanted = static_cast<double>(draw) * all;
  double before = 0;
  std::size_t token = 0;
  while (token + 1 < p.size() && before + static_cast<double>(p[token]) <= wanted)
    before += static_cast<double>(p[token++]);
  return token;
}

// Draws one token per row of p (R, V), as ids (R). No gradient.
Tensor sample(Operand p, std::uint64_t seed, int position) {
  const auto V = static_cast<std::size_t>(p.shape()[1]);
  Tensor ids({p.shape()[0]});
  for (std::size_t row = 0; row < ids.size(); ++row) {
    Random random(seed, row);
    random.seek(static_cast<std::uint64_t>(position));
    ids.data()[row] = static_cast<Scalar>(token_at({p.data() + row * V, V}, random.uniform()));
  }
  return record({"sample", "reduce", "a draw from {0}", {1}, 1}, ids, Input{p});
}

}  // namespace

FilteredDistribution filtered_distribution(Operand logits, const SamplingOptions& options) {
  check(options);
  const Tensor warm = at_temperature(logits, options.temperature).as("p_temperature", Role::weight);
  const Tensor likely = keep_top_k(warm, options.top_k);
  return {warm, likely, keep_top_p(likely, options.top_p)};
}

std::vector<DecodedSequence> sample_decode(Generator& generator, const Tensor& source, int max_length,
                                           const SamplingOptions& options, std::uint64_t seed) {
  check(options);
  const int length = generation_length(generator, source, max_length);
  return decode(generator, source, length, [&](const Tensor& log_p, int position) {
    return sample(filtered_distribution(log_p, options).after_top_p, seed, position);
  });
}

}  // namespace unroll
