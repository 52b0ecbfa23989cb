// What a learner may paste, damaged as a wrong encoding or a slip of the hand would damage it, and what a task that was
// made of it must still give.
#pragma once

#include "engine/data/dataset.h"
#include "engine/models/token_inputs.h"
#include "tests/engine/support/test.h"

namespace unroll {

// Put in anywhere: separators, a NUL, bytes that are no UTF-8, names of special tokens, a long word, a long line.
inline Text stray_piece(Random& random) {
  static const std::vector<Text> pieces = {"\t",       "\n",   "\r",    " ",       Text(1, '\0'), "\x80",
                                           "\xe2\x82", "\xff", "<unk>", " <pad> ", Text(64, 'x'), Text(5000, 'y')};
  return pieces[static_cast<std::size_t>(random.below(static_cast<int>(pieces.size())))];
}

// With 1 to 4 changes: a byte is another one, a byte goes, up to 100 bytes go, or something is put in.
inline Text damaged(Text text, Random& random) {
  for (int changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
    const int kind = random.below(8);
    if (kind < 3)
      text[at] = static_cast<char>(random.bits());
    else if (kind < 5)
      text.erase(at, 1);
    else if (kind < 6)
      text.erase(at, static_cast<std::size_t>(random.below(100)));
    else
      text.insert(at, stray_piece(random));
  }
  return text;
}

inline void check_ids(const Tensor& ids, const Vocabulary& words) {
  CHECK(
      std::ranges::all_of(ids.values(), [&](Scalar id) { return id >= 0 && id < static_cast<Scalar>(words.size()); }));
}

// A batch can be drawn from it: of pairs that a model has room for, and of ids that the vocabularies have.
inline void check_usable(const Task& task) {
  const std::size_t longest =
      task.form() == Form::windows ? max_text_tokens + 1 : max_text_tokens;  // no <eos> behind one
  const Batch batch = Dataset(task, Split::train, 64).batch(1, 0);
  CHECK_FALSE(batch.pairs.empty());
  for (const Pair* pair : batch.pairs) {
    CHECK(pair->source.empty() == (task.form() == Form::windows));
    CHECK_FALSE(pair->target.empty());
    CHECK(std::max(pair->source.size(), pair->target.size()) <= longest);
  }
  check_ids(batch.source, task.source_vocabulary());
  check_ids(batch.target_in, task.target_vocabulary());
  check_ids(batch.target_out, task.target_vocabulary());
}

// Five thousand damaged copies are each made a task of, which can be used, or refused as what a learner typed.
inline void check_damaged(const std::vector<Text>& texts,
                          const std::function<std::unique_ptr<Task>(const Text&)>& parse) {
  Random random(11);
  int made = 0;
  for (int i = 0; i < 5000; ++i) {
    std::unique_ptr<Task> task;
    try {
      task = parse(damaged(texts[static_cast<std::size_t>(i) % texts.size()], random));
    } catch (const Error& error) {
      CHECK_MESSAGE(error.code == ErrorCode::input, Text(error.what()));
      CHECK(Text(error.what()).ends_with("."));
    }
    if (!task) continue;
    check_usable(*task);
    ++made;
  }
  CHECK(made > 500);
  CHECK(made < 4500);
}

}  // namespace unroll
