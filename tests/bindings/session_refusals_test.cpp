// A refused call says in one sentence what to change and leaves the session unchanged, with a task and without; and
// nothing throws across the boundary.
#include <new>
#include <set>
#include <stdexcept>

#include "bindings/reply.h"
#include "engine/train/recipes.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/settings.h"

namespace {

struct Trained : Ran {
  Trained() : Ran(four_words()) {
    REQUIRE(train(2).ok);
    REQUIRE(edit("attention/e", 3, 0.5f).ok);
  }
};

std::vector<float> ones(std::size_t n) { return std::vector<float>(n, 1); }

// With a task.

Config small(const char* task, const char* model) {
  const Config config = recipe(task, model);
  return with(config, config.has("model_size") ? "model_size=16 feed_forward=16" : "hidden=16 embedding=16");
}

struct Learner : Ran {
  explicit Learner(const Config& config) : Ran(config) { REQUIRE(train(1).ok); }

  std::string refused_load(const Config& config) { return REFUSED(*this, "E_CONFIG", load(config)); }
  std::string refused_load(Config config, const char* field, const Config::Value& value) {
    config.set(field, value);
    return refused_load(config);
  }
  std::string refused_write(const char* field, const Config::Value& value) {
    return refused(*this, "E_CONFIG", [&] { return generate("abc", Config{{field, value}}); });
  }
};

// The reply to a call that throws this.
template <typename Thrown>
Reply<int> reply_to(Thrown thrown) {
  const Reply<int> reply = attempt("train", [&]() -> int { throw thrown; });
  CHECK_FALSE(reply.ok);
  CHECK(reply.detail == "train");
  return reply;
}

// The reply to zeros and empty texts and lists.
template <typename Call, typename T, typename... A>
Reply<T> called_with_nothing(Session& session, Call call, Signature<T, A...>) {
  return ask(session, call, A{}...);
}

}  // namespace

TEST_CASE("before a model is loaded every call that needs one says so") {
  const std::set<Text> without_model = {"load", "estimate", "recipe"};
  Session session;
  const auto check = [&](const Text& name, auto call, auto...) {
    if (without_model.contains(name)) return;
    CAPTURE(name);
    const auto reply = called_with_nothing(session, call, signature_of(call));
    CHECK_FALSE(reply.ok);
    CHECK(reply.failure.code == "E_INPUT");
    CHECK(reply.detail == name);
    CHECK(reply.message() == "No model is loaded: call load first.");
  };
  describe_session(check);
  describe_matrices(check);
}

