// The end of a traced run: the update that a training step would make.
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/settings.h"

namespace {

// The new values at the end of the trace.
std::map<Text, std::vector<float>> updated(Session& session) {
  std::map<Text, std::vector<float>> found;
  for (const TraceNode& node : session.trace().value.nodes)
    if (node.phase == "update" && node.role == "parameter" && node.name.starts_with("update/"))
      found[node.name.substr(Text("update/").size())] = session.values(node.id).value;
  return found;
}

void expect_to_come_true(Session& session) {
  const std::map<Text, std::vector<float>> expected = updated(session);
  REQUIRE(session.train(1).ok);
  CHECK_FALSE(expected.empty());
  for (const auto& each : expected)
    CHECK_MESSAGE(session.values(node_of(session, each.first).id).value == each.second, each.first);
}

}  // namespace

TEST_CASE("the trace's new values are those of train(1)") {
  const Config gru = {{"kind", "seq2seq"}, {"embedding", 4.0}, {"hidden", 5.0}};
  for (const Config& model : {four_words(), gru, Config{{"kind", "recurrent"}, {"cell", "lstm"}}})
    for (const char* kind : {"sgd", "nesterov", "adam", "adamw", "rmsprop", "adagrad"}) {
      CAPTURE(kind);
      Ran session(with(model, {{"optimiser", kind}, {"learning_rate", 0.05}}));
      for (int step = 0; step < 3; ++step) expect_to_come_true(session);
    }
}

TEST_CASE("the trace's new values are those of train(1) after restoring a checkpoint, with a changing rate") {
  const Config config = with(four_words(), "optimiser=adam schedule=cosine steps=20");
  Session before, after;
  REQUIRE(before.load(config).ok);
  REQUIRE(before.train(7).ok);
  REQUIRE(after.load(config).ok);
  REQUIRE(after.restore(before.save().value).ok);
  CHECK(updated(after) == updated(before));
  expect_to_come_true(after);
}

TEST_CASE("the run counts the update, which ends the trace; tracing changes neither weights nor optimiser") {
  Loaded session(with(four_words(), "optimiser=adam"));
  const std::vector<std::uint8_t> untouched = session.save().value;
  const RunInfo run = session.run({}).value;
  CHECK(session.save().value == untouched);
  int counted = 0;
  bool ended = false;
  for (const TraceNode& node : session.trace().value.nodes) {
    counted += node.phase == "update";
    ended = ended || node.phase == "update";
    CHECK_FALSE((ended && node.phase != "update" && node.phase != "leaf"));
    if (node.phase == "update") CHECK(node.gradient == -1);
  }
  CHECK(run.update == counted);
  CHECK(counted == 2 + 9 * 3);
  CHECK(session.trace().value.nodes.back().name == "update/W_V");
  CHECK(session.trace().value.scopes.back().phase == "update");
}

TEST_CASE("with edits the update follows the edited run") {
  Ran session(four_words());
  const auto plain = updated(session);
  REQUIRE(session.edit("W_V", 0, 3).ok);
  CHECK(updated(session).at("W_V")[0] > 2);
  REQUIRE(session.undo_edit("W_V", 0).ok);
  CHECK(updated(session) == plain);
}

TEST_CASE("a value of the update cannot be edited or checked") {
  Ran session(with(four_words(), "optimiser=adam"));
  const SessionState before = state_of(session);
  for (const Text name : {"update/W_V", "update.W_V/m", "update.W_V/m before", "update/clip"}) {
    const Text sentence = "\"" + name + "\" belongs to the update: edit a value of the forward pass instead.";
    CHECK(session.edit(name, 0, 1).message() == sentence);
    CHECK(session.check_gradient(name, 0).message() == sentence);
  }
  CHECK(state_of(session) == before);
}
