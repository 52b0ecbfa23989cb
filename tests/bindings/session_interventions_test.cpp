// Interventions give the bits of a model in which the same was done by hand.
#include "engine/io/checkpoint.h"
#include "engine/ops/interventions.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/small_models.h"

namespace {

using Infos = std::vector<InterventionInfo>;

InterventionInfo made(const char* kind, const char* tensor, const char* source = "", const char* target = "") {
  return {kind, tensor, false, source, target};
}

Config program(const std::string& lines) {
  return {{"kind", "program"},
          {"program", "def f(Q=randn(4, 3), K=randn(5, 3), V=randn(5, 2)):\n" + lines + "    return c * c\n"}};
}

constexpr const char* attention_lines =
    "    e = Q @ K.T\n"
    "    a = softmax(e, dim=-1)\n"
    "    c = a @ V\n";

// What the run makes of its inputs and parameters: the output, the loss and each gradient, by name.
using Effects = std::map<std::string, std::vector<float>>;

Effects effects_of(Session& session, const RunInfo& run) {
  Effects effects{{"L", {static_cast<float>(run.loss)}}, {"output", value_of(session.values(run.output))}};
  for (const TracedNode& node : nodes_of(session))
    if (node.phase == Phase::leaf && node.named && node.gradient)
      effects["∂" + node.name] = value_of(session.gradients(node.id));
  return effects;
}

Effects intervened(Session& session, const Infos& list) {
  return effects_of(session, value_of(session.set_interventions(list)));
}

Effects of(const Config& config, const Infos& list) {
  Ran session(config);
  return intervened(session, list);
}

// Equal as numbers, bit for bit, but for the sign of a zero: 0 · x has one, and a value that was set to 0 has not.
void check_equal(const Effects& a, const Effects& b) {
  REQUIRE(a.size() == b.size());
  for (const auto& [name, values] : a) {
    CAPTURE(name);
    REQUIRE(b.contains(name));
    CHECK(values == b.at(name));
  }
}

// Where a gradient is stopped there is one of 0; where a program detaches there is none.
Effects without_zeros(Effects effects) {
  std::erase_if(effects, [](const auto& effect) {
    return effect.first.starts_with("∂") && std::ranges::all_of(effect.second, [](float x) { return x == 0; });
  });
  return effects;
}

// All values of the tensors, each replaced by an edit.
std::vector<ValueEdit> all_edits(Session& session, const char* pattern, float value) {
  std::vector<ValueEdit> edits;
  for (const TracedNode& node : nodes_of(session))
    for (int i = 0; node.named && node.phase != Phase::backward && target_of(pattern).matches(node.name) &&
                    i < static_cast<int>(node.value.size());
         ++i)
      edits.push_back({node.name, i, value});
  REQUIRE(!edits.empty());
  return edits;
}

// Zeros in a parameter, by edits: the cells for which `chosen` holds of row and column.
std::vector<ValueEdit> zeros_in(Session& session, const char* name, const std::function<bool(int, int)>& chosen) {
  std::vector<ValueEdit> edits;
  const TracedNode node = node_of(session, name);
  const Shape& shape = node.value.shape();
  const int columns = shape[-1];
  for (int i = 0; i < static_cast<int>(shape.size()); ++i)
    if (chosen(i / columns, i % columns)) edits.push_back({name, i, 0});
  return edits;
}

Config reading(const char* attention = "bahdanau") {
  return {{"kind", "seq2seq"}, {"task", "reverse"},     {"attention", attention}, {"embedding", 5.0},
          {"hidden", 6.0},     {"attention_size", 4.0}, {"optimiser", "adam"},    {"batch", 8.0}};
}

struct Reading : Loaded {
  explicit Reading(const Config& config = reading()) : Loaded(config) {
    REQUIRE(read("abcd", "dcba").ok);
    REQUIRE(run({}).ok);
  }
};

// As much of it as a target takes beside its <eos>.
std::vector<std::string> written_by(Session& session) {
  std::vector<std::string> tokens = value_of(session.generate("abcd", {})).tokens;
  tokens.resize(std::min<std::size_t>(tokens.size(), max_generation_length - 1));
  return tokens;
}

}  // namespace

TEST_CASE("1: a silent head is a slice of W_O that is zero") {
  const Config config = {{"kind", "attention_layer"}, {"heads", 2.0}, {"output_projection", true}};
  Ran by_hand(config);
  const int half = node_of(by_hand, "W_O").value.shape()[-1] / 2;
  const auto edits = zeros_in(by_hand, "W_O", [=](int, int column) { return column < half; });
  const Effects hand = effects_of(by_hand, value_of(by_hand.set_edits(edits)));
  const Effects here = of(config, {made("zero", "attention/c[:, 0]")});
  CHECK(here.at("output") == hand.at("output"));
  CHECK(here.at("L") == hand.at("L"));
}

