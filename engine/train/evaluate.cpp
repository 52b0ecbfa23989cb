#include "engine/train/evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/autograd/tape.h"
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

namespace {

// Where the n-grams of x (C) and y (R) are equal, (C − n + 1, R − n + 1), from the equal tokens (C, R) and the equal
// (n − 1)-grams: one n-gram equals another if it begins and goes on like it.
Tensor equal_ngrams(Operand tokens, Operand shorter, int n) {
  if (n == 1) return tokens;
  const int rows = tokens.shape()[0] - n + 1, columns = tokens.shape()[1] - n + 1;
  const auto part = [&](const Tensor& x, int start) { return slice(slice(x, 0, start, rows), 1, start, columns); };
  const Tensor last = part(tokens, n - 1);
  return part(shorter, 0) * last;
}

// 1 up to the diagonal, (n, n).
Tensor up_to_here(int n) {
  Tensor mask = Tensor::full({n, n}, 0);
  for (int i = 0; i < n; ++i) std::fill_n(mask.data() + i * n, i + 1, Scalar(1));
  return mask;
}

// The equal tokens of a text (C) and another one (R): (C, R).
Tensor equal_tokens(Operand text, Operand other) {
  const Tensor column = reshape(text, {static_cast<int>(text.size()), 1});
  return equal(column, other);
}

}  // namespace

Tensor traced_bleu(const Tensor& output, const Tensor& reference) {
  const int C = static_cast<int>(output.size()), R = static_cast<int>(reference.size());
  Scope scope("bleu");
  const Tensor written = output.as("output", Role::input), wanted = reference.as("reference", Role::input);
  const Tensor tokens = equal_tokens(written, wanted), own_tokens = equal_tokens(written, written);
  Tensor same = tokens, own = own_tokens, product = Tensor::scalar(1);
  for (int n = 1; n <= Bleu::max_order; ++n) {
    Scope order("n" + std::to_string(n));
    const int M = C - n + 1;
    if (M <= 0) return Tensor::scalar(0).as("score", Role::score);
    if (n <= R) same = equal_ngrams(tokens, same, n).as("same", Role::input);
    own = equal_ngrams(own_tokens, own, n);
    const Tensor in_reference = (n <= R ? sum(same, 1, true) : Tensor::full({M, 1}, 0)).as("in_reference");
    const Tensor seen = sum(own * up_to_here(M), 1, true).as("seen");
    const Tensor counts = (1 - greater(seen, in_reference)).as("counts", Role::input);
    const Tensor matches = sum(counts).as("matches");
    const Tensor precision = (matches / M).as("precision", Role::weight);
    product = product * precision;
  }
  const Tensor penalty =
      at_most(exp(1 - Tensor::scalar(static_cast<Scalar>(R)) / C), 1).as("brevity_penalty", Role::weight);
  return (penalty * sqrt(sqrt(product))).as("score", Role::score);
}

Tensor traced_alignment_error(Operand attention, Operand gold) {
  Scope scope("alignment_error");
  const Tensor links = one_hot(argmax(attention), attention.shape()[1]).as("links", Role::input);
  const Tensor wanted = gold.as("gold", Role::input);
  const Tensor both = (links * wanted).as("both", Role::input);
  const Tensor found = sum(both).as("found"), written = sum(links).as("written links"),
               known = sum(wanted).as("gold links");
  const Tensor all = written + known;
  return (1 - 2 * found / all).as("rate", Role::score);
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

// One row of the table of distances at a time: row[j] is that of the tokens of `from` read so far to the first j of
// `to`.
int edit_distance(const Tokens& from, const Tokens& to) {
  std::vector<int> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const auto& token : from) {
    int diagonal = row[0]++;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const int kept = diagonal + (token != to[j - 1]);
      diagonal = row[j];
      row[j] = std::min(kept, 1 + std::min(row[j], row[j - 1]));
    }
  }
  return row.back();
}

void TokenErrors::add(const Tokens& output, const Tokens& target) {
  for (std::size_t t = 0; t < target.size(); ++t) misplaced += t >= output.size() || output[t] != target[t];
  edits += edit_distance(output, target);
  tokens += static_cast<int>(target.size());
}

void PronounResult::add(const Tokens& output, const Pair& pair) {
  if (pair.pronoun < 0) return;
  const auto at = static_cast<std::size_t>(pair.pronoun);
  ++pronouns;
  right += at < output.size() && output[at] == pair.target[at];
}

Scalar perplexity(double mean_loss) { return kernels::exp(static_cast<Scalar>(mean_loss)); }

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

BatchDecoder beam_decoder(const BeamOptions& options) {
  return [options](Generator& generator, const Tensor& sources, int max_length) {
    BeamOptions limited = options;
    limited.max_length = max_length;
    std::vector<DecodedSequence> found;
    for (int row = 0; row < sources.shape()[0]; ++row) {
      const std::vector<Scalar> padded = row_of(sources, row);
      const std::vector<Scalar> source(padded.begin(), std::ranges::find(padded, Scalar(pad_id)));
      const Tensor one({1, static_cast<int>(source.size())}, source);
      found.push_back(beam_search(generator, one, limited).hypotheses.at(0).sequence);
    }
    return found;
  };
}

Evaluator::Evaluator(Generator& generator, const Task& task, std::vector<const Pair*> pairs, BatchDecoder decoder)
    : generator_(generator), task_(task), pairs_(std::move(pairs)), decoder_(std::move(decoder)) {
  sort_by_length(pairs_);
}

bool Evaluator::next() {
  if (done() == size()) return false;
  const RecordingGuard for_interventions(Tape::intervening());
  const Batch batch = make_batch(task_, next_pairs());
  const std::vector<DecodedSequence> forced = forced_decode(generator_, batch.source, batch.target_out);
  if (Tape* tape = Tape::live()) tape->clear();  // the names of the second pass are those of the first
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
  return decoder_(generator_, batch.source, std::min(2 * batch.target_out.shape()[1], max_generation_length));
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
    errors_.add(output, pair.target);
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
          .errors = errors_,
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
