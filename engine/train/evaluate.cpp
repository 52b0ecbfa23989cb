#include "engine/train/evaluate.h"

#include <algorithm>
#include <limits>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::size_t min_batch = 8, max_work = 8192;  // rows · S · T: 32 rows of 16 tokens per side

// Attention weights (T, S); an empty tensor unless every position attends to the source.
Tensor attention_of(const DecodedSequence& sequence, int source_length) {
  const auto S = static_cast<std::size_t>(source_length);
  if (!std::ranges::all_of(sequence.weights, [S](const auto& row) { return row.size() == S; })) return {};
  Tensor attention({static_cast<int>(sequence.weights.size()), source_length});
  Scalar* at = attention.data();
  for (const std::vector<Scalar>& row : sequence.weights) at = std::ranges::copy(row, at).out;
  return attention;
}

}  // namespace

Evaluator::Evaluator(Generator& generator, const Task& task, std::vector<const Pair*> pairs)
    : generator_(generator), task_(task), pairs_(std::move(pairs)) {
  sort_by_length(pairs_);
}

bool Evaluator::next() {
  if (done() == size()) return false;
  RecordingGuard nothing(nullptr);
  const Batch batch = make_batch(task_, next_pairs());
  const std::vector<DecodedSequence> forced = forced_decode(generator_, batch.source, batch.target_out);
  const std::vector<DecodedSequence> generated = generate(batch);
  add_forced(batch, forced);
  add_generated(batch, generated);
  done_ += batch.pairs.size();
  return done() < size();
}

// As many pairs as max_work allows, and at least min_batch of those left.
std::vector<const Pair*> Evaluator::next_pairs() const {
  std::vector<const Pair*> selected;
  std::size_t S = 1, T = 1;
  for (std::size_t i = done(); i < size() && selected.size() < batch_size; ++i) {
    S = std::max(S, pairs_[i]->source.size());
    T = std::max(T, pairs_[i]->target.size() + 1);
    if (selected.size() >= min_batch && (selected.size() + 1) * S * T > max_work) break;
    selected.push_back(pairs_[i]);
  }
  return selected;
}

// Empty for tasks without sources.
std::vector<DecodedSequence> Evaluator::generate(const Batch& batch) const {
  if (task_.form() != Form::pairs) return {};
  return greedy_decode(generator_, batch.source, std::min(2 * batch.target_out.shape()[1], max_generation_length));
}

void Evaluator::add_forced(const Batch& batch, const std::vector<DecodedSequence>& forced) {
  for (std::size_t i = 0; i < forced.size(); ++i) {
    const Pair& pair = *batch.pairs[i];
    log_likelihood_ += forced[i].log_probability();
    tokens_ += static_cast<int>(forced[i].log_probabilities.size());
    const Tensor attention = attention_of(forced[i], batch.source.shape()[1]);
    if (!attention || pair.alignment.empty()) continue;
    const int source_length = static_cast<int>(pair.source.size());
    alignment_.add(hard_links(attention, source_length, static_cast<int>(pair.target.size())), pair);
    attention_mass_.add(attention, pair);
  }
}

void Evaluator::add_generated(const Batch& batch, const std::vector<DecodedSequence>& generated) {
  for (std::size_t i = 0; i < generated.size(); ++i) {
    const Pair& pair = *batch.pairs[i];
    const Tokens output = task_.target_vocabulary().tokens(generated[i].tokens);
    const bool exact = output == pair.target;
    bleu_.add(output, pair.target);
    pronouns_.add(output, pair);
    exact_ += exact;
    LengthResult& length = by_length_[static_cast<int>(pair.source.size())];
    ++length.pairs;
    length.exact += exact;
  }
}

Evaluation Evaluator::result() const {
  const bool generated = task_.form() == Form::pairs;
  const double exact = done_ == 0 ? 0 : static_cast<double>(exact_) / static_cast<double>(done_);
  return {.pairs = static_cast<int>(done()),
          .generated = generated,
          .exact_match = generated ? exact : std::numeric_limits<double>::quiet_NaN(),
          .bleu = bleu_,
          .pronouns = pronouns_,
          .alignment = alignment_,
          .attention_mass = attention_mass_,
          .perplexity = tokens_ == 0 ? 1 : static_cast<double>(unroll::perplexity(-log_likelihood_ / tokens_)),
          .by_length = by_length_};
}

std::vector<const Pair*> spread(const std::vector<Pair>& pairs, int limit) {
  if (limit < 0) fail(ErrorCode::config, "evaluation_limit_negative", limit);
  const std::size_t requested = static_cast<std::size_t>(limit);
  const std::size_t count = limit == 0 ? pairs.size() : std::min(requested, pairs.size());
  std::vector<const Pair*> chosen;
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(&pairs[static_cast<std::size_t>(std::uint64_t{i} * pairs.size() / count)]);
  return chosen;
}

Evaluation evaluate(Generator& generator, const Task& task, Split split, int limit) {
  Evaluator evaluator(generator, task, spread(task.pairs(split), limit));
  while (evaluator.next()) {
  }
  return evaluator.result();
}

}  // namespace unroll
