// The four words of the attention lesson, against figures computed elsewhere in double precision.
#include <doctest/doctest.h>

#include <cmath>

#include "bindings/session.h"
using namespace unroll;

TEST_CASE("four words by hand: the twelve outputs") {
  Session session;
  Config config{{"kind", std::string("attention")},
                {"X", std::vector<double>{1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1}},
                {"W_Q", std::vector<double>{2, 0, 2, 2, 0, 0, 2, 1, 2}},
                {"W_K", std::vector<double>{2, 2, 2, 0, 2, 1, 0, 1, 1}},
                {"W_V", std::vector<double>{1, 1, 0, 0, 1, 1, 0, 0, 0}}};
  const auto info = session.load(config);
  REQUIRE_MESSAGE(info.ok, info.message);
  const auto run = session.run({});
  REQUIRE_MESSAGE(run.ok, run.message);
  const auto output = session.values(run.value.output);
  const double expected[] = {0.98522025, 1.74174051, 0.75652026, 0.90965265, 1.40965265, 0.5,
                             0.99851226, 1.75849334, 0.75998108, 0.99560386, 1.90407309, 0.90846923};
  for (int i = 0; i < 12; ++i) CHECK(std::abs(output.value[i] - expected[i]) < 1e-7);
  const auto trace = session.trace();
  for (const TraceNode& n : trace.value.nodes) {
    std::string ins;
    for (int i : n.inputs) ins += std::to_string(i) + " ";
    MESSAGE(n.id << " " << n.phase << " " << n.name << " [" << n.op << " " << n.rule << "] (" << ins << ") " << n.file
                 << ":" << n.line << " g" << n.gradient << " s" << n.scope << " o" << n.origin);
  }
  for (const TraceScope& s : trace.value.scopes)
    MESSAGE(s.id << " " << s.name << " p" << s.parent << " " << s.first << "-" << s.last << " " << s.file << ":"
                 << s.line);
  const auto check = session.check_gradient("attention/e", 2);
  MESSAGE(check.value.analytic << " " << check.value.numeric << check.message);
}
