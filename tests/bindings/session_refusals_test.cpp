// A refused call says what to change and leaves the session unchanged.
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/session_state.h"

namespace {

struct Trained : Session {
  Trained() {
    REQUIRE(load(four_words()).ok);
    REQUIRE(run({}).ok);
    REQUIRE(train(2).ok);
    REQUIRE(edit("attention/e", 3, 0.5f).ok);
  }
};

std::vector<float> ones(std::size_t n) { return std::vector<float>(n, 1); }

}  // namespace

TEST_CASE("before a model is loaded every call except load says so") {
  Session session;
  const auto check = [](const auto& reply) {
    CHECK_FALSE(reply.ok);
    CHECK(reply.failure.code == "E_INPUT");
    CHECK(reply.message() == "No model is loaded: call load first.");
  };
  check(session.run({}));
  check(session.trace());
  check(session.values(0));
  check(session.probabilities(0));
  check(session.gradients(0));
  check(session.edit("X", 0, 1));
  check(session.undo_edit("X", 0));
  check(session.check_gradient("X", 0));
  check(session.train(1));
  check(session.save());
  check(session.restore({}));
}

TEST_CASE("load") {
  Trained session;
  CHECK(REFUSED(session, "E_CONFIG", load({{"kind", "guess"}})) ==
        "kind is \"guess\": use one of \"attention\", \"attention_layer\", \"captioner\", \"language_model\", "
        "\"program\", \"program_lm\", \"program_seq2seq\", \"recurrent\", \"seq2seq\", \"softmax\", \"transformer\", "
        "\"transformer_lm\".");
  CHECK(REFUSED(session, "E_CONFIG", load({{"words", 0.0}})) == "words is 0: use a whole number, 1 to 16.");
  REFUSED(session, "E_CONFIG", load({{"no_such_field", 1.0}}));
  REFUSED(session, "E_CONFIG", load({{"X", std::vector<double>(12, NAN)}}));
  REFUSED(session, "E_CONFIG", load({{"score", "dot"}, {"key_size", 17.0}}));
}

TEST_CASE("run: also if only the last of several inputs is refused") {
  Trained session;
  const NamedTensor good{"X", {2, 3}, ones(6)};
  CHECK(REFUSED(session, "E_INPUT", run({good, {"Y", {1}, ones(1)}})) ==
        "\"Y\" is not an input of this model: use one of X, mask, target.");
  CHECK(REFUSED(session, "E_SHAPE", run({good, {"mask", {4, 4}, ones(16)}})) ==
        "mask is (4, 4): this model takes (2, 2).");
  CHECK(REFUSED(session, "E_SHAPE", run({{"X", {4, 3}, ones(11)}})) ==
        "A tensor of shape (4, 3) has 12 values, not 11.");
  CHECK(REFUSED(session, "E_SHAPE", run({{"X", {-4, 3}, {}}})) == "A size is 0 or more, not -4.");
  CHECK(REFUSED(session, "E_SHAPE", run({{"X", {0, 3}, {}}})) == "X is (0, 3): use 1 to 16 words of 3 numbers each.");
  REFUSED(session, "E_SHAPE", run({{"X", {65536, 65536}, {}}}));
  REFUSED(session, "E_SHAPE", run({{"X", {1, 1, 1, 4, 3}, ones(12)}}));
  std::vector<float> values = ones(12);
  values[7] = NAN;
  CHECK(REFUSED(session, "E_INPUT", run({{"X", {4, 3}, values}})) ==
        "X[2, 1] is NaN: use a number from −1000000 to 1000000.");
}

TEST_CASE("values and gradients") {
  Trained session;
  const std::string last = std::to_string(session.trace().value.nodes.size() - 1);
  for (int id : {-1, 100000})
    CHECK(REFUSED(session, "E_INPUT", values(id)) ==
          "id is " + std::to_string(id) + ": this trace has nodes 0 to " + last + ".");
  CHECK(REFUSED(session, "E_INPUT", gradients(node_of(session, "mask").id)) ==
        "No gradient reaches mask: choose a tensor that the loss depends on.");
}

TEST_CASE("edits") {
  Trained session;
  CHECK(REFUSED(session, "E_INPUT", edit("attention/β", 0, 1)) ==
        "name is \"attention/β\", which this model does not compute: choose a name of the trace it has now.");
  CHECK(REFUSED(session, "E_INPUT", edit("∂attention/α", 0, 1)) ==
        "\"∂attention/α\" is a gradient: edit a value of the forward pass instead.");
  for (int index : {-1, 16})
    CHECK(REFUSED(session, "E_INPUT", edit("attention/α", index, 1)) ==
          "index is " + std::to_string(index) + ": attention/α is (4, 4), so use 0 to 15.");
  for (float value : {NAN, INFINITY, 2e6f, -2e6f})
    CHECK(REFUSED(session, "E_INPUT", edit("attention/α", 0, value)).starts_with("attention/α[0, 0] is "));
  CHECK(REFUSED(session, "E_INPUT", undo_edit("attention/e", 4)) == "attention/e[1, 0] has no edit to undo.");
  REFUSED(session, "E_INPUT", undo_edit("X", 0));
}

TEST_CASE("gradient checks") {
  Trained session;
  CHECK(REFUSED(session, "E_INPUT", check_gradient("mask", 0)) ==
        "No gradient reaches mask: choose a tensor that the loss depends on.");
  REFUSED(session, "E_INPUT", check_gradient("attention/e", 16));
  REFUSED(session, "E_INPUT", check_gradient("", 0));
}

TEST_CASE("training") {
  Trained session;
  for (int steps : {0, -5, 100001})
    CHECK(REFUSED(session, "E_INPUT", train(steps)) == "steps is " + std::to_string(steps) + ": use 1 to 100000.");
  Loaded softmax(softmax_lesson());
  CHECK(softmax.train(1).failure.code == "E_CONFIG");
}

TEST_CASE("restoring") {
  Trained session;
  std::vector<std::uint8_t> bytes = session.save().value;
  bytes.pop_back();
  CHECK(REFUSED(session, "E_FORMAT", restore(bytes)).find("cut off") != std::string::npos);
  REFUSED(session, "E_FORMAT", restore({}));
  REFUSED(session, "E_FORMAT", restore(std::vector<std::uint8_t>(1000, 255)));
}
