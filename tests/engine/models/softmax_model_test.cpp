#include "engine/models/softmax_model.h"

#include "tests/engine/support/lessons.h"
#include "tests/engine/support/session_state.h"

TEST_CASE("a weight that is 0 in float32 gives the loss ∞, without NaN along the way") {
  // exp(−4 · 10⁹) is 0, and the loss is −log of that weight. Its gradient contains −∞ · 0.
  Config config = softmax_lesson();
  config.set("temperature", 1e-9);
  config.set("target", 0.0);
  Loaded session(config);
  const Reply<RunInfo> run = session.run({});
  REQUIRE_MESSAGE(run.ok, run.message());
  CHECK(run.value.loss == static_cast<double>(infinity));
  CHECK(session.values(node_of(session, "α").id).value == std::vector<float>{0, 1, 0, 0, 0});
  for (const TraceNode& node : session.trace().value.nodes)
    if (node.phase != "backward")
      for (const float value : session.values(node.id).value) CHECK_FALSE_MESSAGE(std::isnan(value), node.name);
}
