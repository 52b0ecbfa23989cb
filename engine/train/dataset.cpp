#include "engine/train/dataset.h"

#include <algorithm>
#include <limits>

#include "engine/models/token_inputs.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::size_t batches_a_bucket = 8;

// Ids, row by row.
using Rows = std::vector<std::vector<int>>;

int longest(const Rows& rows) {
  std::size_t length = 0;
  for (const std::vector<int>& row : rows) length = std::max(length, row.size());
  return static_cast<int>(length);
}

std::size_t longest(const std::vector<const Pair*>& pairs, Tokens Pair::*side) {
  std::size_t length = 0;
  for (const Pair* pair : pairs) length = std::max(length, (pair->*side).size());
  return length;
}

// What is read and what is to be written, in ids. Of a text all is to be written, and only a window does not end.
struct Line {
  std::vector<int> source, target;
};

Line line_of(const Task& task, const Pair& pair) {
  Line line{task.source_words().ids(pair.source), task.target_words().ids(pair.target)};
  if (task.form() != Form::pairs) {
    line.target.insert(line.target.begin(), line.source.begin(), line.source.end());
    line.source.clear();
  }
  if (task.form() != Form::windows || line.target.empty()) line.target.push_back(eos_id);
  return line;
}

// y₁ … y_n → <bos> y₁ … y_(n−1): what stands there when each is to be written.
std::vector<int> before_each(std::vector<int> target) {
  target.insert(target.begin(), bos_id);
  target.pop_back();
  return target;
}

// (B, the longest row's length)
Tensor padded(const Rows& rows) {
  const int positions = longest(rows);
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
  if (pairs.empty()) fail(ErrorCode::input, "The batch has no pairs: give at least one.");
  Rows sources, read, written;
  for (const Pair* pair : pairs) {
    const Line line = line_of(task, *pair);
    sources.push_back(line.source);
    read.push_back(before_each(line.target));
    written.push_back(line.target);
  }
  return {padded(sources), padded(read), padded(written), pairs};
}

// Pairs of one length keep their order: which of them share a bucket is chance.
void sort_by_length(std::vector<const Pair*>& pairs, bool mixed) {
  std::ranges::stable_sort(
      pairs, {}, [mixed](const Pair* pair) { return std::pair(pair->source.size(), mixed ? 0 : pair->target.size()); });
}

Dataset::Dataset(const Task& task, Split split, int batch_size, int batch_tokens)
    : task_(&task),
      batch_size_(static_cast<std::size_t>(batch_size)),
      batch_tokens_(batch_tokens > 0 ? static_cast<std::size_t>(batch_tokens)
                                     : std::numeric_limits<std::size_t>::max()) {
  if (batch_size < 1) fail(ErrorCode::config, "batch_size is ", batch_size, ": use 1 or more.");
  for (const Pair& pair : task.pairs(split)) by_length_.push_back(&pair);
  if (by_length_.empty())
    fail(ErrorCode::input, "The task ", task.name(), " has no pairs in this split: give it more pairs.");
  batch_size_ = std::min(batch_size_, by_length_.size());
  sort_by_length(by_length_, task.mixed());
  bucket_count_ = std::max<std::size_t>(1, by_length_.size() / (batches_a_bucket * batch_size_));
  for (std::size_t bucket = 0; bucket < bucket_count_; ++bucket) {
    const std::size_t parts = parts_of(pairs_of(bucket));
    for (std::size_t part = 0; part < parts; ++part)
      turns_.push_back({bucket, std::max<std::size_t>(1, batch_size_ / parts)});
  }
}

std::vector<const Pair*> Dataset::pairs_of(std::size_t bucket) const {
  const auto first = [this](std::size_t bucket) {
    return by_length_.begin() + static_cast<std::ptrdiff_t>(bucket * by_length_.size() / bucket_count_);
  };
  return {first(bucket), first(bucket + 1)};
}

// How many batches take the place of one that would be too much work or have too many tokens.
std::size_t Dataset::parts_of(const std::vector<const Pair*>& pairs) const {
  const std::size_t S = task_->form() == Form::pairs ? longest(pairs, &Pair::source) : work_of_text;
  const std::size_t T = longest(pairs, &Pair::target) + 1;
  const auto parts = [](std::size_t whole, std::size_t most) { return (whole - 1) / most + 1; };
  return std::min(batch_size_, std::max(parts(batch_size_ * S * T, most_work), parts(batch_size_ * T, batch_tokens_)));
}

std::set<BatchSizes> Dataset::sizes() const {
  std::set<BatchSizes> sizes;
  for (const Turn& turn : turns_) {
    const std::vector<const Pair*> pairs = pairs_of(turn.bucket);
    const int S = static_cast<int>(longest(pairs, &Pair::source)),
              T = static_cast<int>(longest(pairs, &Pair::target)) + 1;
    const bool text = task_->form() != Form::pairs;
    sizes.insert({static_cast<int>(turn.rows), text ? 0 : S, text ? std::min(S + T, most_positions) : T});
  }
  return sizes;
}

// Buckets are equally large, to one pair, and one whose batches have fewer rows has more turns, so that a turn and then
// pairs of its bucket are drawn with equal chances.
Batch Dataset::batch(std::uint64_t seed, std::uint64_t step) const {
  Random random(seed, step);
  const Turn turn = turns_[static_cast<std::size_t>(random.below(static_cast<int>(turns_.size())))];
  std::vector<const Pair*> pairs = pairs_of(turn.bucket);
  for (std::size_t i = 0; i < turn.rows; ++i)  // the first steps of a Fisher–Yates shuffle
    std::swap(pairs[i], pairs[i + static_cast<std::size_t>(random.below(static_cast<int>(pairs.size() - i)))]);
  pairs.resize(turn.rows);
  return make_batch(*task_, pairs);
}

}  // namespace unroll
