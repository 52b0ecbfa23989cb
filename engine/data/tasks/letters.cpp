// reverse, copy, sort: simple tasks that differ in which source positions to attend to. Strings of letters from a to j.
#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "engine/data/tasks/generators.h"
#include "engine/kernels/order.h"

namespace unroll {
namespace {

constexpr int letter_count = 10;
constexpr int word_count = 24'000;

// order[t] = the source position that target position t comes from.
std::vector<int> order_of(const std::string& name, const Tokens& source) {
  std::vector<int> order(source.size());
  std::iota(order.begin(), order.end(), 0);
  if (name == "reverse") std::ranges::reverse(order);
  if (name == "sort") stable_sort(order, [&](int a, int b) { return source[a] < source[b]; });
  return order;
}

Pair letters_pair(const std::string& name, Random& random, int length) {
  Pair pair;
  for (Tokens* side : {&pair.source, &pair.target}) side->reserve(length);
  pair.alignment.reserve(length);
  for (int i = 0; i < length; ++i) pair.source.emplace_back(1, static_cast<char>('a' + random.below(letter_count)));
  for (const int from : order_of(name, pair.source)) {
    pair.alignment.emplace_back(from, static_cast<int>(pair.target.size()));
    pair.target.push_back(pair.source[from]);
  }
  return pair;
}

Corpus letters_corpus(const std::string& name, const Config& options) {
  Random random(data_seed);
  const int max_length = options.integer("length", 10, 2, 40);
  const auto draw = [name](Random& random, int length) { return letters_pair(name, random, length); };
  const auto length = [max_length](Random& random) { return 1 + random.below(max_length); };
  return {name, "", distinct_pairs(word_count, random, draw, length), draw};
}

}  // namespace

TaskKind reverse_task() {
  return {"reverse", [](const Config& options) { return letters_corpus("reverse", options); }, true};
}

TaskKind copy_task() {
  return {"copy", [](const Config& options) { return letters_corpus("copy", options); }, true};
}

TaskKind sort_task() {
  return {"sort", [](const Config& options) { return letters_corpus("sort", options); }, true};
}

std::vector<Pair> distinct_pairs(int count, Random& random, const std::function<Pair(Random&, int)>& draw,
                                 const std::function<int(Random&)>& length, std::vector<Pair> pairs) {
  std::unordered_set<std::uint64_t> seen(count);
  for (const Pair& pair : pairs) seen.insert(text_hash(pair.source));
  pairs.reserve(count);
  for (int attempt = 0; attempt < 10 * count && static_cast<int>(pairs.size()) < count; ++attempt) {
    Pair pair = draw(random, length(random));
    if (seen.insert(text_hash(pair.source)).second) pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace unroll
