// Sessions in one module: each computes as if it were alone, and a model's memory is freed for the next.
#include "engine/nn/layers/position_wise.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/task_run.h"

// The tape holds the address of the session's edits, so a session must not move.
static_assert(!std::is_copy_constructible_v<Session> && !std::is_move_constructible_v<Session>);
static_assert(!std::is_copy_assignable_v<Session> && !std::is_move_assignable_v<Session>);

namespace {

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
