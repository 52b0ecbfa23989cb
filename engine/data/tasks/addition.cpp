// Addition of decimal numbers, after the Keras example addition_rnn: "12+345" → "357". Only one of a + b and b + a
// occurs, so that training does not see the answer to a test sum.
#include "engine/data/tasks/task.h"

namespace unroll {
namespace {

constexpr int sum_count = 50'000;

Pair sum_of(int a, int b) {
  return {split_text(std::to_string(a) + '+' + std::to_string(b), ""), split_text(std::to_string(a + b), ""), {}};
}

// Picks one of a + b and b + a by hash, so that either order of the operands occurs.
Pair one_of_both(int a, int b) {
  Pair sum = sum_of(a, b), turned = sum_of(b, a);
  return text_hash(sum.source) < text_hash(turned.source) ? sum : turned;
}

int number_below(Random& random, int digits) {
  int limit = 10;
  for (int more = random.below(digits); more > 0; --more) limit *= 10;
  return random.below(limit);
}

std::vector<Pair> all_sums(int limit) {
  std::vector<Pair> pairs;
  for (int a = 0; a < limit; ++a)
    for (int b = 0; b <= a; ++b) pairs.push_back(one_of_both(a, b));
  return pairs;
}

// All 5,050 sums for two digits, 50,000 for more (as in the Keras example for three).
Corpus addition_corpus(const Config& options) {
  const int digits = options.integer("digits", 2, 2, 5);
  if (digits == 2) return {.pairs = all_sums(100)};
  Random random(data_seed, static_cast<std::uint64_t>(digits));
  const auto draw = [](Random& random, int digits) {
    const int a = number_below(random, digits);
    return one_of_both(a, number_below(random, digits));
  };
  return {.pairs = distinct_pairs(sum_count, random, draw, [digits](Random&) { return digits; })};
}

}  // namespace

TaskKind addition_task() { return {"addition", addition_corpus, true}; }

}  // namespace unroll
