#include "engine/kernels/functions.h"
#include "engine/train/recipes.h"
#include "tests/engine/support/session_state.h"

namespace {

Config small_recipe(const char* model) {
  Config config = recipe("reverse", model);
  for (const char* name : {"embedding", "hidden", "attention_size"}) config.set(name, 16.0);
  config.set("length", 5.0);
  return config;
}

}  // namespace

TEST_CASE("a session with a task trains, shows a pair, writes and evaluates") {
  Loaded session(small_recipe("gru-attention"));

  const TaskInfo task = session.task().value;
  CHECK(task.name == "reverse");
  CHECK(task.source_words.size() == 14);  // four special tokens and a to j
  CHECK(session.pairs("test", 0, 3).value.size() == 3);
  CHECK(session.pairs("test", task.test, 3).value.empty());

  const TrainInfo trained = session.train(3).value;
  CHECK(trained.step == 3);
  CHECK(trained.examples == 3 * 64);
  CHECK(trained.tokens > trained.examples);

  const PairInfo pair = session.read("abc", "cba").value;
  CHECK(pair.source == std::vector<std::string>{"a", "b", "c"});
  CHECK(pair.target == std::vector<std::string>{"c", "b", "a"});
  bool seen = false;
  for (const TraceNode& node : session.trace().value.nodes)
    if (node.name == "attention/α") {
      seen = true;
      CHECK(node.shape == std::vector<int>{1, 4, 3});  // c b a <eos> attend to a b c
    }
  CHECK(seen);

  Config beam;
  beam.set("method", Text("beam"));
  beam.set("width", 3.0);
  const GenerationInfo written = session.generate("abc", beam).value;
  CHECK(written.best > 0);
  CHECK(written.tree.at(static_cast<std::size_t>(written.best)).state == "finished");
  for (const TreeNode& node : written.tree) {
    CHECK(node.probability == static_cast<double>(kernels::exp(static_cast<Scalar>(node.log_probability))));
    CHECK(node.sequence_probability == static_cast<double>(kernels::exp(static_cast<Scalar>(node.score))));
  }
  CHECK(written.tree.at(static_cast<std::size_t>(written.best)).sequence_probability ==
        doctest::Approx(written.probability).epsilon(1e-6));
  CHECK(written.weights.size() == written.log_probabilities.size() * 3);
  REQUIRE(written.probabilities.size() == written.log_probabilities.size());
  double product = 1;
  for (std::size_t i = 0; i < written.probabilities.size(); ++i) {
    CHECK(written.probabilities[i] == kernels::exp(static_cast<Scalar>(written.log_probabilities[i])));
    product *= static_cast<double>(written.probabilities[i]);
  }
  CHECK(written.probability == doctest::Approx(product).epsilon(1e-5));

  EvaluationInfo found = session.evaluate("validation", 100, 0).value;
  CHECK(found.done == 0);
  while (found.done < found.pairs) found = session.evaluate_more().value;
  CHECK(found.pairs == 100);
  CHECK((found.exact_match >= 0 && found.exact_match <= 1));
}

TEST_CASE("probabilities are the exponentials of the trace's logarithms, and a row of them sums to 1") {
  Loaded session(small_recipe("gru"));
  REQUIRE(session.read("abc", "cba").ok);
  int log_p = -1, logits = -1;
  for (const TraceNode& node : session.trace().value.nodes) {
    if (node.name == "cross_entropy/log p") log_p = node.id;
    if (node.name == "decoder.t0/logits") logits = node.id;
  }
  const std::vector<float> p = session.probabilities(log_p).value, values = session.values(log_p).value;
  const std::size_t V = session.task().value.target_words.size();
  REQUIRE(p.size() == 4 * V);
  for (std::size_t i = 0; i < p.size(); ++i) CHECK(p[i] == kernels::exp(values[i]));
  for (std::size_t row = 0; row < p.size(); row += V) {
    double sum = 0;
    for (std::size_t i = row; i < row + V; ++i) sum += static_cast<double>(p[i]);
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  }
  const std::string message = session.probabilities(logits).message;
  CAPTURE(message);
  CHECK(message.starts_with("decoder.t0/logits[0, "));
  CHECK(message.ends_with(", and no logarithm of a probability is above 0: choose a tensor such as \"log p\"."));
}

