// Refusals of a session with a task: one sentence, and nothing changes.
#include "engine/train/recipes.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/settings.h"

namespace {

Config small(const char* task, const char* model) {
  const Config config = recipe(task, model);
  return with(config, config.has("model_size") ? "model_size=16 feed_forward=16" : "hidden=16 embedding=16");
}

struct Learner : Session {
  explicit Learner(const Config& config) {
    REQUIRE(load(config).ok);
    REQUIRE(run({}).ok);
    REQUIRE(train(1).ok);
  }

  std::string refused_load(const Config& config) { return REFUSED(*this, "E_CONFIG", load(config)); }
  std::string refused_load(Config config, const char* field, const Config::Value& value) {
    config.set(field, value);
    return refused_load(config);
  }
  std::string refused_write(const char* field, const Config::Value& value) {
    return refused(*this, "E_CONFIG", [&] { return generate("abc", Config{{field, value}}); });
  }
};

}  // namespace

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
  CHECK(session.refused_write("temperature", 0.0) == "temperature is 0: " + temperature);
  CHECK(session.refused_write("temperature", -1.0) == "temperature is -1: " + temperature);
  CHECK(session.refused_write("temperature", NAN) == "temperature is NaN: " + temperature);
  const Text top_k = "use a whole number, 1 to 32768, or leave it out for all tokens.";
  CHECK(session.refused_write("top_k", 0.0) == "top_k is 0: " + top_k);
  CHECK(session.refused_write("top_k", -1.0) == "top_k is -1: " + top_k);
  CHECK(session.refused_write("top_k", 1.5) == "top_k is 1.5: " + top_k);
  CHECK(session.refused_write("top_k", NAN) == "top_k is NaN: " + top_k);
  CHECK(session.refused_write("top_p", 0.0) == "top_p is 0: use a number, 1e-06 to 1.");
  CHECK(session.refused_write("width", 0.0) == "width is 0: use a whole number, 1 to 64.");
  CHECK(session.refused_write("max_length", 65.0) == "max_length is 65: use a whole number, 1 to 64.");
  CHECK(session.refused_write("method", "guess") ==
        "method is \"guess\": use one of \"greedy\", \"beam\", \"sample\".");
  const GenerationInfo all = session.generate("abc", Config{{"method", "sample"}}).value;
  CHECK(all.tokens == session.generate("abc", Config{{"method", "sample"}, {"top_k", 32768.0}}).value.tokens);
}

TEST_CASE("settings of every model that learns a task") {
  struct Kind {
    const char *task, *model, *size, *most;
  };
  for (const Kind& kind :
       {Kind{"reverse", "gru-attention", "hidden", "512"}, Kind{"reverse", "transformer", "model_size", "768"},
        Kind{"stories", "lm", "model_size", "768"}, Kind{"captions", "captioner", "hidden", "512"}}) {
    CAPTURE(kind.model);
    const Config config = small(kind.task, kind.model);
    Learner session(config);
    const Text size = kind.size, range = Text("use a whole number, 1 to ") + kind.most + ".";
    CHECK(session.refused_load(config, kind.size, 0.0) == size + " is 0: " + range);
    CHECK(session.refused_load(config, kind.size, 2.5) == size + " is 2.5: " + range);
    CHECK(session.refused_load(config, kind.size, NAN) == size + " is NaN: " + range);
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