TEST_CASE("2: a hidden token is a padding mask; 3: a hidden link is one cell of a mask") {
  const Config config = {{"kind", "attention"}, {"seed", 3.0}};
  for (const char* target : {"attention/e[:, 2]", "attention/e[1, 2]"}) {
    CAPTURE(target);
    Ran by_hand(config);
    std::vector<ValueEdit> edits;
    for (int query = 0; query < 4; ++query)
      if (Text(target) == "attention/e[:, 2]" || query == 1) edits.push_back({"mask", 4 * query + 2, -INFINITY});
    const Effects hand = effects_of(by_hand, value_of(by_hand.set_edits(edits)));
    Effects here = of(config, {made("hidden", target)});
    here.erase("∂mask");  // of a score that counts for nothing there is no gradient; a mask adds to one
    Effects without = hand;
    without.erase("∂mask");
    check_equal(here, without);
  }
}

TEST_CASE("4: a silent context is every context set to 0") {
  Reading here, by_hand;
  const Effects hand =
      effects_of(by_hand, value_of(by_hand.set_edits(all_edits(by_hand, "decoder.t*.attention/c", 0))));
  check_equal(intervened(here, {made("zero", "decoder.t*.attention/c")}), hand);
}

TEST_CASE("5: a silent direction of the encoder is a state of 0 at each position") {
  Reading here, by_hand;
  const Effects hand =
      effects_of(by_hand, value_of(by_hand.set_edits(all_edits(by_hand, "encoder.0_reverse.t*/h", 0))));
  check_equal(intervened(here, {made("zero", "encoder.0_reverse.t*/h")}), hand);
}

TEST_CASE("6: a stopped gradient is .detach() in the program; 7: a mean is .mean() in the program") {
  check_equal(without_zeros(of(program(attention_lines), {made("detach", "a")})),
              of(program("    e = Q @ K.T\n    a = softmax(e, dim=-1).detach()\n    c = a @ V\n"), {}));
  check_equal(of(program(std::string("    U = V * 1\n    e = Q @ K.T\n    a = softmax(e, dim=-1)\n    c = a @ U\n")),
                 {made("mean", "U")}),
              of(program("    U = (V * 1).mean(dim=0, keepdim=True).expand(5, 2)\n    e = Q @ K.T\n"
                         "    a = softmax(e, dim=-1)\n    c = a @ U\n"),
                 {}));
}

TEST_CASE("8: a patched state has the values that the other run gave it") {
  Reading here, other, by_hand;
  REQUIRE(other.read("badc", "cdab").ok);
  REQUIRE(other.run({}).ok);
  const std::vector<float> h = values_of(other, "encoder/h");
  std::vector<ValueEdit> edits;
  const int size = node_of(other, "encoder/h").value.shape()[-1];
  for (int i = size; i < 2 * size; ++i) edits.push_back({"encoder/h", i, h[static_cast<std::size_t>(i)]});
  const Effects hand = effects_of(by_hand, value_of(by_hand.set_edits(edits)));
  check_equal(intervened(here, {made("from", "encoder/h[:, 1]", "badc", "cdab")}), hand);
  // a longer pair has the position, too
  CHECK(here.set_interventions({made("from", "encoder/h[:, 1]", "badcab", "bacdab")}).ok);
}

TEST_CASE("9: a block with a silent branch is the block without it") {
  const Config config = {{"kind", "transformer_lm"}, {"model_size", 12.0}, {"heads", 3.0}, {"vocabulary", 11.0}};
  Ran by_hand(config);
  std::vector<ValueEdit> edits;
  for (const char* name : {"decoder.0.feed_forward.W_2.weight", "decoder.0.feed_forward.W_2.bias"}) {
    if (std::ranges::none_of(nodes_of(by_hand), [&](const TracedNode& node) { return node.name == name; })) continue;
    for (const ValueEdit& each : zeros_in(by_hand, name, [](int, int) { return true; })) edits.push_back(each);
  }
  REQUIRE(!edits.empty());
  const Effects hand = effects_of(by_hand, value_of(by_hand.set_edits(edits)));
  const Effects here = of(config, {made("zero", "decoder.0.feed_forward/y")});
  CHECK(here.at("output") == hand.at("output"));
  CHECK(here.at("L") == hand.at("L"));
}

