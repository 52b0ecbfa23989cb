// Sessions in one module: each computes as if it were alone, and a model's memory is freed for the next.
#include "engine/nn/layers/dropout.h"
#include "engine/tensor/pool.h"
#include "engine/train/recipes.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/session_state.h"

// The tape holds the address of the session's edits, so a session must not move.
static_assert(!std::is_copy_constructible_v<Session> && !std::is_move_constructible_v<Session>);
static_assert(!std::is_copy_assignable_v<Session> && !std::is_move_assignable_v<Session>);

namespace {

Config small_recipe(const char* model, std::initializer_list<const char*> sizes) {
  Config config = recipe("reverse", model);
  for (const char* name : sizes) config.set(name, 16.0);
  config.set("length", 5.0);
  return config;
}

Config gru() { return small_recipe("gru-attention", {"embedding", "hidden", "attention_size"}); }

// A model that draws random numbers in every step.
Config transformer() {
  Config config = small_recipe("transformer", {"model_size", "feed_forward"});
  config.set("dropout", 0.3);
  return config;
}

// A sample of a session's calls, in steps that another session's can interleave with.
constexpr int steps = 6;
bool take_step(Session& session, int step, const Config& config) {
  switch (step) {
    case 0:
      return session.load(config).ok;
    case 1:
      return session.read("abc", "cba").ok;
    case 2:
      return session.edit("source_embedding.weight", 70, 0.5f).ok;
    case 3:
      return session.train(3).ok;
    case 4:
      return session.evaluate("test", 40, 0).ok;
    default:
      return session.evaluate_more().ok;
  }
}

// Everything visible of the session afterwards, and what it generates.
struct Seen {
  SessionState state;
  Tokens written;
  bool operator==(const Seen&) const = default;
};

Seen look(Session& session) { return {state_of(session), session.generate("abcde", {}).value.tokens}; }

Seen alone(const Config& config) {
  Session session;
  for (int step = 0; step < steps; ++step) REQUIRE(take_step(session, step, config));
  return look(session);
}

constexpr std::size_t megabyte = 1 << 20;

}  // namespace

TEST_CASE("two sessions side by side compute what each computes alone") {
  const Seen first = alone(gru()), second = alone(transformer());
  Session a, b;
  for (int step = 0; step < steps; ++step) {
    REQUIRE(take_step(a, step, gru()));
    REQUIRE(take_step(b, step, transformer()));
  }
  CHECK(look(a) == first);
  CHECK(look(b) == second);
}

TEST_CASE("deleting a session, or refusing one of its calls, changes nothing in another") {
  Ran session(four_words());
  const SessionState before = state_of(session);
  {
    Ran other(softmax_lesson());
    CHECK_FALSE(other.load({{"kind", Text("guess")}}).ok);
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
