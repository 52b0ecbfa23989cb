// The tape: every operation in the order it ran. It is what backward walks, what the stepper shows and what edits act
// on.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/autograd/operand.h"
#include "engine/autograd/vjp.h"

namespace unroll {

// What an operation is called, which input cells make an output cell (`rule`), and how a cell is computed (`formula`).
// Rules are einsum-like ("nk,km->nm"), "elementwise", or a word with numbers: "reduce:1", "transpose:1,0", "slice:0,2".
struct Op {
  const char* name;
  const char* rule = "elementwise";
  const char* formula = "";
  std::array<int, Shape::max_rank> numbers{};
  int numbers_used = 0;

  std::string rule_text() const;
};

enum class Phase { leaf, forward, backward, update };

struct Node {
  Op op;
  Tensor value;          // of a trace only: for training, backward keeps what it needs
  Tensor gradient = {};  // ∂loss/∂value, once backward has reached it; training keeps that of a leaf
  std::string name = {};
  Where where;
  int scope = 0;
  int origin = -1;       // the forward node this backward node belongs to
  int gradient_of = -1;  // the node whose gradient this is
  int first_edge = 0, edges = 0;
  Phase phase = Phase::forward;
  Role role = Role::state;
  bool needs_gradient = false;
  bool named = false;  // by a word of its own, not after its operation
  bool edited = false;
  Tensor computed = {};  // where edited: 1 for each value that was computed, 0 for each that an edit replaced
};

// An operand of a recorded operation, and how its gradient comes from the result's.
struct Edge {
  int node;
  Vjp vjp;
};

// A stretch of the tape with a name: a layer, or a composite operation such as softmax. `where` is the call.
struct ScopeRecord {
  std::string path;
  int parent = -1;
  Where where;
  // Node ids, both inclusive; last < first where nothing was recorded, and as long as it is open. Scope 0, around the
  // whole tape, is never closed.
  int first = 0, last = -1;
  Phase phase = Phase::forward;
};

struct Edit {
  std::size_t index;
  Scalar value;
};
using Edits = std::map<std::string, std::vector<Edit>, std::less<>>;
void set_edit(Edits& edits, const std::string& name, std::size_t index, Scalar value);  // in place of one there before

class Tape {
 public:
  // `training` keeps what backward needs, until it has used it; `trace` also names every node and records the backward
  // pass itself.
  enum class Detail { training, trace };

  explicit Tape(Detail detail, const Edits* edits = nullptr);

  static Tape* live();  // the tape that operations record on now, or nullptr
  bool tracing() const { return detail_ == Detail::trace; }

  void clear();  // forgets all nodes, keeps the memory

  const std::vector<Node>& nodes() const { return nodes_; }
  const Edge& edge(const Node& node, int i) const { return edges_[node.first_edge + i]; }
  const std::vector<ScopeRecord>& scopes() const { return scopes_; }
  int find(const Tensor& tensor) const;  // its node id here, or −1
  int find(std::string_view name) const;

 private:
  friend class Recording;
  friend class Scope;
  friend class Updating;
  friend class Backward;
  friend class Recorder;
  friend class Tensor;
  friend Tensor input(std::string_view, const Tensor&, Role, bool, Where);

  int add(Node node);
  int leaf(const Op& op, const Tensor& value, std::string_view name, Role role, bool needs_gradient, Where where);
  int constant(const Tensor& value, Where where);
  Tensor rename(const Tensor& tensor, std::string_view name, Role role, Where where);
  std::string unique(const std::string& name);
  void apply_edits(int id);
  void own_values(int id);
  Phase phase() const;  // of what is recorded now
  int open_scope(std::string path, Where where, Phase phase);
  void close_scope(int id);

  Detail detail_;
  const Edits* edits_;
  std::uint64_t serial_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<ScopeRecord> scopes_;
  std::unordered_map<std::string, int> name_uses_;
  int scope_ = 0;
  int origin_ = -1;  // the forward node backward is at, or −1 outside of backward
  bool updating_ = false;
};

// Makes `tape` the live one (nullptr: record nothing) until the end of the block.
class Recording {
 public:
  explicit Recording(Tape* tape);
  ~Recording();
  Recording(const Recording&) = delete;

 private:
  Tape* before_;
};

// What the live tape records in the block is the update of the parameters, no longer the model.
class Updating {
 public:
  Updating();
  ~Updating();
  Updating(const Updating&) = delete;

 private:
  Tape* tape_;
};

// Names the part of the computation in the block: Scope("attention") makes "attention/α" of .as("α").
class Scope {
 public:
  explicit Scope(std::string_view name, Where where = Where::current());
  ~Scope();
  Scope(const Scope&) = delete;

 private:
  Tape* tape_;
  int id_ = 0;
};

// An operand and its gradient, as `record` takes them. Without a vjp no gradient flows to the operand.
struct Input {
  const Operand& operand;
  Vjp vjp = {};
};

// The single place where anything is recorded: `y` is the result of `op` on `inputs`. Without a live tape it is `y`.
Tensor record(const Op& op, const Tensor& y, std::span<const Input> inputs);
template <typename... Inputs>
Tensor record(const Op& op, const Tensor& y, const Inputs&... inputs) {
  const Input list[] = {inputs...};
  return record(op, y, std::span<const Input>(list));
}

// The start of a computation: puts a value on the live tape under its name, with any edit of that name applied.
Tensor input(std::string_view name, const Tensor& value, Role role = Role::input, bool needs_gradient = true,
             Where where = Where::current());

}  // namespace unroll