TEST_CASE("training on batches keeps the learner's pair") {
  Loaded session(small_recipe("gru"));
  session.read("abcde", "edcba");
  REQUIRE(session.train(2).ok);
  for (const TraceNode& node : session.trace().value.nodes)
    if (node.name == "source") CHECK(node.shape == std::vector<int>{1, 5});
}

TEST_CASE("without a target a pair is read with the model's own output") {
  Loaded session(small_recipe("gru"));
  const PairInfo pair = session.read("abc", "").value;
  CHECK(pair.target == session.generate("abc", Config()).value.tokens);
}

TEST_CASE("an untrained model may write <pad>, and its own output is still a target") {
  int with_padding = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    Config config = small_recipe("gru-attention");
    config.set("seed", static_cast<double>(seed));
    Loaded session(config);
    const Tokens written = session.generate("abc", {}).value.tokens;
    const auto padding = std::ranges::find(written, "<pad>");
    with_padding += padding != written.end();
    const Reply<PairInfo> read = session.read("abc", "");
    REQUIRE_MESSAGE(read.ok, read.message);
    if (padding != written.end()) CHECK(read.value.target == Tokens(written.begin(), padding));
  }
  CHECK(with_padding > 0);
}

TEST_CASE("a model with a short table of positions can be evaluated and generate before it has learnt to end") {
  Config config = recipe("reverse", "transformer");
  for (const char* name : {"model_size", "feed_forward"}) config.set(name, 16.0);
  config.set("positions", Text("learned"));
  config.set("longest", 12.0);
  Loaded session(config);
  REQUIRE(session.train(1).ok);
  EvaluationInfo found = session.evaluate("validation", 50, 0).value;
  while (found.done < found.pairs) {
    const Reply<EvaluationInfo> more = session.evaluate_more();
    REQUIRE_MESSAGE(more.ok, more.message);
    found = more.value;
  }
  for (const char* method : {"greedy", "beam", "sample"}) {
    const Reply<GenerationInfo> written = session.generate("abcdefghij", Config{{"method", std::string(method)}});
    REQUIRE_MESSAGE(written.ok, written.message);
    CHECK(written.value.log_probabilities.size() <= 12);
  }
  CHECK(session.read("abc", "").ok);
  CHECK(session.read("abc", "abcdefghijab").message == "The target has 12 tokens: use at most 11.");
}

TEST_CASE("a refused call to evaluate leaves a running evaluation intact") {
  Loaded session(small_recipe("gru"));
  REQUIRE(session.evaluate("test", 10, 0).ok);
  CHECK(session.evaluate("exam", 10, 0).code == "E_INPUT");
  CHECK(session.evaluate_more().value.done == 10);
}

TEST_CASE("the settings say how a learner's own pairs are read") {
  Session session;
  Config config{{"kind", Text("seq2seq")}, {"pairs", Text("go on\tva\nhi\tya\nyes\tva\nno\tya\nso\tva\n")}};
  const auto loaded = [&](const char* tokens) {
    config.set("tokens", Text(tokens));
    return session.load(config);
  };
  REQUIRE(loaded("characters").ok);
  CHECK(session.task().value.separator.empty());
  REQUIRE(loaded("words").ok);
  CHECK(session.task().value.separator == " ");
  CHECK(session.task().value.test == 1);
  CHECK(loaded("letters").code == "E_CONFIG");
}

TEST_CASE("a learner's own pairs are a task") {
  Session session;
  Config config{{"kind", Text("seq2seq")}, {"pairs", Text("ab\tba\ncd\tdc\nef\tfe\n")}};
  REQUIRE(session.load(config).ok);
  const TaskInfo task = session.task().value;
  CHECK(task.train + task.validation + task.test == 3);
  CHECK(session.train(1).value.examples == task.train);
  config.set("pairs", Text("ab\tba\ncd dc\n"));
  const Reply<ModelInfo> refused = session.load(config);
  CHECK(refused.code == "E_INPUT");
  CHECK(refused.message == "Line 2 has no tab: write source, tab, target.");
  CHECK(session.task().value.train == task.train);  // what was loaded stays
}
