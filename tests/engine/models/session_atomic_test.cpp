// Calls that fail half-way, and gradient checks at difficult places.
#include <doctest/doctest.h>

#include <cmath>

#include "bindings/session.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/session_state.h"

using namespace unroll;

TEST_CASE("training that diverges after some steps is taken back whole") {
  const Config config{{"X", std::vector<double>(12, 1e6)},
                      {"target", std::vector<double>(12, 1e6)},
                      {"learning_rate", 10.0},
                      {"clip_norm", 1e6}};
  Session session;
  REQUIRE(session.load(config).ok);
  REQUIRE(session.run({}).ok);
  const SessionState before = state_of(session);
  const Reply<TrainInfo> reply = session.train(100);
  REQUIRE(reply.code == "E_DIVERGED");
  CHECK(reply.message.find("lower learning_rate") != std::string::npos);
  CHECK_FALSE(reply.message.starts_with("Step 1 "));
  CHECK(state_of(session) == before);
  CHECK(session.train(1).value.step == 1);
}

TEST_CASE("a gradient check of a small weight stays inside the domain of the logarithm") {
  for (double target : {0.0, 1.0, 2.0}) {
    Config config = softmax_lesson();
    config.set("target", target);
    Session session;
    REQUIRE(session.load(config).ok);
    REQUIRE(session.run({}).ok);
    for (const char* name : {"e", "α", "softmax/exp", "softmax/sum", "α of the target"}) {
      const Reply<GradientCheck> check =
          session.check_gradient(name, std::string(name).size() > 4 ? 0 : static_cast<int>(target));
      REQUIRE_MESSAGE(check.ok, check.message);
      INFO(name, ": ", check.value.analytic, " and ", check.value.numeric);
      CHECK(check.value.difference <= 1e-3 * std::max(std::abs(check.value.analytic), 1e-4));
    }
  }
}

TEST_CASE("no gradient check at −∞, no edit of a constant") {
  Config config = four_words();
  config.set("mask", std::string("causal"));
  Session session;
  REQUIRE(session.load(config).ok);
  REQUIRE(session.run({}).ok);
  REQUIRE(session.edit("attention/e", 0, -INFINITY).ok);
  CHECK(session.check_gradient("attention/e", 0).message ==
        "attention/e[0, 0] is −∞, which has no neighbours: choose a finite value.");
  for (const TraceNode& node : session.trace().value.nodes)
    if (node.op == "constant")
      CHECK(session.edit(node.name, 0, 1).message ==
            "\"" + node.name + "\" is a constant: edit an input, a parameter or a step instead.");
}
