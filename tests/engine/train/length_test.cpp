// The purpose of attention: sequences that do not fit into a single state.
#include "engine/train/evaluate.h"
#include "tests/engine/support/task_run.h"
#include "tests/engine/support/test.h"

namespace {

// The fraction of new sources of a given length that a model reverses exactly, after 300 steps on lengths 1 to 10.
struct Reversed {
  double length_4, length_10;
};
Reversed reverse_with(const char* model, double seed) {
  TaskRun run(with(
      recipe_with("reverse", model, "embedding=12 hidden=24 attention_size=12 batch=24 steps=300 learning_rate=0.01"),
      {{"seed", seed}}));
  run.steps(300);
  const auto exact = [&](int length) {
    const std::vector<Pair> pairs = run.task->pairs_of_length(length, 60, 1);
    Evaluator evaluator(dynamic_cast<Generator&>(*run.model), *run.task, spread(pairs, 0));
    while (evaluator.next()) {
    }
    return evaluator.result().exact_match;
  };
  return {exact(4), exact(10)};
}

}  // namespace

TEST_CASE("after the same training, a GRU reverses long sequences with attention, but only short ones without") {
  for (const double seed : {1.0, 3.0}) {
    CAPTURE(seed);
    const Reversed without = reverse_with("gru", seed), with = reverse_with("gru-attention", seed);
    CHECK(without.length_4 > 0.1);
    CHECK(without.length_10 < 0.05);
    CHECK(with.length_4 > 0.9);
    CHECK(with.length_10 > 0.4);
  }
}
