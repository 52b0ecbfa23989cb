// The models of the lessons as the page sees them: trace, edits, gradient checks, and the update that a training step
// would make.
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/settings.h"
#include "tests/engine/support/sources.h"

namespace {

Config aimed_words() {
  return with(four_words(), {{"target", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}}});
}

// ‖backward − differences‖ / the larger of both, over the finite values of a node.
double gradient_error(Session& session, const TracedNode& node) {
  double distance = 0, analytic = 0, numeric = 0;
  const std::vector<float> values = session.values(node.id).value;
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    if (!std::isfinite(values[static_cast<std::size_t>(i)])) continue;
    const GradientCheck check = value_of(session.check_gradient(node.name, i));
    distance += check.difference * check.difference;
    analytic += check.analytic * check.analytic;
    numeric += check.numeric * check.numeric;
  }
  return std::sqrt(distance) / std::max({std::sqrt(analytic), std::sqrt(numeric), 1e-4});
}

void check_all_gradients(const Config& config) {
  Ran session(config);
  int checked = 0;
  for (const TracedNode& node : nodes_of(session)) {
    if (node.phase == Phase::backward || !node.gradient) continue;
    CAPTURE(node.name);
    CHECK(gradient_error(session, node) < 1e-3);
    ++checked;
  }
  CHECK(checked >= 5);
}

// The new values at the end of the trace.
std::map<Text, std::vector<float>> updated(Session& session) {
  std::map<Text, std::vector<float>> found;
  for (const TracedNode& node : nodes_of(session))
    if (node.phase == Phase::update && node.role == Role::parameter && node.name.starts_with("update/"))
      found[node.name.substr(Text("update/").size())] = session.values(node.id).value;
  return found;
}

void expect_to_come_true(Session& session) {
  const std::map<Text, std::vector<float>> expected = updated(session);
  REQUIRE(session.train(1).ok);
  CHECK_FALSE(expected.empty());
  for (const auto& each : expected) CHECK_MESSAGE(values_of(session, each.first) == each.second, each.first);
}

}  // namespace

TEST_CASE("four words: the trace has the lesson's names, places and roles") {
  Ran session(four_words());
  for (const char* name : {"attention/Q", "attention/K", "attention/V", "attention/c"})
    CHECK(node_of(session, name).role == Role::state);
  CHECK(node_of(session, "attention/e").role == Role::score);
  CHECK(node_of(session, "attention/α").role == Role::weight);
  CHECK(node_of(session, "X").role == Role::input);
  CHECK(node_of(session, "W_Q").role == Role::parameter);
  CHECK(std::string_view(node_of(session, "attention/Q").where.file) == "engine/models/attention_model.cpp");
  CHECK(std::string_view(node_of(session, "attention/c").op.name) == "matmul");
  CHECK(node_of(session, "L").value.shape().rank() == 0);
  const TracedNode alpha = node_of(session, "attention/α"), slope = node_of(session, "∂attention/α");
  CHECK(slope.gradient_of == alpha.id);
  CHECK(slope.role == Role::gradient);
  CHECK(slope.value.shape() == alpha.value.shape());
}

TEST_CASE("the scope of a score function is at the model's line") {
  const auto line_of_score = [](const Config& config) -> Text {
    Ran session(config);
    for (const ScopeRecord& scope : session.tape().scopes())
      if (scope.path == "attention.scaled_dot_score") return source_line(scope.where.file, scope.where.line);
    return "there is no such scope";
  };
  CHECK(line_of_score(four_words()).find("= score(Q, K)") != Text::npos);
  CHECK(line_of_score({{"kind", "attention_layer"}}).find("Tensor e = score_(") != Text::npos);
}

TEST_CASE("run gives the twelve results and counts its steps") {
  Loaded session(four_words());
  const RunInfo run = value_of(session.run({}));
  const std::vector<float> output = session.values(run.output).value;
  for (std::size_t i = 0; i < 12; ++i) CHECK(std::abs(output[i] - four_words_output[i]) < 1e-7);
  CHECK(run.forward > 10);
  CHECK(run.backward > run.forward);
}

TEST_CASE("gradients agree with finite differences on every forward node of the lessons") {
  check_all_gradients(softmax_lesson());
  check_all_gradients(with(softmax_lesson(), "temperature=2.5"));
  check_all_gradients(aimed_words());
  check_all_gradients(with(aimed_words(), "mask=causal"));
  for (const char* score : {"additive", "cosine", "biased_general"})
    check_all_gradients(with(aimed_words(), {{"score", score}}));
}

