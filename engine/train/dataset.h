// From pairs of tokens to batches of ids.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "engine/models/model_size.h"
#include "engine/tensor/tensor.h"
#include "engine/train/tasks/task.h"

namespace unroll {

// B pairs; S and T − 1 are the lengths of the longest source and target among them. Of a text, its opening among it,
// every word is to be written, and S is 0; of a window <eos> is not part, and T its length.
struct Batch {
  Tensor source;      // (B, S) ids, <pad> after the end
  Tensor target_in;   // (B, T) <bos> y₁ … y_n, <pad> after
  Tensor target_out;  // (B, T) y₁ … y_n <eos>, <pad> after
  std::vector<const Pair*> pairs;
};

// Throws Error(input) for no pairs.
Batch make_batch(const Task& task, const std::vector<const Pair*>& pairs);

// By the length of their sources and, unless these are to stay mixed, of their targets.
void sort_by_length(std::vector<const Pair*>& pairs, bool mixed = false);

// A split of a task in buckets of similar length. The task must live as long.
class Dataset {
 public:
  static constexpr std::size_t most_work = 24576;  // of a batch, rows · S · T: 64 rows of about 20 tokens a side
  static constexpr std::size_t work_of_text = 8;   // what stands for S where there is no source

  // batch_tokens: at most so many tokens of target_in in a batch, where a row alone has no more; 0 is any number.
  // Throws Error(input) for an empty split, Error(config) for a batch_size below 1.
  Dataset(const Task& task, Split split, int batch_size, int batch_tokens = 0);

  // A random batch of pairs of one bucket: a pure function of (seed, step), so that a run that was stopped and resumed
  // sees what one that never stopped sees. All pairs are equally likely; none is in a batch twice. Where pairs are
  // long, batches have fewer rows, and there are as many more of them: with batch_tokens so many that each token counts
  // about the same in training, since a batch counts by the mean of its tokens.
  Batch batch(std::uint64_t seed, std::uint64_t step) const;

  // The largest batch of each bucket; each size once.
  std::set<BatchSizes> sizes() const;

 private:
  struct Turn {
    std::size_t bucket, rows;
  };

  std::vector<const Pair*> pairs_of(std::size_t bucket) const;
  std::size_t parts_of(const std::vector<const Pair*>& pairs) const;

  const Task* task_;
  std::size_t batch_size_, batch_tokens_, bucket_count_;
  std::vector<const Pair*> by_length_;
  std::vector<Turn> turns_;
};

}  // namespace unroll
