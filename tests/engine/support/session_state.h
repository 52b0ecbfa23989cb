// Sessions and everything visible of them, to check that a refused call changes nothing.
#pragma once

#include "bindings/session.h"
#include "tests/engine/support/test.h"

namespace unroll {

// A session with a model, and one that has also run.
struct Loaded : Session {
  explicit Loaded(const Config& config) { REQUIRE(load(config).ok); }
};
struct Ran : Loaded {
  explicit Ran(const Config& config) : Loaded(config) { REQUIRE(run({}).ok); }
};

struct SessionState {
  std::vector<std::string> names;
  std::vector<std::vector<float>> values;
  std::vector<std::uint8_t> checkpoint;
  bool operator==(const SessionState&) const = default;
};

inline SessionState state_of(Session& session) {
  SessionState state;
  for (const TraceNode& node : session.trace().value.nodes) {
    state.names.push_back(node.name);
    state.values.push_back(session.values(node.id).value);
  }
  state.checkpoint = session.save().value;
  return state;
}

// The sentence of the call, which must be refused with this code and change nothing.
template <typename Call>
std::string refused(Session& session, const char* code, Call call) {
  const SessionState before = state_of(session);
  const auto reply = call();
  CHECK_FALSE(reply.ok);
  CHECK(reply.failure.code == code);
  CHECK(reply.message().ends_with("."));
  CHECK(state_of(session) == before);
  return reply.message();
}

// The result of a whole evaluation.
inline EvaluationInfo evaluated(Session& session, const char* split, int limit) {
  Reply<EvaluationInfo> found = session.evaluate(split, limit, 0);
  while (found.ok && found.value.done < found.value.pairs) found = session.evaluate_more();
  REQUIRE_MESSAGE(found.ok, found.message());
  return found.value;
}

// The trace's node of that name.
inline TraceNode node_of(Session& session, const std::string& name) {
  for (const TraceNode& node : session.trace().value.nodes)
    if (node.name == name) return node;
  TraceNode none;
  none.id = -1;
  return none;
}

}  // namespace unroll

// The sentence that refuses a call of the session: REFUSED(session, "E_INPUT", train(0)).
#define REFUSED(session, code, ...) refused(session, code, [&] { return (session).__VA_ARGS__; })
