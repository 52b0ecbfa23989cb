// What the built-in tasks are made with.
#pragma once

#include <span>

#include "engine/data/tasks/task.h"

namespace unroll {

// A built-in task. Deterministic: every call of `make` with the same options returns the same pairs.
struct TaskKind {
  std::string_view name;
  Corpus (*make)(const Config& options);
  bool has_options = false;  // without options it is made once, and shared
};

// A source in this folder defines TaskKind NAME_task(), and its task is thereby registered: CMake lists what it finds
// (see engine/registered.cmake).
//
// All tasks, in alphabetical order of these functions.
std::span<const TaskKind> task_kinds();

inline constexpr std::uint64_t data_seed = 1;

// Up to `count` pairs with distinct sources: `first`, then draws at lengths from `length`, at most 10 · count of them.
std::vector<Pair> distinct_pairs(int count, Random& random, const std::function<Pair(Random&, int length)>& draw,
                                 const std::function<int(Random&)>& length, std::vector<Pair> first = {});

}  // namespace unroll
