// Calls that fail half-way, gradient checks at difficult points, and sessions in one module: each computes as if it
// were alone, and a model's memory is freed for the next.
#include "engine/nn/layers/position_wise.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/task_run.h"

// The tape holds the address of the session's edits, so a session must not move.
static_assert(!std::is_copy_constructible_v<Session> && !std::is_move_constructible_v<Session>);
static_assert(!std::is_copy_assignable_v<Session> && !std::is_move_assignable_v<Session>);

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

Config gru() { return recipe_with("reverse", "gru-attention", "embedding=16 hidden=16 attention_size=16 length=5"); }

// A model that draws random numbers in every step.
Config transformer() {
  return recipe_with("reverse", "transformer", "model_size=16 feed_forward=16 length=5 dropout=0.3");
}

// A sample of a session's calls, in steps that another session's can interleave with.
using Step = bool (*)(Session& session, const Config& config);
constexpr Step steps[] = {
    [](Session& session, const Config& config) { return session.load(config).ok; },
    [](Session& session, const Config&) { return session.read("abc", "cba").ok; },
    [](Session& session, const Config&) { return session.edit("source_embedding.weight", 70, 0.5f).ok; },
    [](Session& session, const Config&) { return session.train(3).ok; },
    [](Session& session, const Config&) { return session.evaluate("test", 40, 0).ok; },
    [](Session& session, const Config&) { return session.evaluate_more().ok; },
};

// Everything visible of the session afterwards, and what it generates.
struct Seen {
  SessionState state;
  Tokens written;
  bool operator==(const Seen&) const = default;
};

Seen look(Session& session) { return {state_of(session), session.generate("abcde", {}).value.tokens}; }

Seen alone(const Config& config) {
  Session session;
  for (const Step step : steps) REQUIRE(step(session, config));
  return look(session);
}

constexpr std::size_t megabyte = 1 << 20;

}  // namespace

TEST_CASE("a trace, an undo or a run that is refused half-way is refused again, and changes nothing") {
  Hidden session;
  const SessionState before = state_of(session);
  REQUIRE(session.read("abc", "cba").ok);
  for (int look = 0; look < 3; ++look) CHECK(session.trace().message() == Hidden::sentence);
  CHECK(session.values(0).message() == Hidden::sentence);
  REQUIRE(session.read("abcd", "dcba").ok);
  CHECK(state_of(session) == before);
  CHECK(session.undo_edit(Hidden::hiding, 0).message() == Hidden::sentence);
  CHECK(state_of(session) == before);
  CHECK(session.run({{"source", {1, 3}, {4, 5, 6}}}).message() == Hidden::sentence);
  CHECK(state_of(session) == before);
  REQUIRE(session.undo_edit("source", 2).ok);
  CHECK(session.undo_edit(Hidden::hiding, 0).ok);
}

TEST_CASE("a checkpoint is restored, or nothing changes, whether or not the trace can run") {
  Hidden session;
  REQUIRE(session.read("abc", "cba").ok);
  REQUIRE(session.restore(session.saved).ok);
  CHECK(session.save().value == session.saved);
  CHECK(session.trace().message() == Hidden::sentence);
}

TEST_CASE("training that diverges after some steps is undone completely") {
  const std::vector<double> huge(12, 1e6);
  Ran session({{"X", huge}, {"target", huge}, {"learning_rate", 10.0}, {"clip_norm", 1e6}});
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
      const int index = std::string(name).size() > 4 ? 0 : static_cast<int>(target);
      const GradientCheck check = value_of(session.check_gradient(name, index));
      INFO(name, ": ", check.analytic, " and ", check.numeric);
      CHECK(check.difference <= 1e-3 * std::max(std::abs(check.analytic), 1e-4));
    }
  }
}

TEST_CASE("no gradient check at −∞, no edit of a constant") {
  Ran session(with(four_words(), "mask=causal"));
  REQUIRE(session.edit("attention/e", 0, -INFINITY).ok);
  CHECK(session.check_gradient("attention/e", 0).message() ==
        "attention/e[0, 0] is −∞, which has no neighbours: choose a finite value.");
  for (const TracedNode& node : nodes_of(session))
    if (std::string_view(node.op.name) == "constant")
      CHECK(session.edit(node.name, 0, 1).message() ==
            "\"" + node.name + "\" is a constant: edit an input, a parameter or a step instead.");
}

TEST_CASE("two sessions side by side compute what each computes alone") {
  const Seen first = alone(gru()), second = alone(transformer());
  Session a, b;
  for (const Step step : steps) {
    REQUIRE(step(a, gru()));
    REQUIRE(step(b, transformer()));
  }
  CHECK(look(a) == first);
  CHECK(look(b) == second);
}

TEST_CASE("deleting a session, or refusing one of its calls, changes nothing in another") {
  Ran session(four_words());
  const SessionState before = state_of(session);
  {
    Ran other(softmax_lesson());
    CHECK_FALSE(other.load({{"kind", "guess"}}).ok);
    CHECK_FALSE(other.run({{"e", {17}, std::vector<float>(17, 1)}}).ok);
  }
  CHECK(state_of(session) == before);
  REQUIRE(session.run({}).ok);
  CHECK(state_of(session) == before);
}

TEST_CASE("a session called while something else records neither records there nor drops with it") {
  const Seen expected = alone(transformer());
  LiveTape outer(Tape::Detail::trace);
  const DropoutStep dropping(1, 1);
  CHECK(alone(transformer()) == expected);
  CHECK(outer.nodes().empty());
}

TEST_CASE("after a large model, a small one does not keep its memory") {
  pool_trim();
  const std::size_t elsewhere = pool_stats().in_use;
  Session session;
  REQUIRE(session.load(recipe("reverse", "gru-attention")).ok);
  REQUIRE(session.train(2).ok);
  CHECK(pool_stats().reserved > elsewhere + 8 * megabyte);
  REQUIRE(session.load(softmax_lesson()).ok);
  REQUIRE(session.run({}).ok);
  CHECK(pool_stats().reserved < elsewhere + megabyte);
}
