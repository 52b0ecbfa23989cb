// Whatever a configuration says, a model is made of it or it is refused as a configuration.
#include "engine/models/registry.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/task_run.h"
#include "tests/engine/support/test.h"

namespace {

using Value = Config::Value;
using Names = std::vector<Text>;

// What the lab does where it loads a model, with the task it learns or without one.
void make(const Config& config) {
  if (config.has("pairs") || config.has("text")) {
    TaskRun run(config);
    return;
  }
  const std::unique_ptr<Model> model = make_model(config);
  Trainer trainer(*model, config);
  config.reject_unknown();
}

// Enough for a text of characters too.
Text hundred_words() {
  Text text;
  for (int i = 0; i < 50; ++i) text += "a b ";
  return text;
}

Config small(const Text& kind) {
  Config config = {{"kind", kind}};
  if (kind == "seq2seq" || kind == "transformer") config.set("pairs", Text("ab\tba\ncd\tdc\nef\tfe\n"));
  if (kind == "language_model" || kind == "transformer_lm") config.set("text", hundred_words());
  return config;
}

// What a refusal lists behind ": use ": "one of a, b." by `before` "one of " and `between` ", ".
Names listed(const Text& sentence, const Text& before, const Text& between) {
  Names found;
  for (std::size_t at = sentence.find(": use " + before); at != Text::npos; at = sentence.find(between, at + 1)) {
    const std::size_t from = at + (found.empty() ? Text(": use ").size() + before.size() : between.size());
    found.push_back(sentence.substr(from, sentence.find_first_of("\",.", from) - from));
  }
  return found;
}

Text refused(Config config, const Text& field) {
  config.set(field, Text("?"));
  return REFUSAL(config, make(config));
}

// The fields of a kind, each with the words it takes, as the refusals name them. The learner's own data is left out.
std::map<Text, Names> fields_of(const Config& config) {
  std::map<Text, Names> fields;
  for (const Text& name : listed(refused(config, "?"), "one of ", ", "))
    if (name != "kind" && name != "pairs" && name != "text")
      fields[name] = listed(refused(config, name), "one of \"", "\", \"");
  return fields;
}

double any_number(Random& random) {
  static const std::vector<double> odd = {
      NAN,          INFINITY,     -INFINITY,          1e300,        -1e300, 1e-300, -0.0, -1, 0.5, 1e6,
      2147483648.0, 4294967296.0, 9007199254740993.0, -2147483649.0};
  const int kind = random.below(10);
  if (kind < 5) return random.below(9);
  if (kind < 9) return odd[static_cast<std::size_t>(random.below(static_cast<int>(odd.size())))];
  return std::floor(std::pow(10, 9 * static_cast<double>(random.uniform())));
}

std::vector<double> any_list(Random& random) {
  std::vector<double> list(static_cast<std::size_t>(random.below(20)));
  for (double& each : list) each = random.below(20) ? random.below(9) : any_number(random);
  return list;
}

// Half of the texts are words that the field takes, where it takes any.
Text any_text(Random& random, const Names& words) {
  static const Names odd = {"", " ", "?", "None", Text(1, '\0'), "\xff", Text(10'000, 'x')};
  const Names& from = words.empty() || random.below(2) ? odd : words;
  return from[static_cast<std::size_t>(random.below(static_cast<int>(from.size())))];
}

Value any_value(Random& random, const Names& words) {
  const int kind = random.below(words.empty() ? 8 : 16);
  if (kind < 5) return any_number(random);
  if (kind < 6) return random.below(2) == 1;
  if (kind < 7) return any_list(random);
  return any_text(random, words);
}

Config any_config(Random& random, Config config, const std::map<Text, Names>& fields) {
  for (int changes = 1 + random.below(3); changes > 0; --changes) {
    const auto field = std::next(fields.begin(), random.below(static_cast<int>(fields.size())));
    config.set(field->first, any_value(random, field->second));
  }
  if (random.below(50) == 0) config.set(any_text(random, {}), any_value(random, {}));
  return config;
}

bool finite(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return std::isfinite(*number);
  const auto* list = std::get_if<std::vector<double>>(&value);
  return !list || std::ranges::all_of(*list, [](double each) { return std::isfinite(each); });
}

// No number of it is NaN or ∞, but for the sizes of vocabularies: a task puts its own in their place.
void check_finite(const Config& config) {
  for (const auto& field : config.fields())
    if (!field.first.ends_with("vocabulary")) CHECK_MESSAGE(finite(field.second), field.first);
}

// Whether a model is made of it; if not, it is refused for the configuration. Neither takes more than a model may.
bool made(const Config& config) {
  pool_trim();
  const std::size_t before = pool_stats().in_use;
  bool whole = false;
  try {
    make(config);
    whole = true;
    check_finite(config);
  } catch (const Error& error) {
    CHECK_MESSAGE(error.code == ErrorCode::config, Text(error.what()));
    CHECK_MESSAGE(Text(error.what()).ends_with("."), Text(error.what()));
  }
  CHECK(static_cast<double>(pool_stats().peak - before) < 1.3 * max_parameter_bytes);
  CHECK(pool_stats().in_use == before);
  return whole;
}

}  // namespace

TEST_CASE("the fields of a kind and their words are read from what refuses them") {
  const std::map<Text, Names> fields = fields_of(small("transformer"));
  CHECK(fields.at("norm") == Names{"layer", "rms"});
  CHECK(fields.at("layers").empty());
  CHECK(fields.contains("batch_tokens"));
}

TEST_CASE(
    "five thousand random configurations are made models of or refused, and take no more memory than a model may") {
  const Names kinds = model_kinds();
  std::vector<std::map<Text, Names>> fields;
  for (const Text& kind : kinds) fields.push_back(fields_of(small(kind)));
  Random random(13);
  int models = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::size_t kind = static_cast<std::size_t>(i) % kinds.size();
    models += made(any_config(random, small(kinds[kind]), fields[kind]));
  }
  CHECK(models > 500);
  CHECK(models < 4500);
}
