#include "bindings/trace.h"

#include <unordered_map>
#include <utility>

#include "engine/kernels/functions.h"
#include "engine/tensor/error.h"
#include "engine/tensor/hash.h"

namespace unroll {
namespace {

const char* name_of(Phase phase) {
  constexpr const char* names[] = {"leaf", "forward", "backward", "update"};
  return names[static_cast<int>(phase)];
}

const char* name_of(Role role) {
  constexpr const char* names[] = {"input", "parameter", "state", "score", "weight", "gradient"};
  return names[static_cast<int>(role)];
}

int gradient_id(const Tape& tape, const Node& node) { return node.gradient ? tape.find(node.gradient) : -1; }

// Writes a tape as numbers: a text is its place in the table of texts, and a list is its length and its items.
class Columns {
 public:
  explicit Columns(const Tape& tape) {
    columns_.numbers.reserve(tape.nodes().size() * 18);
    add(static_cast<int>(tape.nodes().size()));
    for (const Node& node : tape.nodes()) add(tape, node);
    add(static_cast<int>(tape.scopes().size()));
    for (const ScopeRecord& scope : tape.scopes()) add(scope);
  }
  TraceColumns take() { return std::move(columns_); }

 private:
  void add(const Tape& tape, const Node& node) {
    add_new(node.name);  // no other node has it
    add(node.op.name);
    if (node.op.argument_count)
      add(node.op.rule_text());
    else
      add(node.op.rule);
    add(node.op.formula);
    add(name_of(node.role));
    add(name_of(node.phase));
    const Shape& shape = node.value.shape();
    add(shape.rank());
    for (const int length : shape) add(length);
    add(node.edges);
    for (int i = 0; i < node.edges; ++i) add(tape.edge(node, i).node);
    add(node.scope);
    add(node.where.file);
    add(node.where.line);
    add(node.origin);
    add(gradient_id(tape, node));
  }
  void add(const ScopeRecord& scope) {
    add(scope.path);
    add(scope.parent);
    add(scope.where.file);
    add(scope.where.line);
    add(scope.first);
    add(scope.last);
    add(name_of(scope.phase));
  }
  void add(int number) { columns_.numbers.push_back(number); }
  void add_new(std::string_view text) {
    add(texts_++);
    (columns_.texts += text) += '\n';
  }
  void add(const std::string& text) {
    const auto [place, added] = places_.try_emplace(text, texts_);
    if (added)
      add_new(text);
    else
      add(place->second);
  }
  // The texts of operations and files live as long as the tape, so most are known by their address.
  void add(const char* text) {
    const auto [place, added] = addresses_.try_emplace(text, 0);
    if (!added) return add(place->second);
    add(std::string(text));
    place->second = columns_.numbers.back();
  }

  TraceColumns columns_;
  int texts_ = 0;
  std::unordered_map<std::string, int> places_;
  std::unordered_map<const char*, int> addresses_;
};

}  // namespace

std::uint64_t fingerprint(const TraceColumns& columns) {
  const std::vector<int>& numbers = columns.numbers;
  return hash_of(columns.texts, hash_of({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int)}));
}

TraceColumns columns_of(const Tape& tape) { return Columns(tape).take(); }

std::vector<float> floats(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

std::vector<float> probabilities_of(const Node& node) {
  std::vector<float> values = floats(node.value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > 0)
      fail(ErrorCode::input, "values_are_no_log_probabilities", value_name(node.name, node.value.shape(), i),
           values[i]);
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
