// Configurations: each makes a model and its trainer or is refused, within a model's memory limit.
#include "bindings/session.h"
#include "engine/models/model_size.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/models.h"

namespace unroll {
namespace {

bool has_task(const Config& config) { return config.has("pairs") || config.has("text"); }

bool try_config(Random& random) {
  const Config config = any_model(random);
  Session session;
  const Reply<ModelInfo> loaded = session.load(config);
  require(loaded.ok || (loaded.failure.code == "E_CONFIG" && loaded.message().ends_with('.')),
          "refused, but not as a configuration: " + loaded.failure.code + ": " + loaded.message());
  if (!loaded.ok) return false;
  require(is_finite(config), "a model was made with a number that is not finite");
  require(!has_task(config) || session.estimate(config).ok, "a model was made that cannot be estimated");
  return true;
}

}  // namespace

const Fuzzer fuzz_config{"config", try_config, 1.3 * max_parameter_bytes};

}  // namespace unroll
