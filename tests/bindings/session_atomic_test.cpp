// Calls that fail half-way, and gradient checks at difficult points.
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/task_run.h"

namespace {

// Learns to reverse letters; its encoder reads the source backwards, so position s is at the mirrored index.
Config mirrored() { return recipe_with("reverse", "gru", "embedding=8 hidden=8 reverse_source=true"); }

// An invalid edit, source[2] = 3.5, hidden by a second edit as long as the source has four tokens. With three, another
// position reads source[2], and the run is refused in the middle.
struct Hidden : Session {
  Hidden() {
    REQUIRE(load(mirrored()).ok);
    saved = save().value;
    REQUIRE(train(2).ok);
    REQUIRE(read("abcd", "dcba").ok);
    REQUIRE(trace().ok);
    REQUIRE(edit(hiding, 0, 5).ok);
    REQUIRE(edit("source", 2, 3.5f).ok);
  }
  static constexpr const char* hiding = "encoder/pick#2";
  static constexpr const char* sentence = "[gather] the id at position 0 is 3.5: use a whole number from 0 to 13.";
  std::vector<std::uint8_t> saved;  // saved before training
};

}  // namespace

TEST_CASE("a trace refused half-way is refused again, and is complete once it can run") {
  Hidden session;
  const SessionState before = state_of(session);
  REQUIRE(session.read("abc", "cba").ok);
  for (int look = 0; look < 3; ++look) CHECK(session.trace().message() == Hidden::sentence);
  CHECK(session.values(0).message() == Hidden::sentence);
  REQUIRE(session.read("abcd", "dcba").ok);
  CHECK(state_of(session) == before);
}

TEST_CASE("a refused undo leaves the edit") {
  Hidden session;
  const SessionState before = state_of(session);
  CHECK(session.undo_edit(Hidden::hiding, 0).message() == Hidden::sentence);
  CHECK(state_of(session) == before);
  REQUIRE(session.undo_edit("source", 2).ok);
  CHECK(session.undo_edit(Hidden::hiding, 0).ok);
}

TEST_CASE("a run refused in the middle restores its inputs") {
  Hidden session;
  const SessionState before = state_of(session);
  CHECK(session.run({{"source", {1, 3}, {4, 5, 6}}}).message() == Hidden::sentence);
  CHECK(state_of(session) == before);
}

TEST_CASE("a checkpoint is restored, or nothing changes, whether or not the trace can run") {
  Hidden session;
  REQUIRE(session.read("abc", "cba").ok);
  REQUIRE(session.restore(session.saved).ok);
  CHECK(session.save().value == session.saved);
  CHECK(session.trace().message() == Hidden::sentence);
}

TEST_CASE("training that diverges after some steps is undone completely") {
  const Config config{{"X", std::vector<double>(12, 1e6)},
                      {"target", std::vector<double>(12, 1e6)},
                      {"learning_rate", 10.0},
                      {"clip_norm", 1e6}};
  Ran session(config);
  const SessionState before = state_of(session);
  const Reply<TrainInfo> reply = session.train(100);
  REQUIRE(reply.failure.code == "E_DIVERGED");
  CHECK(reply.message().find("lower learning_rate") != std::string::npos);
  CHECK_FALSE(reply.message().starts_with("Step 1 "));
  CHECK(state_of(session) == before);
  CHECK(session.train(1).value.step == 1);
}

TEST_CASE("a gradient check of a small weight stays inside the domain of the logarithm") {
  for (double target : {0.0, 1.0, 2.0}) {
    Ran session(with(softmax_lesson(), {{"target", target}}));
    for (const char* name : {"e", "α", "softmax/exp", "softmax/sum", "α of the target"}) {
      const Reply<GradientCheck> check =
          session.check_gradient(name, std::string(name).size() > 4 ? 0 : static_cast<int>(target));
      REQUIRE_MESSAGE(check.ok, check.message());
      INFO(name, ": ", check.value.analytic, " and ", check.value.numeric);
      CHECK(check.value.difference <= 1e-3 * std::max(std::abs(check.value.analytic), 1e-4));
    }
  }
}

TEST_CASE("no gradient check at −∞, no edit of a constant") {
  Ran session(with(four_words(), "mask=causal"));
  REQUIRE(session.edit("attention/e", 0, -INFINITY).ok);
  CHECK(session.check_gradient("attention/e", 0).message() ==
        "attention/e[0, 0] is −∞, which has no neighbours: choose a finite value.");
  for (const TraceNode& node : session.trace().value.nodes)
    if (node.op == "constant")
      CHECK(session.edit(node.name, 0, 1).message() ==
            "\"" + node.name + "\" is a constant: edit an input, a parameter or a step instead.");
}
