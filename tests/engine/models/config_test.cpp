// Any configuration either makes a model or is refused in a sentence that says what to change; see also
// model_contract_test.
#include "engine/models/config.h"

#include "engine/models/model.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/cell.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/random_config.h"
#include "tests/engine/support/task_run.h"

namespace {

using Value = Config::Value;
const Value text = Text("text"), list = std::vector<double>{1, 2}, yes = true;

std::string refused(const std::string& kind, const std::string& field, const Value& value) {
  return REFUSAL(config, make_to_train({{"kind", kind}, {field, value}}));
}

void check_refused(const std::string& kind, const std::string& field, const std::vector<Value>& values) {
  for (const Value& value : values) {
    const std::string message = refused(kind, field, value);
    CAPTURE(message);
    CHECK(message.starts_with(field + " "));
    CHECK(message.find(": use ") != std::string::npos);
  }
}

// Loads a model as the lab does, with or without a task.
void make(const Config& config) {
  if (config.has("pairs") || config.has("text")) {
    TaskRun run(config);
    return;
  }
  make_to_train(config);
}

FieldWords fields_of_kind(const Text& kind) {
  return fields_and_words([](const Config& wrong) { return REFUSAL(config, make(wrong)); }, small_config(kind));
}

// Whether the configuration makes a model; if not, it must be refused as such. Neither may exceed a model's memory
// limit.
bool made(const Config& config) {
  pool_trim();
  const std::size_t before = pool_stats().in_use;
  bool whole = false;
  try {
    make(config);
    whole = true;
    CHECK(is_finite(config));
  } catch (const Error& error) {
    CHECK_MESSAGE(error.code == ErrorCode::config, Text(error.what()));
    CHECK_MESSAGE(Text(error.what()).ends_with("."), Text(error.what()));
  }
  CHECK(static_cast<double>(pool_stats().peak - before) < 1.3 * max_parameter_bytes);
  CHECK(pool_stats().in_use == before);
  return whole;
}

}  // namespace

TEST_CASE("a number out of range is refused with its range and its kind") {
  CHECK(refused("attention", "words", 17.0) == "words is 17: use a whole number, 1 to 16.");
  CHECK(refused("attention", "words", text) == "words is \"text\": use a whole number, 1 to 16.");
  CHECK(refused("softmax", "temperature", -0.1) == "temperature is -0.1: use a number, 0 to 1000.");
  CHECK(refused("softmax", "target", 5.0) ==
        "target is 5, and with 5 scores it is at most 4: use a smaller target or at least 6 scores.");
  CHECK(refused("softmax", "target", 16.0) == "target is 16: use a whole number, 0 to 15.");
  CHECK(refused("softmax", "seed", 4294967296.0) == "seed is 4294967296: use a number, 0 to 4294967295.");
  check_refused("softmax", "seed", {0.5, 1e300});
}

TEST_CASE("options map to their values, and those not on the list, or fields unknown to the model, are refused") {
  check_refused("softmax", "optimiser", {Text("guess"), 1.0, yes});
  check_refused("attention", "score", {Text("guess"), 1.0, list});
  check_refused("attention", "mask", {Text("guess"), 0.0});
  check_refused("guess", "kind", {Text("guess"), 3.0});
  CHECK(refused("attention", "mask", text) == "mask is \"text\": use one of \"none\", \"causal\".");
  CHECK(refused("softmax", "temprature", 1.0) ==
        "\"temprature\" is not a field of this model: use one of beta2, clip_norm, kind, learning_rate, "
        "optimiser, schedule, scores, seed, steps, target, temperature, warmup, weight_decay.");
  const Config config = {{"cell", "gru_reset_before"}, {"activation", "tanh"}};
  CHECK(config.choice("cell", CellKind::gru, cell_kinds()) == CellKind::gru_reset_before);
  CHECK(config.choice("norm", NormKind::rms, {"layer", "rms"}) == NormKind::rms);
  CHECK(REFUSAL(config, config.choice("activation", Activation::relu, activation_kinds())) ==
        "activation is \"tanh\": use one of \"relu\", \"gelu\", \"gelu_tanh\", \"swiglu\".");
}

TEST_CASE("lists: empty, of the wrong length, with values that are not numbers") {
  const std::vector<double> seventeen(17, 1);
  check_refused("softmax", "scores", {std::vector<double>{}, seventeen, 1.0, text});
  CHECK(refused("softmax", "scores", std::vector<double>{}) == "scores is 0 numbers: use a list of 1 to 16 numbers.");
  for (const char* field : {"X", "target", "W_Q", "W_K", "W_V"}) {
    std::vector<double> values(12, 1);
    if (field[0] == 'W') values.resize(9);
    for (double wrong : {double{NAN}, double{INFINITY}, 1e7, -1e300}) {
      values[3] = wrong;
      check_refused("attention", field, {values});
    }
    check_refused("attention", field, {std::vector<double>{}, std::vector<double>(100, 1), 1.0, text});
  }
  CHECK(refused("softmax", "scores", std::vector<double>{1, NAN}) ==
        "scores at position 1 is NaN: use a number from −1000000 to 1000000.");
}

TEST_CASE("the ends of each range are accepted, and a seed that differs in any bit draws other parameters") {
  const Config largest =
      settings("kind=attention words=16 size=16 key_size=16 value_size=16 attention_size=16 seed=4294967295");
  for (const char* score : {"additive", "location", "concat"}) {
    Config config = largest;
    config.set("score", score);
    const std::unique_ptr<Model> model = make_model(config);
    CHECK(std::isfinite(model->loss().item()));
    CHECK(model->output().shape() == Shape{16, 16});
  }
  const Config smallest{{"words", 1.0}, {"size", 1.0}, {"key_size", 1.0}, {"value_size", 1.0}, {"seed", 0.0}};
  CHECK(std::isfinite(make_model(smallest)->loss().item()));
  const auto loss = [](double seed) { return make_model({{"kind", "attention"}, {"seed", seed}})->loss().item(); };
  for (int bit = 0; bit < 32; ++bit) CHECK(loss(std::exp2(bit)) != loss(0));
}

TEST_CASE("the fields of a kind and their options are read from refusals") {
  const FieldWords fields = fields_of_kind("transformer");
  CHECK(fields.at("norm") == Words{"layer", "rms"});
  CHECK(fields.at("layers").empty());
  CHECK(fields.contains("batch_tokens"));
}

TEST_CASE("five thousand random configurations make models within the memory of one, or are refused") {
  const Words kinds = model_kinds();
  std::vector<FieldWords> fields;
  for (const Text& kind : kinds) fields.push_back(fields_of_kind(kind));
  Random random(13);
  int models = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::size_t kind = static_cast<std::size_t>(i) % kinds.size();
    models += made(any_config(random, small_config(kinds[kind]), fields[kind]));
  }
  CHECK(models > 500);
  CHECK(models < 4500);
}
