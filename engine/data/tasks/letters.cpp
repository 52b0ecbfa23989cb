// reverse, copy, sort: simple tasks that differ in which source positions to attend to. Strings of letters from a to j.
#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/data/tasks/task.h"
#include "engine/kernels/order.h"

namespace unroll {
namespace {

constexpr int letter_count = 10;
constexpr int word_count = 24'000;

// Sets order[t] to the source position that target position t comes from; before, it is t.
using Reorder = void (*)(std::vector<int>& order, const Tokens& source);

void reverse_order(std::vector<int>& order, const Tokens&) { std::ranges::reverse(order); }
void keep_order(std::vector<int>&, const Tokens&) {}
void sort_order(std::vector<int>& order, const Tokens& source) {
  stable_sort(order, [&](int a, int b) { return source[a] < source[b]; });
}

template <Reorder reorder>
Pair reordered(Tokens source) {
  Pair pair{.source = std::move(source), .target = {}, .alignment = {}};
  pair.target.reserve(pair.source.size());
  pair.alignment.reserve(pair.source.size());
  std::vector<int> order(pair.source.size());
  std::iota(order.begin(), order.end(), 0);
  reorder(order, pair.source);
  for (const int from : order) {
    pair.alignment.emplace_back(from, static_cast<int>(pair.target.size()));
    pair.target.push_back(pair.source[from]);
  }
  return pair;
}

Tokens random_letters(Random& random, int length) {
  Tokens letters;
  letters.reserve(length);
  for (int i = 0; i < length; ++i) letters.emplace_back(1, static_cast<char>('a' + random.below(letter_count)));
  return letters;
}

template <Reorder reorder>
Corpus letters_corpus(const Config& options) {
  Random random(data_seed);
  const int max_length = options.integer("length", 10, 2, 40);
  const auto length = [max_length](Random& random) { return 1 + random.below(max_length); };
  const auto draw = [](Random& random, int length) { return reordered<reorder>(random_letters(random, length)); };
  return {.pairs = distinct_pairs(word_count, random, draw, length), .draw = draw, .complete = reordered<reorder>};
}

}  // namespace

TaskKind reverse_task() { return {"reverse", letters_corpus<reverse_order>, true}; }
TaskKind copy_task() { return {"copy", letters_corpus<keep_order>, true}; }
TaskKind sort_task() { return {"sort", letters_corpus<sort_order>, true}; }

}  // namespace unroll