TEST_CASE("10: a frozen parameter is one that the optimiser is not given, through 20 training steps") {
  const Config config = with(small_seq2seqs().at("seq2seq: bahdanau"), {{"optimiser", "adam"}});
  const char* frozen = "target_embedding.weight";
  Loaded here(config);
  REQUIRE(here.run({}).ok);
  REQUIRE(here.set_interventions({made("frozen", frozen)}).ok);
  REQUIRE(here.train(20).ok);

  Config whole = config;
  const std::unique_ptr<Model> model = make_model(whole);
  const std::unique_ptr<Optimiser> adam = make_optimiser("adam", 0.1);
  std::vector<Tensor> parameters;
  for (const Parameter& each : model->parameters().all())
    if (each.name != frozen) parameters.push_back(each.value);
  for (int step = 0; step < 20; ++step) {
    Tape tape(Tape::Detail::training);
    const RecordingGuard recording(&tape);
    backward(model->loss());
    std::vector<Tensor> gradients;
    for (const Tensor& each : parameters) gradients.push_back(gradient(each));
    adam->step(parameters, gradients, clip_factor(gradient_norm(gradients), 1));
  }
  for (const Parameter& each : model->parameters().all()) {
    CAPTURE(each.name);
    CHECK(values_of(here, each.name) == floats(each.value));
  }
}

TEST_CASE("a part that is silent while the model trains gives the loss of the run, and what only it reads stays") {
  Ran session(small_seq2seqs().at("seq2seq: bahdanau"));
  InterventionInfo silent = made("zero", "decoder.t*.attention/c");
  const RunInfo run = value_of(session.set_interventions({silent}));
  CHECK(value_of(session.train(1)).loss != run.loss);  // acts in runs only
  silent.training = true;
  const std::vector<float> before = values_of(session, "attention.v");
  const RunInfo again = value_of(session.set_interventions({silent}));
  CHECK(value_of(session.train(1)).loss == again.loss);
  CHECK(values_of(session, "attention.v") == before);
  REQUIRE(session.set_interventions({}).ok);
  REQUIRE(session.train(1).ok);
  CHECK(values_of(session, "attention.v") != before);
}

TEST_CASE("removing them restores every bit; a gradient under them agrees with differences") {
  Reading session;
  const SessionState before = state_of(session);
  REQUIRE(session
              .set_interventions({made("hidden", "decoder.t*.attention/e[:,:,1]"), made("mean", "encoder/h"),
                                  made("zero", "out.bias"), made("detach", "decoder.t1/s")})
              .ok);
  CHECK(state_of(session) != before);
  REQUIRE(session.set_interventions({made("mean", "encoder/h")}).ok);
  const GradientCheck check = value_of(session.check_gradient("encoder.0.t1/h", 2));
  CHECK(check.analytic == doctest::Approx(check.numeric).epsilon(0.01).scale(0.01));
  REQUIRE(session.set_interventions({}).ok);
  CHECK(state_of(session) == before);
}

TEST_CASE("the outcome is that of the run, and of the text that is written; nothing changes") {
  Reading session;
  REQUIRE(session.train(60).ok);
  const SessionState before = state_of(session);
  const Infos silent = {made("zero", "decoder.t*.attention/c")};
  const OutcomeInfo plain = value_of(session.outcome({}, "abcd")), without = value_of(session.outcome(silent, "abcd"));
  CHECK(state_of(session) == before);
  CHECK(plain.written == written_by(session));
  CHECK(plain.log_probabilities.size() == 5);
  CHECK(plain.loss != without.loss);
  const RunInfo run = value_of(session.set_interventions(silent));
  CHECK(run.loss == without.loss);
  const auto rows = value_of(session.values(run.output));  // (1, 5, words), the logits
  const std::size_t words = rows.size() / 5;
  REQUIRE(without.logits.size() == 5);
  for (std::size_t t = 0; t < 5; ++t) {
    double total = 0;
    for (std::size_t word = 0; word < words; ++word) total += std::exp(static_cast<double>(rows[t * words + word]));
    CHECK(without.logits[t] - std::log(total) == doctest::Approx(without.log_probabilities[t]));
    CHECK(without.logits[t] != plain.logits[t]);
  }
  double sum = 0;
  for (const double each : without.log_probabilities) sum -= each;
  CHECK(sum / 5 == doctest::Approx(without.loss));
  // each token that is written is the likeliest one after those before it
  std::string target;
  for (const std::string& token : without.written) target += token;
  REQUIRE(session.read("abcd", target).ok);
  CHECK(value_of(session.outcome(silent, "abcd")).written == without.written);
}

