#include "engine/data/dataset.h"

#include <algorithm>
#include <limits>

#include "engine/kernels/order.h"
#include "engine/models/sequence_model.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::size_t batches_per_bucket = 8;

// Token ids, row by row.
using Rows = std::vector<std::vector<int>>;

int max_length(const Rows& rows) {
  std::size_t length = 0;
  for (const std::vector<int>& row : rows) length = std::max(length, row.size());
  return static_cast<int>(length);
}

std::size_t max_length(const std::vector<const Pair*>& pairs, Tokens Pair::*side) {
  std::size_t length = 0;
  for (const Pair* pair : pairs) length = std::max(length, (pair->*side).size());
  return length;
}

// Token ids of one pair. A text is all target, prompt included; every target but a window ends with <eos>.
struct Line {
  std::vector<int> source, target;
};

Line line_of(const Task& task, const Pair& pair) {
  Line line{task.source_vocabulary().ids(pair.source), task.target_vocabulary().ids(pair.target)};
  if (task.form() != Form::pairs) {
    line.target.insert(line.target.begin(), line.source.begin(), line.source.end());
    line.source.clear();
  }
  if (task.form() != Form::windows || line.target.empty()) line.target.push_back(eos_id);
  return line;
}

// Shifts right: y₁ … y_n → <bos> y₁ … y_(n−1).
std::vector<int> shift_right(std::vector<int> target) {
  target.insert(target.begin(), bos_id);
  target.pop_back();
  return target;
}

// (B, length of the longest row)
Tensor padded(const Rows& rows) {
  const int positions = max_length(rows);
  Tensor ids = Tensor::full({static_cast<int>(rows.size()), positions}, pad_id);
  Scalar* to = ids.data();
  for (const std::vector<int>& row : rows) {
    std::ranges::copy(row, to);
    to += positions;
  }
  return ids;
}

}  // namespace

Batch make_batch(const Task& task, const std::vector<const Pair*>& pairs) {
  if (pairs.empty()) fail(ErrorCode::input, "batch_is_empty");
  Rows sources, target_in, target_out;
  for (const Pair* pair : pairs) {
    const Line line = line_of(task, *pair);
    sources.push_back(line.source);
    target_in.push_back(shift_right(line.target));
    target_out.push_back(line.target);
  }
  return {padded(sources), padded(target_in), padded(target_out), pairs};
}

// Stable: pairs of equal length keep their order in the task.
void sort_by_length(std::vector<const Pair*>& pairs, bool mix_target_lengths) {
  const auto lengths = [=](const Pair* pair) {
    return std::pair(pair->source.size(), mix_target_lengths ? 0 : pair->target.size());
  };
  stable_sort(pairs, [&](const Pair* a, const Pair* b) { return lengths(a) < lengths(b); });
}

Dataset::Dataset(const Task& task, Split split, int batch_size, int batch_tokens)
    : task_(&task),
      batch_size_(static_cast<std::size_t>(batch_size)),
      batch_tokens_(batch_tokens > 0 ? static_cast<std::size_t>(batch_tokens)
                                     : std::numeric_limits<std::size_t>::max()) {
  if (batch_size < 1) fail(ErrorCode::config, "batch_size_below_one", batch_size);
  for (const Pair& pair : task.pairs(split)) by_length_.push_back(&pair);
  if (by_length_.empty()) fail(ErrorCode::input, "split_is_empty", task.name());
  batch_size_ = std::min(batch_size_, by_length_.size());
  sort_by_length(by_length_, task.mix_target_lengths());
  bucket_count_ = std::max<std::size_t>(1, by_length_.size() / (batches_per_bucket * batch_size_));
  for (std::size_t bucket = 0; bucket < bucket_count_; ++bucket) {
    const std::size_t parts = parts_of(pairs_of(bucket));
    for (std::size_t part = 0; part < parts; ++part)
      draws_.push_back({bucket, std::max<std::size_t>(1, batch_size_ / parts)});
  }
}

std::vector<const Pair*> Dataset::pairs_of(std::size_t bucket) const {
  const auto first = [this](std::size_t bucket) {
    return by_length_.begin() + static_cast<std::ptrdiff_t>(bucket * by_length_.size() / bucket_count_);
  };
  return {first(bucket), first(bucket + 1)};
}

// How many batches replace a full one that would exceed the limits on work or tokens.
std::size_t Dataset::parts_of(const std::vector<const Pair*>& pairs) const {
  const std::size_t S = task_->form() == Form::pairs ? max_length(pairs, &Pair::source) : default_source_length;
  const std::size_t T = max_length(pairs, &Pair::target) + 1;
  const auto parts = [](std::size_t whole, std::size_t limit) { return (whole - 1) / limit + 1; };
  return std::min(batch_size_, std::max(parts(batch_size_ * S * T, max_work), parts(batch_size_ * T, batch_tokens_)));
}

std::set<BatchSizes> Dataset::batch_sizes() const {
  std::set<BatchSizes> sizes;
  for (const Draw& draw : draws_) {
    const std::vector<const Pair*> pairs = pairs_of(draw.bucket);
    const int S = static_cast<int>(max_length(pairs, &Pair::source)),
              T = static_cast<int>(max_length(pairs, &Pair::target)) + 1;
    const bool text = task_->form() != Form::pairs;
    sizes.insert({static_cast<int>(draw.rows), text ? 0 : S, text ? std::min(S + T, max_positions) : T});
  }
  return sizes;
}

// Buckets have equal sizes, to within one pair, and a bucket with smaller batches has proportionally more draws, so
// choosing a draw and then pairs of its bucket, both uniformly, is uniform over pairs.
Batch Dataset::batch(std::uint64_t seed, std::uint64_t step) const {
  Random random(seed, step);
  const Draw draw = draws_[static_cast<std::size_t>(random.below(static_cast<int>(draws_.size())))];
  std::vector<const Pair*> pairs = pairs_of(draw.bucket);
  for (std::size_t i = 0; i < draw.rows; ++i)  // the first steps of a Fisher–Yates shuffle
    std::swap(pairs[i], pairs[i + static_cast<std::size_t>(random.below(static_cast<int>(pairs.size() - i)))]);
  pairs.resize(draw.rows);
  return make_batch(*task_, pairs);
}

}  // namespace unroll
