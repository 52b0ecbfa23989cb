// Tasks as wholes; texts and pairs of a learner, repeated and damaged.
#pragma once

#include "tests/engine/support/damage.h"
#include "tests/engine/support/test.h"
#include "tests/engine/support/usable.h"

namespace unroll {

inline constexpr Split splits[] = {Split::train, Split::validation, Split::test};

template <typename Look>
void each_pair(const Task& task, Look look) {
  for (const Split split : splits)
    for (const Pair& pair : task.pairs(split)) look(pair);
}

inline std::size_t size_of(const Task& task) {
  std::size_t size = 0;
  for (const Split split : splits) size += task.pairs(split).size();
  return size;
}

inline std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

// Five thousand damaged copies each give a usable task, or are refused as a learner's input.
inline void check_damaged(const std::vector<Text>& texts,
                          const std::function<std::unique_ptr<Task>(const Text&)>& parse) {
  Random random(11);
  int made = 0;
  for (int i = 0; i < 5000; ++i) {
    std::unique_ptr<Task> task;
    try {
      task = parse(damaged(texts[static_cast<std::size_t>(i) % texts.size()], stray_pieces, random));
    } catch (const Error& error) {
      CHECK_MESSAGE(error.code == ErrorCode::input, Text(error.what()));
      CHECK(Text(error.what()).ends_with("."));
    }
    if (!task) continue;
    CHECK(is_usable(*task));
    ++made;
  }
  CHECK(made > 500);
  CHECK(made < 4500);
}

}  // namespace unroll
