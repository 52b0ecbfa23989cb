// Batches of token ids, and a split of a task sampled in buckets of similar length.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/data/tasks/task.h"
#include "engine/models/model_size.h"

namespace unroll {

// B pairs, padded to the longest source (S) and the longest target with <eos> (T). For texts, S is 0 and the prompt is
// part of the target; windows have no <eos>, so T is their length.
struct Batch {
  Tensor source;      // (B, S) ids, padded with <pad>
  Tensor target_in;   // (B, T) <bos> y₁ … y_n, padded
  Tensor target_out;  // (B, T) y₁ … y_n <eos>, padded
  std::vector<const Pair*> pairs;
};

// Throws Error(input) if there are no pairs.
Batch make_batch(const Task& task, const std::vector<const Pair*>& pairs);

// Sorts by source length and then, unless `mix_target_lengths`, by target length.
void sort_by_length(std::vector<const Pair*>& pairs, bool mix_target_lengths = false);

// A split of a task in buckets of similar length. The task must outlive it.
class Dataset {
 public:
  static constexpr std::size_t max_work = 24576;  // rows · S · T of a batch: 64 rows of about 20 tokens per side
  static constexpr std::size_t default_source_length = 8;  // in place of S where there is no source

  // batch_tokens limits the tokens of target_in per batch, padding included, unless one row alone exceeds it; 0 is no
  // limit. Throws Error(input) for an empty split, Error(config) for a batch_size below 1.
  Dataset(const Task& task, Split split, int batch_size, int batch_tokens = 0);

  // A random batch from one bucket: a pure function of (seed, step), so a resumed run sees the same batches as an
  // uninterrupted one. Pairs are equally likely, up to rounding, and occur at most once in a batch. Buckets of long
  // pairs give smaller batches, drawn more often. As the loss is a mean over the tokens of a batch, batch_tokens
  // thereby gives each token about the same weight in training.
  Batch batch(std::uint64_t seed, std::uint64_t step) const;

  // The largest batch of each bucket, each size once.
  std::set<BatchSizes> batch_sizes() const;

 private:
  struct Draw {
    std::size_t bucket, rows;
  };

  std::vector<const Pair*> pairs_of(std::size_t bucket) const;
  std::size_t parts_of(const std::vector<const Pair*>& pairs) const;

  const Task* task_;
  std::size_t batch_size_, batch_tokens_, bucket_count_;
  std::vector<const Pair*> by_length_;
  std::vector<Draw> draws_;
};

}  // namespace unroll
