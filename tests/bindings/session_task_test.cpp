// Sessions with a task: pairs of sequences, the lab's stories, and a learner's own text.
#include "engine/kernels/functions.h"
#include "engine/train/evaluate.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/task_run.h"

namespace {

Config small_recipe(const char* model) {
  return recipe_with("reverse", model, "embedding=16 hidden=16 attention_size=16 length=5");
}

Config small_stories() { return recipe_with("stories", "lm", "model_size=16 feed_forward=16 layers=1"); }

Config own_text(const char* kind) {
  Text text;
  for (int i = 0; i < 40; ++i) text += "the cat sat on the mat and the dog sat on the cat ";
  return {{"kind", kind}, {"text", text}, {"tokens", "words"}, {"batch", 8.0}};
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
  CHECK(node_of(session, "attention/α").value.shape() == Shape{1, 4, 3});  // c b a <eos> attend to a b c

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

TEST_CASE("training on batches keeps the learner's pair, and without a target the model's own output is read") {
  Loaded session(small_recipe("gru"));
  session.read("abcde", "edcba");
  REQUIRE(session.train(2).ok);
  CHECK(node_of(session, "source").value.shape() == Shape{1, 5});
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
    const PairInfo read = value_of(session.read("abc", ""));
    if (padding != written.end()) CHECK(read.target == Tokens(written.begin(), padding));
  }
  CHECK(with_padding > 0);
}

TEST_CASE("a model with a short table of positions can be evaluated and generate before it has learnt to end") {
  Loaded session(recipe_with("reverse", "transformer", "model_size=16 feed_forward=16 positions=learned longest=12"));
  REQUIRE(session.train(1).ok);
  evaluated(session, "validation", 50);
  for (const char* method : {"greedy", "beam", "sample"}) {
    const GenerationInfo written = value_of(session.generate("abcdefghij", Config{{"method", method}}));
    CHECK(written.log_probabilities.size() <= 12);
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

// Language models through the session.

TEST_CASE("a session learns stories, continues prompts, and knows the best possible perplexity") {
  Loaded session(small_stories());
  const TaskInfo task = session.task().value;
  CHECK(task.form == "texts");
  CHECK(task.true_perplexity > 1);
  CHECK(task.source_words == task.target_words);
  const PairInfo story = session.pairs("test", 0, 1).value.at(0);
  CHECK(story.source.empty());
  CHECK(story.target.back() == ".");

  REQUIRE(session.train(2).ok);
  const PairInfo given = session.read("one day", "tom found a red ball .").value;
  CHECK(given.source == Tokens{"one", "day"});
  CHECK(given.target.size() == 6);
  CHECK(node_of(session, "decoder.0.attention/α").value.shape() == Shape{1, 4, 9, 9});  // <bos> and eight words
  CHECK(session.read("one day", "").ok);
  CHECK(session.read("", "").ok);
}

TEST_CASE("what is written comes with the target of its source where the task has a rule for it") {
  Loaded letters(recipe_with("reverse", "gru", "embedding=4 hidden=4"));
  for (const char* method : {"method=greedy", "method=sample", "method=beam"})
    CHECK(letters.generate("abcdefgh", settings(method)).value.target ==
          Tokens{"h", "g", "f", "e", "d", "c", "b", "a"});
  CHECK(Loaded(small_stories()).generate("one day", {}).value.target.empty());
}

TEST_CASE("with writing=beam an evaluation counts what beam search writes; the perplexity is that of any decoding") {
  constexpr int limit = 60;
  const Config model = with(small_recipe("gru-attention"), "length=4");
  Loaded greedy(model), beam(with(model, {{"writing", "beam"}, {"writing_width", 6.0}}));
  Bleu written;
  int exact = 0;
  for (Loaded* session : {&greedy, &beam}) REQUIRE(session->train(90).ok);
  const int all = beam.task().value.test;
  for (int i = 0; i < limit; ++i) {
    const PairInfo pair = beam.pairs("test", i * all / limit, 1).value.at(0);
    const GenerationInfo info = value_of(greedy.generate(join(pair.source, ""), settings("method=beam width=6")));
    exact += info.tokens == pair.target;
    written.add(info.tokens, pair.target);
  }
  const EvaluationInfo found = evaluated(beam, "test", limit), other = evaluated(greedy, "test", limit);
  CHECK(found.exact_match * limit == doctest::Approx(exact));
  CHECK(exact > 0);
  CHECK(found.precisions.at(0) == written.precision(1));
  CHECK(found.bleu != other.bleu);
  CHECK(found.perplexity == other.perplexity);
}

TEST_CASE("generation continues a text after its prompt, as far as there is room") {
  Loaded session(small_stories());
  const GenerationInfo some = session.generate("one day tom", settings("max_length=5")).value;
  CHECK(some.source.size() == 3);
  CHECK(some.tokens.size() <= 5);
  CHECK(session.generate("", {}).ok);
  CHECK(session.generate("", settings("method=beam width=3 max_length=4")).ok);
  Text prompt = "one";
  for (int i = 1; i < 63; ++i) prompt += " day";
  const GenerationInfo last = session.generate(prompt, settings("method=sample")).value;
  CHECK(last.log_probabilities.size() == 1);
  CHECK(session.read(prompt, "").value.target.empty());
  CHECK(REFUSED(session, "E_INPUT", generate(prompt + " day", {})) == "The text has 64 words: use at most 63.");
  CHECK(REFUSED(session, "E_INPUT", read("one day", prompt)) == "The target has 63 tokens: use at most 61.");
}

TEST_CASE("a prompt leaves less room in a short table of positions") {
  Loaded session(with(own_text("transformer_lm"), "positions=learned longest=12"));
  CHECK(session.generate("the dog", {}).value.log_probabilities.size() <= 10);
  CHECK(session.read("the dog", "").value.target.size() <= 10);
  CHECK(REFUSED(session, "E_INPUT", read("the dog", "a a a a a a a a a a a")) ==
        "The target has 11 tokens: use at most 10.");
  const Text full = "the dog the dog the dog the dog the dog the", over = full + " dog";
  CHECK(session.generate(full, {}).value.log_probabilities.size() == 1);
  CHECK(REFUSED(session, "E_SHAPE", generate(over, {})) ==
        "source is (1, 12): use 1 to 256 prompts of 0 to 11 token ids each.");
  CHECK(session.read(over, "").ok);  // reading alone needs no room after it
  CHECK(REFUSED(session, "E_SHAPE", read(over + " the", ""))
            .starts_with("longest is 12, and target_in has 13 positions"));
}

TEST_CASE("texts are evaluated by perplexity, without exact matches") {
  Loaded session(small_stories());
  const EvaluationInfo found = evaluated(session, "test", 70);
  CHECK(found.pairs == 70);
  CHECK(found.perplexity > session.task().value.true_perplexity);
  CHECK(std::isnan(found.exact_match));
  CHECK(std::isnan(found.bleu));
  CHECK(found.precisions.empty());
  CHECK(found.by_length.empty());
}

TEST_CASE("both kinds of language model learn own text") {
  for (const char* kind : {"transformer_lm", "language_model"}) {
    CAPTURE(kind);
    Loaded session(own_text(kind));
    const TaskInfo task = session.task().value;
    CHECK(task.form == "windows");
    CHECK(std::isnan(task.true_perplexity));
    const double before = evaluated(session, "test", 0).perplexity;
    REQUIRE(session.train(60).ok);
    CHECK(evaluated(session, "test", 0).perplexity < 0.5 * before);
    const GenerationInfo written = session.generate("the dog", settings("max_length=3")).value;
    CHECK(written.tokens == Tokens{"sat", "on", "the"});
    CHECK(session.read("the dog", "").ok);
    CHECK(session.read("", "").ok);
  }
}

TEST_CASE("sources are for models that read them, and texts for language models") {
  Loaded session(own_text("transformer_lm"));
  const auto refused_load = [&](const char* code, const Config& config) {
    return REFUSED(session, code, load(config));
  };
  const Config reverse = recipe_with("reverse", "gru", "kind=transformer_lm");
  const Config stories = with(small_stories(), "kind=seq2seq");
  CHECK(refused_load("E_CONFIG", reverse).find("has sources, and a language model reads none") != Text::npos);
  CHECK(refused_load("E_CONFIG", stories).find("is texts to go on with") != Text::npos);
  CHECK(refused_load("E_CONFIG", with(own_text("transformer_lm"), "task=stories")) ==
        "task is \"stories\", but what is to be learnt is given as text: leave out task, or text.");
  CHECK(refused_load("E_CONFIG", with(own_text("transformer_lm"), {{"pairs", "a\tb"}})) ==
        "pairs and text are both given, and a model learns one of them: leave out pairs or text.");
  CHECK(refused_load("E_INPUT", {{"kind", "transformer_lm"}, {"text", "x"}})
            .find("The text has 1 characters: use at least 100.") != Text::npos);
}

TEST_CASE("every window that the lab cuts from a text can be read, whatever its ends") {
  Text prose;
  for (int i = 0; i < 50; ++i) prose += "It rained, and the " + std::to_string(i * 7919) + " ducks were glad.\n";
  for (const char* tokens : {"characters", "words"}) {
    Loaded session({{"kind", "transformer_lm"}, {"text", prose}, {"tokens", tokens}});
    const Text between = session.task().value.separator;
    for (const char* split : {"train", "validation", "test"})
      for (const PairInfo& window : session.pairs(split, 0, 1000).value)
        CHECK(value_of(session.read("", join(window.target, between))).target == window.target);
  }
}
