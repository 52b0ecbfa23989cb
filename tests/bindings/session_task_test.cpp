#include "engine/kernels/functions.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/task_run.h"

namespace {

Config small_recipe(const char* model) {
  return recipe_with("reverse", model, "embedding=16 hidden=16 attention_size=16 length=5");
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
  CHECK(node_of(session, "attention/α").shape == std::vector<int>{1, 4, 3});  // c b a <eos> attend to a b c

  const GenerationInfo written = session.generate("abc", settings("method=beam width=3")).value;
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

  CHECK(session.evaluate("validation", 100, 0).value.done == 0);
  const EvaluationInfo found = evaluated(session, "validation", 100);
  CHECK(found.pairs == 100);
  CHECK((found.exact_match >= 0 && found.exact_match <= 1));
}

TEST_CASE("probabilities are the exponentials of the trace's logarithms, and a row of them sums to 1") {
  Loaded session(small_recipe("gru"));
  REQUIRE(session.read("abc", "cba").ok);
  const int log_p = node_of(session, "cross_entropy/log p").id, logits = node_of(session, "decoder.t0/logits").id;
  const std::vector<float> p = session.probabilities(log_p).value, values = session.values(log_p).value;
  const std::size_t V = session.task().value.target_words.size();
  REQUIRE(p.size() == 4 * V);
  for (std::size_t i = 0; i < p.size(); ++i) CHECK(p[i] == kernels::exp(values[i]));
  for (std::size_t row = 0; row < p.size(); row += V) {
    double sum = 0;
    for (std::size_t i = row; i < row + V; ++i) sum += static_cast<double>(p[i]);
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
  }
  const std::string message = session.probabilities(logits).message();
  CAPTURE(message);
  CHECK(message.starts_with("decoder.t0/logits[0, "));
  CHECK(message.ends_with(", and no logarithm of a probability is above 0: choose a tensor such as \"log p\"."));
}

TEST_CASE("training on batches keeps the learner's pair") {
  Loaded session(small_recipe("gru"));
  session.read("abcde", "edcba");
  REQUIRE(session.train(2).ok);
  CHECK(node_of(session, "source").shape == std::vector<int>{1, 5});
}

TEST_CASE("without a target a pair is read with the model's own output") {
  Loaded session(small_recipe("gru"));
  const PairInfo pair = session.read("abc", "").value;
  CHECK(pair.target == session.generate("abc", Config()).value.tokens);
}

TEST_CASE("an untrained model may write <pad>, and its own output is still a target") {
  int with_padding = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    Loaded session(with(small_recipe("gru-attention"), {{"seed", double(seed)}}));
    const Tokens written = session.generate("abc", {}).value.tokens;
    const auto padding = std::ranges::find(written, "<pad>");
    with_padding += padding != written.end();
    const Reply<PairInfo> read = session.read("abc", "");
    REQUIRE_MESSAGE(read.ok, read.message());
    if (padding != written.end()) CHECK(read.value.target == Tokens(written.begin(), padding));
  }
  CHECK(with_padding > 0);
}

TEST_CASE("a model with a short table of positions can be evaluated and generate before it has learnt to end") {
  Loaded session(recipe_with("reverse", "transformer", "model_size=16 feed_forward=16 positions=learned longest=12"));
  REQUIRE(session.train(1).ok);
  evaluated(session, "validation", 50);
  for (const char* method : {"greedy", "beam", "sample"}) {
    const Reply<GenerationInfo> written = session.generate("abcdefghij", Config{{"method", method}});
    REQUIRE_MESSAGE(written.ok, written.message());
    CHECK(written.value.log_probabilities.size() <= 12);
  }
  CHECK(session.read("abc", "").ok);
  CHECK(session.read("abc", "abcdefghijab").message() == "The target has 12 tokens: use at most 11.");
}

TEST_CASE("the settings say how a learner's own pairs are read") {
  Session session;
  Config config{{"kind", "seq2seq"}, {"pairs", "go on\tva\nhi\tya\nyes\tva\nno\tya\nso\tva\n"}};
  const auto loaded = [&](const char* tokens) {
    config.set("tokens", tokens);
    return session.load(config);
  };
  REQUIRE(loaded("characters").ok);
  CHECK(session.task().value.separator.empty());
  REQUIRE(loaded("words").ok);
  CHECK(session.task().value.separator == " ");
  CHECK(session.task().value.test == 1);
  CHECK(loaded("letters").failure.code == "E_CONFIG");
}

TEST_CASE("a learner's own pairs are a task") {
  Session session;
  Config config{{"kind", "seq2seq"}, {"pairs", "ab\tba\ncd\tdc\nef\tfe\n"}};
  REQUIRE(session.load(config).ok);
  const TaskInfo task = session.task().value;
  CHECK(task.train + task.validation + task.test == 3);
  CHECK(session.train(1).value.examples == task.train);
  config.set("pairs", "ab\tba\ncd dc\n");
  const Reply<ModelInfo> refused = session.load(config);
  CHECK(refused.failure.code == "E_INPUT");
  CHECK(refused.message() == "Line 2 has no tab: write source, tab, target.");
  CHECK(session.task().value.train == task.train);  // what was loaded stays
}
