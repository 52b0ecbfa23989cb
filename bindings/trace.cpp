#include "bindings/trace.h"

#include <unordered_map>
#include <utility>

#include "engine/kernels/functions.h"
#include "engine/tensor/error.h"
#include "engine/tensor/hash.h"

namespace unroll {
namespace {

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::leaf:
      return "leaf";
    case Phase::forward:
      return "forward";
    case Phase::backward:
      return "backward";
    default:
      return "update";
  }
}

const char* name_of(Role role) {
  switch (role) {
    case Role::input:
      return "input";
    case Role::parameter:
      return "parameter";
    case Role::state:
      return "state";
    case Role::score:
      return "score";
    case Role::weight:
      return "weight";
    default:
      return "gradient";
  }
}

TraceNode describe_node(const Tape& tape, int id) {
  const Node& node = tape.nodes()[id];
  const Shape& shape = node.value.shape();
  TraceNode result{.id = id,
                   .name = node.name,
                   .op = node.op.name,
                   .rule = node.op.rule_text(),
                   .formula = node.op.formula,
                   .role = name_of(node.role),
                   .phase = name_of(node.phase),
                   .shape = {shape.begin(), shape.end()},
                   .inputs = {},
                   .scope = node.scope,
                   .file = node.where.file,
                   .line = node.where.line,
                   .origin = node.origin,
                   .gradient = node.gradient ? tape.find(node.gradient) : -1};
  for (int i = 0; i < node.edges; ++i) result.inputs.push_back(tape.edge(node, i).node);
  return result;
}

TraceScope describe_scope(const ScopeRecord& scope, int id) {
  return {.id = id,
          .name = scope.path,
          .parent = scope.parent,
          .file = scope.where.file,
          .line = scope.where.line,
          .first = scope.first,
          .last = scope.last,
          .phase = name_of(scope.phase)};
}

// Writes a trace as numbers; a text is its place in the table of texts, and a list is its length and its items.
class Columns {
 public:
  void add(const TraceNode& node) {
    add_all(node.name, node.op, node.rule, node.formula, node.role, node.phase, node.shape, node.inputs, node.scope,
            node.file, node.line, node.origin, node.gradient);
  }
  void add(const TraceScope& scope) {
    add_all(scope.name, scope.parent, scope.file, scope.line, scope.first, scope.last, scope.phase);
  }
  template <class Each>
  void add(const std::vector<Each>& list) {
    add(static_cast<int>(list.size()));
    for (const Each& each : list) add(each);
  }
  TraceColumns take() { return std::move(columns_); }

 private:
  void add(int number) { columns_.numbers.push_back(number); }
  void add(const std::string& text) {
    const auto [place, added] = places_.try_emplace(text, static_cast<int>(places_.size()));
    if (added) (columns_.texts += text) += '\n';
    add(place->second);
  }
  template <class... Each>
  void add_all(const Each&... each) {
    (add(each), ...);
  }

  TraceColumns columns_;
  std::unordered_map<std::string, int> places_;
};

// Hashes one text or number after another.
class Fingerprint {
 public:
  std::uint64_t value() const { return hash_; }

  void add(std::string_view text) {
    hash_ = hash_of(text, hash_);
    add(static_cast<int>(text.size()));
  }
  void add(int number) { hash_ = hash_of({reinterpret_cast<const char*>(&number), sizeof number}, hash_); }
  template <class... Each>
  void add_all(const Each&... each) {
    (add(each), ...);
  }

 private:
  std::uint64_t hash_ = hash_of("");
};

}  // namespace

std::uint64_t fingerprint(const Tape& tape) {
  Fingerprint all;
  for (const Node& node : tape.nodes()) {
    all.add_all(node.name, node.op.name, node.op.rule, node.op.formula, node.where.file);
    for (int i = 0; i < node.op.argument_count; ++i) all.add(node.op.arguments[i]);
    for (const int length : node.value.shape()) all.add(length);
    for (int i = 0; i < node.edges; ++i) all.add(tape.edge(node, i).node);
    all.add_all(static_cast<int>(node.role), static_cast<int>(node.phase), node.scope, node.where.line, node.origin,
                node.gradient_of);
  }
  for (const ScopeRecord& scope : tape.scopes())
    all.add_all(scope.path, scope.where.file, scope.parent, scope.where.line, scope.first, scope.last,
                static_cast<int>(scope.phase));
  return all.value();
}

Trace describe(const Tape& tape) {
  Trace trace;
  for (int id = 0; id < static_cast<int>(tape.nodes().size()); ++id) trace.nodes.push_back(describe_node(tape, id));
  for (int id = 0; id < static_cast<int>(tape.scopes().size()); ++id)
    trace.scopes.push_back(describe_scope(tape.scopes()[id], id));
  return trace;
}

TraceColumns columns_of(const Trace& trace) {
  Columns columns;
  columns.add(trace.nodes);
  columns.add(trace.scopes);
  return columns.take();
}

std::vector<float> floats(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

std::vector<float> probabilities_of(const Node& node) {
  std::vector<float> values = floats(node.value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > 0)
      fail(ErrorCode::input, value_name(node.name, node.value.shape(), i), " is ", values[i],
           ", and no logarithm of a probability is above 0: choose a tensor such as \"log p\".");
    values[i] = kernels::exp(static_cast<Scalar>(values[i]));
  }
  return values;
}

std::string value_at(const Tape& tape, const std::string& name, int index) {
  const int id = tape.find(name);
  const Shape shape = id < 0 ? Shape() : tape.nodes()[id].value.shape();
  const bool inside = index >= 0 && static_cast<std::size_t>(index) < shape.size();
  return value_name(name, inside ? shape : Shape(), static_cast<std::size_t>(index));
}

}  // namespace unroll
