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

// A node of the trace, by its number.
struct TracedNode : Node {
  int id = -1;
  std::vector<int> inputs = {};
};

// Those of the trace; none if it is refused.
inline std::vector<TracedNode> nodes_of(Session& session) {
  std::vector<TracedNode> nodes;
  if (!session.trace().ok) return nodes;
  for (const Node& node : session.tape().nodes()) {
    nodes.push_back({node, static_cast<int>(nodes.size())});
    for (int i = 0; i < node.edges; ++i) nodes.back().inputs.push_back(session.tape().edge(node, i).node);
  }
  return nodes;
}

struct SessionState {
  std::vector<std::string> names;
  std::vector<std::vector<float>> values;
  std::vector<std::uint8_t> checkpoint;
  bool operator==(const SessionState&) const = default;
};

inline SessionState state_of(Session& session) {
  SessionState state;
  for (const TracedNode& node : nodes_of(session)) {
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

// The value of a reply that must not be a refusal.
template <typename T>
T value_of(const Reply<T>& reply) {
  REQUIRE_MESSAGE(reply.ok, reply.message());
  return reply.value;
}

// The result of a whole evaluation.
inline EvaluationInfo evaluated(Session& session, const char* split, int limit) {
  EvaluationInfo found = value_of(session.evaluate(split, limit, 0));
  while (found.done < found.pairs) found = value_of(session.evaluate_more());
  return found;
}

// The trace's node of that name, and its values.
inline TracedNode node_of(Session& session, const std::string& name) {
  const std::vector<TracedNode> nodes = nodes_of(session);
  const auto found = std::ranges::find(nodes, name, &TracedNode::name);
  REQUIRE_MESSAGE(found != nodes.end(), name);
  return *found;
}
inline std::vector<float> values_of(Session& session, const std::string& name) {
  return value_of(session.values(node_of(session, name).id));
}

}  // namespace unroll

// The sentence that refuses a call of the session: REFUSED(session, "E_INPUT", train(0)).
#define REFUSED(session, code, ...) refused(session, code, [&] { return (session).__VA_ARGS__; })