TEST_CASE("what the model writes under interventions is what it reads itself write, one pair or many") {
  Reading session;
  REQUIRE(session.train(60).ok);
  const EvaluationInfo plain = evaluated(session, "test", 20);
  for (const Infos& list : {Infos{made("zero", "decoder.t*.attention/c")},
                            Infos{made("hidden", "decoder.t*.attention/e[:, :, 1]"), made("zero", "out.bias")}}) {
    REQUIRE(session.set_interventions(list).ok);
    CHECK(written_by(session) == value_of(session.outcome(list, "abcd")).written);
    CHECK(evaluated(session, "test", 20).perplexity != plain.perplexity);
  }
  // in a batch as in a single pair: the mean loss over the tokens of one pair
  REQUIRE(session.set_interventions({made("zero", "decoder.t*.attention/c")}).ok);
  const PairInfo pair = value_of(session.pairs("test", 0, 1))[0];
  std::string source, target;
  for (const std::string& each : pair.source) source += each;
  for (const std::string& each : pair.target) target += each;
  const double perplexity = evaluated(session, "test", 1).perplexity;
  REQUIRE(session.read(source, target).ok);
  CHECK(std::log(perplexity) == doctest::Approx(value_of(session.run({})).loss).epsilon(1e-5));
  REQUIRE(session.set_interventions({}).ok);
  CHECK(evaluated(session, "test", 20).perplexity == plain.perplexity);
  REQUIRE(session.set_interventions({made("from", "encoder/h[:, 0]", "ab", "ba")}).ok);
  CHECK(session.generate("abcd", {}).message().find("another run") != Text::npos);
}

TEST_CASE("what is written in a batch under interventions is what each pair alone gives") {
  Config config = reading();
  config.set("learning_rate", 0.02);
  Reading session(config);
  REQUIRE(session.train(600).ok);
  const Infos list = {made("zero", "decoder.t3.attention/c")};
  REQUIRE(session.set_interventions(list).ok);
  constexpr int pairs = 40;
  const int size = value_of(session.task()).test;
  int exact = 0;
  for (int i = 0; i < pairs; ++i) {
    const PairInfo pair = value_of(session.pairs("test", i * size / pairs, 1))[0];
    std::string source;
    for (const std::string& token : pair.source) source += token;
    exact += value_of(session.outcome(list, source)).written == pair.target;
  }
  CHECK(exact > 0);
  CHECK(evaluated(session, "test", pairs).exact_match * pairs == doctest::Approx(exact));
}

TEST_CASE("what is impossible is refused in one sentence, and nothing changes") {
  Reading session;
  const auto refusal_of = [&](const InterventionInfo& info, const char* code = "E_INPUT") {
    return refused(session, code, [&] { return session.set_interventions({info}); });
  };
  CHECK(refusal_of(made("silence", "encoder/h")).find("zero, mean, from, hidden, detach, frozen") != Text::npos);
  CHECK(refusal_of(made("zero", "nothing")).find("\"nothing\"") != Text::npos);
  CHECK(refusal_of(made("zero", "∂encoder/h")).find("no tensor of that name") != Text::npos);
  CHECK(refusal_of(made("zero", "encoder/h[:,9]")).find("(1, 4, 12)") != Text::npos);
  CHECK(refusal_of(made("zero", "encoder/h[x]")).find("[x]") != Text::npos);
  CHECK(refusal_of(made("hidden", "encoder/h")).find("neither a score nor a mask") != Text::npos);
  CHECK(refusal_of(made("mean", "decoder.t0/s")).find("own mean") != Text::npos);
  CHECK(refusal_of(made("frozen", "encoder/h")).find("no parameter") != Text::npos);
  CHECK(refusal_of(made("from", "encoder/h")).find("source is empty") != Text::npos);
  CHECK(refusal_of(made("from", "encoder/h", "abc", "cba"), "E_SHAPE").find("(1, 3, 12)") != Text::npos);
  InterventionInfo trained = made("zero", "out.bias");
  trained.training = true;
  CHECK(refusal_of(trained).find("frozen") != Text::npos);
  refused(session, "E_INPUT", [&] { return session.set_interventions(Infos(65, made("zero", "encoder/h"))); });
}

TEST_CASE("one in force waits for a trace with its tensors, and load drops all") {
  Reading session;
  const InterventionInfo last = made("zero", "encoder/h[:,3]");
  const double whole = value_of(session.run({})).loss;
  const double without = value_of(session.set_interventions({last})).loss;
  REQUIRE(session.read("ab", "ba").ok);
  const double shorter = value_of(session.run({})).loss;
  CHECK(value_of(session.set_interventions({})).loss == shorter);
  REQUIRE(session.read("abcd", "dcba").ok);
  CHECK(value_of(session.run({})).loss == whole);
  CHECK(value_of(session.set_interventions({last})).loss == without);
  REQUIRE(session.load(reading()).ok);
  REQUIRE(session.read("abcd", "dcba").ok);
  CHECK(value_of(session.run({})).loss == whole);
}
