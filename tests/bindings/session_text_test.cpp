// Language models through the session: the lab's stories, and a learner's own text.
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/task_run.h"

namespace {

Config small_stories() { return recipe_with("stories", "lm", "model_size=16 feed_forward=16 layers=1"); }

Config own_text(const char* kind) {
  Text text;
  for (int i = 0; i < 40; ++i) text += "the cat sat on the mat and the dog sat on the cat ";
  return {{"kind", kind}, {"text", text}, {"tokens", "words"}, {"batch", 8.0}};
}

}  // namespace

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
  CHECK(node_of(session, "decoder.0.attention/α").shape == std::vector<int>{1, 4, 9, 9});  // <bos> and eight words
  CHECK(session.read("one day", "").ok);
  CHECK(session.read("", "").ok);
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
    Config config = {{"kind", "transformer_lm"}, {"text", prose}, {"tokens", tokens}};
    Loaded session(config);
    const Text between = session.task().value.separator;
    for (const char* split : {"train", "validation", "test"})
      for (const PairInfo& window : session.pairs(split, 0, 1000).value) {
        const Reply<PairInfo> read = session.read("", join(window.target, between));
        CHECK(read.message() == "");
        CHECK(read.value.target == window.target);
      }
  }
}
