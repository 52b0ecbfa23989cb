#include "engine/train/schedule.h"

#include "tests/engine/support/test.h"

namespace {

Schedule schedule(const char* kind, double warmup, double steps) {
  return Schedule(Config{{"schedule", kind}, {"warmup", warmup}, {"steps", steps}});
}

}  // namespace

TEST_CASE("the rate rises linearly and then follows its schedule") {
  for (const char* kind : {"constant", "linear", "cosine", "noam"}) {
    const Schedule s = schedule(kind, 4, 20);
    CHECK(s.factor(0) == 0.25);
    CHECK(s.factor(1) == 0.5);
    CHECK(s.factor(3) == 1);
  }
  CHECK(schedule("constant", 4, 20).factor(1000) == 1);
  CHECK(schedule("noam", 4, 20).factor(15) == 0.5);  // √(4 / 16)
}

TEST_CASE("a falling rate is not zero at the last step, and restarts after it") {
  for (const char* kind : {"linear", "cosine"}) {
    const Schedule s = schedule(kind, 0, 9);
    CHECK(s.factor(4) == doctest::Approx(0.5));
    for (int step = 1; step < 9; ++step) CHECK(s.factor(step) < s.factor(step - 1));
    CHECK(s.factor(8) > 0);
    const Schedule warm = schedule(kind, 4, 20);
    for (int step = 4; step < 60; ++step) CHECK(warm.factor(step + 16) == warm.factor(step));
  }
}

TEST_CASE("Vaswani et al.'s schedule needs a warm-up") {
  CHECK_THROWS_WITH_AS(schedule("noam", 0, 9), "warmup is 0: the schedule \"noam\" needs 1 step or more.", Error);
}
