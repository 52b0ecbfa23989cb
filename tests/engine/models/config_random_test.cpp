// Any configuration either makes a model or is refused as a configuration.
#include "engine/models/registry.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/random_config.h"
#include "tests/engine/support/task_run.h"
#include "tests/engine/support/test.h"

namespace {

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

TEST_CASE("the fields of a kind and their options are read from refusals") {
  const FieldWords fields = fields_of_kind("transformer");
  CHECK(fields.at("norm") == Words{"layer", "rms"});
  CHECK(fields.at("layers").empty());
  CHECK(fields.contains("batch_tokens"));
}

TEST_CASE(
    "five thousand random configurations are made models of or refused, and take no more memory than a model may") {
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