TEST_CASE("gradients agree with finite differences beside and at edited values") {
  Ran session(aimed_words());
  REQUIRE(session.edit("attention/e", 2, 1.5f).ok);
  REQUIRE(session.edit("attention/α", 4, 0.5f).ok);
  REQUIRE(session.edit("W_K", 0, -1).ok);
  for (const char* name : {"X", "W_Q", "W_K", "attention/K", "attention/e", "attention.softmax/exp", "attention/α"})
    CHECK_MESSAGE(gradient_error(session, node_of(session, name)) < 1e-3, name);
}

TEST_CASE("an edit of an input, parameter, score, weight or mask takes effect; undoing it restores the bits") {
  Ran session(aimed_words());
  const SessionState before = state_of(session);
  for (const char* name : {"X", "W_V", "attention/e", "attention/α", "mask", "attention.softmax/exp", "attention/c"}) {
    CAPTURE(name);
    value_of(session.edit(name, 1, -0.75f));
    CHECK(values_of(session, name)[1] == -0.75f);
    CHECK_FALSE(state_of(session) == before);
    CHECK(state_of(session).checkpoint == before.checkpoint);
    REQUIRE(session.undo_edit(name, 1).ok);
    CHECK(state_of(session) == before);
  }
}

TEST_CASE("edits persist while inputs change and training goes on, and training ignores them") {
  Ran session(aimed_words()), plain(aimed_words());
  REQUIRE(session.edit("W_V", 0, 9).ok);
  REQUIRE(session.train(3).ok);
  REQUIRE(plain.train(3).ok);
  CHECK(session.save().value == plain.save().value);
  CHECK(values_of(session, "W_V")[0] == 9);
  REQUIRE(session.undo_edit("W_V", 0).ok);
  CHECK(state_of(session) == state_of(plain));
}

TEST_CASE("an edit waits while the inputs have no place for it") {
  const Config config{{"kind", "recurrent"}, {"size", 2.0}, {"positions", 4.0}};
  const auto give = [](Session& session, int positions) {
    const std::vector<float> X(2 * static_cast<std::size_t>(positions), 0.5f);
    REQUIRE(session.run({{"X", {positions, 2}, X}}).ok);
  };
  Ran session(config), plain(config);
  give(session, 4);
  REQUIRE(session.edit("cell.0.t3/h", 1, 0.25f).ok);
  const SessionState edited = state_of(session);
  give(session, 3), give(plain, 3);
  CHECK(state_of(session) == state_of(plain));
  give(session, 4);
  CHECK(state_of(session) == edited);
}

TEST_CASE("another model has none of the edits, and refuses an edit of a tensor that it lacks") {
  const Config gru = settings("kind=recurrent cell=gru"), rnn = with(gru, "cell=rnn");
  Ran session(gru), plain(rnn);
  REQUIRE(session.edit("cell.0.t3/z", 1, 0.5f).ok);
  REQUIRE(session.load(rnn).ok);
  CHECK(session.edit("cell.0.t3/z", 1, 0.5f).message() == "There is no trace yet: call run first.");
  REQUIRE(session.run({}).ok);
  CHECK(session.edit("cell.0.t3/z", 1, 0.5f).message() ==
        "name is \"cell.0.t3/z\", which this model does not compute: choose a name of the trace it has now.");
  CHECK(state_of(session) == state_of(plain));
}

TEST_CASE("save and restore reproduce a run") {
  Ran session(aimed_words());
  REQUIRE(session.train(5).ok);
  const std::vector<std::uint8_t> bytes = session.save().value;
  const SessionState at_five = state_of(session);
  REQUIRE(session.train(5).ok);
  CHECK_FALSE(state_of(session) == at_five);
  CHECK(session.restore(bytes).value.steps == 5);
  CHECK(state_of(session) == at_five);
  CHECK(session.train(1).value.step == 6);
}

// The end of a traced run: the update that a training step would make.

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
  for (const TracedNode& node : nodes_of(session)) {
    counted += node.phase == Phase::update;
    ended = ended || node.phase == Phase::update;
    CHECK_FALSE((ended && node.phase != Phase::update && node.phase != Phase::leaf));
    if (node.phase == Phase::update) CHECK_FALSE(node.gradient);
  }
  CHECK(run.update == counted);
  CHECK(counted == 2 + 9 * 3);
  CHECK(nodes_of(session).back().name == "update/W_V");
  CHECK(session.tape().scopes().back().phase == Phase::update);
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
