// What a trace shows of writing: it is what `generate` does, to the bit, and nothing else changes.
#include "engine/kernels/functions.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/task_run.h"

namespace {

const char* const small = "embedding=16 hidden=16 attention_size=16 length=5";

// A model that has learnt a little, and so writes words of several lengths, and has read a pair.
struct Writer : Ran {
  explicit Writer(const Config& writing) : Ran(with(recipe_with("reverse", "gru-attention", small), writing)) {
    REQUIRE(train(40).ok);
    REQUIRE(read("abcd", "").ok);
    REQUIRE(run({}).ok);
  }
  std::string word(const std::string& name) {
    return task().value.target_words.at(static_cast<std::size_t>(values_of(*this, name)[0]));
  }
};

std::string at(std::size_t position, const char* tensor) { return "writing.t" + std::to_string(position) + tensor; }

Tokens with_end(const GenerationInfo& written) {
  Tokens tokens = written.tokens;
  if (written.ended) tokens.push_back("<eos>");
  return tokens;
}

std::vector<float> floats_of(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("the tokens and log-probabilities of a traced draw are those of the same draw without a trace") {
  std::set<Tokens> all;
  for (const double draw : {1, 2, 3, 4, 5}) {
    Writer session({{"writing", "sample"},
                    {"writing_temperature", 1.4},
                    {"writing_top_k", 6.0},
                    {"writing_top_p", 0.95},
                    {"writing_draw", draw}});
    const GenerationInfo written = value_of(session.generate(
        "abcd", with(settings("method=sample temperature=1.4 top_k=6 top_p=0.95 max_length=16"), {{"seed", draw}})));
    const Tokens tokens = with_end(written);
    REQUIRE(tokens.size() == written.log_probabilities.size());
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      CHECK(session.word(at(t, "/token")) == tokens[t]);
      CHECK(values_of(session, at(t, "/token_log_p"))[0] == static_cast<float>(written.log_probabilities[t]));
    }
    CHECK(session.tape().find(at(tokens.size(), "/token")) == -1);
    all.insert(tokens);
  }
  CHECK(all.size() > 2);
}

TEST_CASE("the traced beam is the tree of the same search without a trace") {
  Writer session({{"writing", "beam"}, {"writing_width", 3.0}});
  const GenerationInfo written =
      value_of(session.generate("abcd", {{"method", "beam"}, {"width", 3.0}, {"max_length", 16.0}}));
  std::vector<std::size_t> depth(written.tree.size());
  std::vector<std::vector<double>> scores;
  for (std::size_t i = 1; i < written.tree.size(); ++i) {
    depth[i] = depth[static_cast<std::size_t>(written.tree[i].parent)] + 1;
    if (depth[i] > scores.size()) scores.emplace_back();
    scores[depth[i] - 1].push_back(written.tree[i].score);
  }
  REQUIRE(scores.size() > 2);
  for (std::size_t t = 0; t < scores.size(); ++t) CHECK(values_of(session, at(t, "/score")) == floats_of(scores[t]));
  CHECK(session.tape().find(at(scores.size(), "/score")) == -1);
}

TEST_CASE("greedy writing is traced for every form of task, from the prompt of a text on") {
  for (const auto& [task, model, prompt] : {std::tuple{"reverse", "gru", "abcd"}, {"stories", "lm", "the"}}) {
    const char* sizes = Text(model) == "lm" ? "model_size=16 feed_forward=16 layers=1" : small;
    Ran session(with(recipe_with(task, model, sizes), {{"writing", "greedy"}}));
    REQUIRE(session.train(5).ok);
    REQUIRE(session.read(prompt, "").ok);
    const GenerationInfo written = value_of(session.generate(prompt, {{"max_length", 16.0}}));
    for (std::size_t t = 0; t < written.log_probabilities.size(); ++t)
      CHECK(values_of(session, at(t, "/token_log_p"))[0] == static_cast<float>(written.log_probabilities[t]));
  }
}

TEST_CASE("a traced writing changes neither the rest of the run nor what the model learns") {
  Writer traced({{"writing", "sample"}, {"writing_temperature", 2.0}}), without({});
  CHECK(traced.save().value == without.save().value);
  std::size_t compared = 0;
  for (const TracedNode& node : nodes_of(without)) {
    const int same = traced.tape().find(node.name);
    REQUIRE(same >= 0);
    CHECK(traced.values(same).value == without.values(node.id).value);
    ++compared;
  }
  CHECK(nodes_of(traced).size() > compared + 20);
}

TEST_CASE("another random number, given by hand, draws another token, and what is written after it follows") {
  Writer session({{"writing", "sample"}});
  const std::vector<float> cumulative = values_of(session, at(0, ".draw/cumulative"));
  std::set<std::string> drawn;
  for (const float u : {0.001f, 0.3f, 0.6f, 0.999f}) {
    REQUIRE(session.edit(at(0, ".draw/u"), 0, u).ok);
    const auto first = std::ranges::find_if(cumulative, [&](float sum) { return sum > u * cumulative.back(); });
    CHECK(values_of(session, at(0, "/token"))[0] == static_cast<float>(first - cumulative.begin()));
    drawn.insert(session.word(at(0, "/token")));
  }
  CHECK(drawn.size() > 1);
}

TEST_CASE("a model writes with edited parameters as a trace shows it, without other edits, and keeps neither") {
  Writer session({{"writing", "greedy"}});
  const auto write = [&] { return value_of(session.generate("abcd", {{"max_length", 16.0}})); };
  const std::vector<std::uint8_t> saved = session.save().value;
  const GenerationInfo before = write();
  REQUIRE(session.edit("decoder.t0/logits", 5, 50).ok);
  CHECK(write().tokens == before.tokens);
  REQUIRE(session.edit("out.bias", 2, -50).ok);
  const GenerationInfo endless = write();
  CHECK(!endless.ended);
  CHECK(endless.tokens.size() == 16);
  CHECK(values_of(session, at(15, "/token_log_p"))[0] == static_cast<float>(endless.log_probabilities.at(15)));
  CHECK(session.save().value == saved);
  REQUIRE(session.undo_edit("out.bias", 2).ok);
  CHECK(write().log_probabilities == before.log_probabilities);
}

TEST_CASE("what somebody intervenes in is so while a traced model writes, too") {
  Writer session({{"writing", "greedy"}});
  const auto log_probability = [&] { return values_of(session, at(1, "/token_log_p"))[0]; };
  const float before = log_probability();
  REQUIRE(session.set_interventions({{"zero", "encoder/h", false, "", ""}}).ok);
  const GenerationInfo written = value_of(session.generate("abcd", {{"max_length", 16.0}}));
  CHECK(log_probability() == static_cast<float>(written.log_probabilities.at(1)));
  CHECK(log_probability() != before);
}

TEST_CASE("a run of one pair has the loss of the next training step on it, coins of scheduled sampling included") {
  for (const char* forcing : {"forcing=0.5", "forcing=0", "forcing=1"}) {
    const Config pairs{{"kind", "seq2seq"}, {"pairs", "abcde\tedcba\nabcdf\tfdcba\n"}};
    Ran session(with(with(pairs, forcing), "steps=4 hidden=8 batch=1"));
    for (int step = 0; step < 8; ++step) {
      std::set<double> losses;  // the step takes one of the pairs
      for (const auto& [source, target] : {std::pair{"abcde", "edcba"}, {"abcdf", "fdcba"}}) {
        REQUIRE(session.read(source, target).ok);
        losses.insert(value_of(session.run({})).loss);
        CHECK((session.tape().find("decoder.t1.coin/u") >= 0) == (Text(forcing) != "forcing=1" && step > 0));
      }
      CHECK(losses.size() == 2);
      CHECK(losses.contains(value_of(session.train(1)).loss));
    }
    CHECK(value_of(session.check_gradient("decoder.0.U", 0)).difference < 1e-2);
  }
}

TEST_CASE("measures are traced of the pair on the bench: BLEU of what is written, alignment of the known links") {
  Ran session(with(recipe_with("translate-en-fr", "gru-attention", "embedding=16 hidden=16 attention_size=16"),
                   {{"writing_measure", "bleu"}}));
  REQUIRE(session.train(30).ok);
  const PairInfo pair = session.pairs("test", 0, 1).value.at(0);
  const auto text = [](const Tokens& tokens) {
    Text joined;
    for (const Text& token : tokens) joined += (joined.empty() ? "" : " ") + token;
    return joined;
  };
  REQUIRE(session.read(text(pair.source), text(pair.target)).ok);
  REQUIRE(session.run({}).ok);
  const double longest = 2.0 * static_cast<double>(pair.source.size()) + 8;
  const Tokens written = session.generate(text(pair.source), {{"max_length", longest}}).value.tokens;
  CHECK(values_of(session, "bleu/output").size() == written.size());
  CHECK(values_of(session, "bleu/reference").size() == pair.target.size());
  CHECK(session.tape().find("alignment_error/rate") == -1);

  Ran measured(with(recipe_with("translate-en-fr", "gru-attention", "embedding=16 hidden=16 attention_size=16"),
                    {{"writing_measure", "alignment"}}));
  REQUIRE(measured.train(30).ok);
  REQUIRE(measured.read(text(pair.source), text(pair.target)).ok);
  REQUIRE(measured.run({}).ok);
  const std::vector<float> gold = values_of(measured, "alignment_error/gold");
  CHECK(std::ranges::count(gold, 1.0f) == static_cast<int>(pair.alignment.size()) / 2);
  CHECK(gold.size() == pair.source.size() * pair.target.size());
}

TEST_CASE("settings of writing are refused like those of generating, with the field and its range") {
  Session session;
  const auto refused = [&](const Config& writing) {
    return session.load(with(recipe_with("reverse", "gru", small), writing)).message();
  };
  CHECK(refused({{"writing", "aloud"}}).starts_with("writing is \"aloud\""));
  CHECK(refused({{"writing", "sample"}, {"writing_top_p", 1.5}}).starts_with("writing_top_p is 1.5"));
  CHECK(refused({{"writing", "sample"}, {"writing_draw", 0.0}}).starts_with("writing_draw is 0"));
  CHECK(refused({{"writing", "beam"}, {"writing_width", 65.0}}).starts_with("writing_width is 65"));
}