TEST_CASE("load") {
  Trained session;
  CHECK(REFUSED(session, "E_CONFIG", load({{"kind", "guess"}})) ==
        "kind is \"guess\": use one of \"attention\", \"attention_layer\", \"captioner\", \"language_model\", "
        "\"lookup\", \"program\", \"program_lm\", \"program_seq2seq\", \"recurrent\", \"seq2seq\", \"softmax\", "
        "\"transformer\", \"transformer_lm\", \"unigram\".");
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
  const std::string last = std::to_string(nodes_of(session).size() - 1);
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

// Refusals of a session with a task: one sentence, and nothing changes.

TEST_CASE("without a task there is nothing to read, write or evaluate") {
  Session session;
  CHECK(session.task().failure.code == "E_INPUT");
  const Config wrong{{"kind", "attention"}, {"task", "reverse"}};
  CHECK(session.load(wrong).failure.code == "E_CONFIG");
}

TEST_CASE("reading, pairs and evaluation") {
  Learner session(small("reverse", "gru"));
  CHECK(REFUSED(session, "E_INPUT", read("", "")) == "The text is empty: write 1 to 63 characters.");
  CHECK(REFUSED(session, "E_INPUT", read("abc", Text(70, 'a'))) == "The target has 70 tokens: use at most 63.");
  CHECK(REFUSED(session, "E_INPUT", pairs("exam", 0, 1)) ==
        "split is \"exam\": use \"train\", \"validation\" or \"test\".");
  CHECK(REFUSED(session, "E_INPUT", pairs("test", -1, 1)).starts_with("start is -1: use 0 to "));
  CHECK(REFUSED(session, "E_INPUT", evaluate("test", -1, 0)) == "limit is -1: use 0 (all pairs) to 100000.");
  CHECK(REFUSED(session, "E_INPUT", evaluate_more()) == "Nothing is being evaluated: call evaluate first.");
  CHECK(REFUSED(session, "E_CONFIG", generation_cost(3)) ==
        "This kind of model has no KV cache to count: use \"transformer_lm\".");
}

TEST_CASE("a refused call to evaluate does not disturb the evaluation in progress") {
  Learner session(small("reverse", "gru"));
  REQUIRE(session.evaluate("test", 10, 0).ok);
  CHECK(session.evaluate("exam", 10, 0).failure.code == "E_INPUT");
  CHECK(session.evaluate_more().value.done == 10);
}

TEST_CASE("decoding options") {
  Learner session(small("reverse", "gru"));
  const Text temperature = "use a number, 0.001 to 100, or method \"greedy\" for the likeliest token.";
  for (const double value : {0.0, -1.0, double{NAN}})
    CHECK(session.refused_write("temperature", value) == "temperature is " + text_of(value) + ": " + temperature);
  const Text top_k = "use a whole number, 1 to 32768, or leave it out for all tokens.";
  for (const double value : {0.0, -1.0, 1.5, double{NAN}})
    CHECK(session.refused_write("top_k", value) == "top_k is " + text_of(value) + ": " + top_k);
  CHECK(session.refused_write("top_p", 0.0) == "top_p is 0: use a number, 1e-06 to 1.");
  CHECK(session.refused_write("width", 0.0) == "width is 0: use a whole number, 1 to 64.");
  CHECK(session.refused_write("max_length", 65.0) == "max_length is 65: use a whole number, 1 to 64.");
  CHECK(session.refused_write("method", "guess") ==
        "method is \"guess\": use one of \"greedy\", \"beam\", \"sample\".");
  const GenerationInfo all = session.generate("abc", Config{{"method", "sample"}}).value;
  CHECK(all.tokens == session.generate("abc", Config{{"method", "sample"}, {"top_k", 32768.0}}).value.tokens);
}

TEST_CASE("settings of every model that learns a task") {
  const struct {
    const char *task, *model, *size, *most;
  } kinds[] = {{"reverse", "gru-attention", "hidden", "512"},
               {"reverse", "transformer", "model_size", "768"},
               {"stories", "lm", "model_size", "768"},
               {"captions", "captioner", "hidden", "512"}};
  for (const auto& kind : kinds) {
    CAPTURE(kind.model);
    const Config config = small(kind.task, kind.model);
    Learner session(config);
    const Text size = kind.size, range = Text("use a whole number, 1 to ") + kind.most + ".";
    for (const double value : {0.0, 2.5, double{NAN}})
      CHECK(session.refused_load(config, kind.size, value) == size + " is " + text_of(value) + ": " + range);
    CHECK(session.refused_load(config, kind.size, Text("many")) == size + " is \"many\": " + range);
    CHECK(session.refused_load(config, kind.size, 1e5)
              .ends_with(Text(" MB for the parameters alone: use 1 to ") + kind.most + "."));
    CHECK(session.refused_load(config, "learning_rate", 1e30) == "learning_rate is 1e+30: use a number, 1e-06 to 10.");
    CHECK(session.refused_load(config, "learning_rate", 0.0) == "learning_rate is 0: use a number, 1e-06 to 10.");
    CHECK(session.refused_load(config, "batch", 1e6) == "batch is 1000000: use a whole number, 1 to 256.");
    CHECK(session.refused_load(config, "seed", 0.5) == "seed is 0.5: use a whole number, 0 to 4294967295.");
  }
}

TEST_CASE("a captioner reads scenes of sixteen cells") {
  Learner session(small("captions", "captioner"));
  const Text fifteen = "red-square . . . . . . . . . . . . . .";
  const Text sentence =
      "source is (1, 15): a scene has 16 cells, 4 rows of 4, so give each row of source 16 tokens, \".\" for an empty "
      "cell.";
  CHECK(REFUSED(session, "E_SHAPE", read(fifteen, "")) == sentence);
  CHECK(REFUSED(session, "E_SHAPE", generate(fifteen, {})) == sentence);
}

TEST_CASE("a model's size is available before it is loaded, whatever is loaded now") {
  Session session;
  const Config config = small("reverse", "gru-attention");
  const SizeInfo size = session.estimate(config).value;
  REQUIRE(session.load(config).ok);
  double parameters = 0;
  for (const TensorInfo& parameter : session.load(config).value.parameters) {
    double each = 1;
    for (const int n : parameter.shape) each *= n;
    parameters += each;
  }
  CHECK(size.parameters == parameters);
  CHECK(size.step_bytes > 4 * parameters);
  CHECK(session.estimate(with(config, "batch=256")).value.step_bytes > 2 * size.step_bytes);
  const Config maximum = with(config, "batch=256 hidden=1e5");
  CHECK(REFUSED(session, "E_CONFIG", estimate(maximum)).ends_with(" MB for the parameters alone: use 1 to 512."));
}

// Nothing throws across the boundary: any failure of a call becomes a code with a sentence.

TEST_CASE("the result of a call is its reply's value") {
  const Reply<int> reply = attempt("train", [] { return 7; });
  CHECK(reply.ok);
  CHECK(reply.value == 7);
}

TEST_CASE("an error of the engine keeps its code, its sentence and its place") {
  const Reply<int> reply =
      reply_to(Error(ErrorCode::shape, phrase("input_shape_differs", std::string("X"), Shape{3}, Shape{4}), {2, 5}));
  CHECK(reply.failure.code == "E_SHAPE");
  CHECK(reply.message() == "line 2, column 5: X is (3): this model takes (4).");
  CHECK(reply.failure.message.id == Text("input_shape_differs"));
  CHECK(reply.failure.message.arguments == R"(["X",{"shape":[3]},{"shape":[4]}])");
  CHECK(reply.failure.place.line == 2);
}

TEST_CASE("running out of memory has a code of its own, and anything else thrown is an internal error") {
  const auto expect_reply = [](const Reply<int>& reply, const char* code, const char* sentence) {
    CHECK(reply.failure.code == code);
    CHECK(reply.message() == sentence);
  };
  expect_reply(reply_to(std::bad_alloc()), "E_OOM", "There is not enough memory: use smaller sizes.");
  expect_reply(reply_to(std::out_of_range("vector::at")), "E_INTERNAL",
               "The engine stopped at a mistake of its own: vector::at.");
  expect_reply(reply_to(7), "E_INTERNAL", "The engine stopped for a reason that it does not know.");
}
