// Models that are programs of the learner's language learn their tasks. (How well is a matter of `lab bars`.)
#include "tests/engine/support/sources.h"
#include "tests/engine/support/task_run.h"
#include "tests/engine/support/test.h"

namespace {

// The mean loss of the last ten of so many steps, in which the learning rate rises and falls as in the whole training.
double loss_after(const std::string& task, const std::string& file, int steps) {
  TaskRun run(with(recipe(task, "program"), {{"program", source_text("lessons/programs/" + file)},
                                             {"steps", double(steps)},
                                             {"warmup", double(steps * 15 / 100)}}));
  run.steps(steps - 10);
  double total = 0;
  for (int i = 0; i < 10; ++i) total += run.steps(1);
  return total / 10;
}

}  // namespace

// An even guess among 14 tokens has the loss 2.64, and the task can be learnt to 0.
TEST_CASE("bahdanau.py learns to reverse") { CHECK(loss_after("reverse", "bahdanau.py", 80) < 1); }

// An even guess among 137 tokens has the loss 4.92, and the entropy of the stories is 0.37.
TEST_CASE("gpt.py learns to tell stories") { CHECK(loss_after("stories", "gpt.py", 60) < 2); }
