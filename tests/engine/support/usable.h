// Requirements for a task made from own data.
#pragma once

#include <algorithm>

#include "engine/data/dataset.h"

namespace unroll {

inline bool are_ids(const Tensor& ids, const Vocabulary& words) {
  return std::ranges::all_of(ids.values(),
                             [&](Scalar id) { return id >= 0 && id < static_cast<Scalar>(words.size()); });
}

// A window has one more token than a text, since no <eos> follows it.
inline bool has_room(const Task& task, const Pair& pair) {
  const bool window = task.form() == Form::windows;
  const std::size_t longest = max_text_tokens + std::size_t{window};
  return pair.source.empty() == window && !pair.target.empty() && pair.source.size() <= longest &&
         pair.target.size() <= longest;
}

// A batch can be drawn from it, with pairs that a model has room for and ids that are in the vocabularies.
inline bool is_usable(const Task& task) {
  const Batch batch = Dataset(task, Split::train, 64).batch(1, 0);
  return !batch.pairs.empty() &&
         std::ranges::all_of(batch.pairs, [&](const Pair* pair) { return has_room(task, *pair); }) &&
         are_ids(batch.source, task.source_vocabulary()) && are_ids(batch.target_in, task.target_vocabulary()) &&
         are_ids(batch.target_out, task.target_vocabulary());
}

}  // namespace unroll
