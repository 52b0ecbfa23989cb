// Sorting. All sorts share one function: each sort of the standard library would add two kilobytes to every module of
// the page.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace unroll {

// 0 … count − 1, stably sorted: before(a, b) says whether a comes first.
inline std::vector<std::size_t> stable_order(std::size_t count,
                                             const std::function<bool(std::size_t, std::size_t)>& before) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, before);
  return order;
}

// Stably sorts the values: before(a, b) says whether a comes first.
template <typename T>
void stable_sort(std::vector<T>& values, const auto& before) {
  std::vector<T> sorted;
  sorted.reserve(values.size());
  const auto compare = [&](std::size_t a, std::size_t b) { return before(values[a], values[b]); };
  for (const std::size_t i : stable_order(values.size(), compare)) sorted.push_back(std::move(values[i]));
  values = std::move(sorted);
}

}  // namespace unroll
