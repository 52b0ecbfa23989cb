// The tape: every operation in execution order. Backward walks it, the stepper shows it and edits act on it.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/autograd/context.h"
#include "engine/autograd/tensor.h"
#include "engine/autograd/vjp.h"

namespace unroll {

// An operation's name, which input cells an output cell depends on (`rule`), and how a cell is computed (`formula`).
// Rules are einsum-like ("nk,km->nm"), "elementwise", or a word with arguments: "reduce:1", "transpose:1,0",
// "slice:0,2".
struct Op {
  const char* name;
  const char* rule = "elementwise";
  const char* formula = "";
  std::array<int, Shape::max_rank> arguments{};
  int argument_count = 0;

  std::string rule_text() const;
};

enum class Phase { leaf, forward, backward, update };

struct Node {
  Op op;
  Tensor value;          // only when tracing: in training each vjp holds what it needs
  Tensor gradient = {};  // ∂loss/∂value after backward; training keeps it for leaves only
  std::string name = {};
  CallSite where;
  int scope = 0;
  int origin = -1;       // the forward node this backward node belongs to
  int gradient_of = -1;  // the node whose gradient this is
  int first_edge = 0, edges = 0;
  Phase phase = Phase::forward;
  Role role = Role::state;
  bool needs_gradient = false;
  bool named = false;  // explicitly, not after its operation
  bool edited = false;
  Tensor computed = {};  // if edited: 1 for each computed value, 0 for each that an edit replaced
};

// An operand of a recorded operation, and the function from the result's gradient to its gradient.
struct Edge {
  int node;
  Vjp vjp;
};

// A named range of the tape: a layer, or a composite operation such as softmax. `where` is the call site.
struct ScopeRecord {
  std::string path;
  int parent = -1;
  CallSite where;
  // Node ids, both inclusive; last < first while the scope is open or if it recorded nothing. Scope 0 spans the whole
  // tape and is never closed.
  int first = 0, last = -1;
  Phase phase = Phase::forward;
};

struct Edit {
  std::size_t index;
  Scalar value;
};
using Edits = std::map<std::string, std::vector<Edit>, std::less<>>;
void set_edit(Edits& edits, const std::string& name, std::size_t index, Scalar value);  // replaces an earlier edit

// What replaces named tensors as they are recorded: see ops/interventions.h.
class Intervener {
 public:
  // What stands in the place of x, which has this name: x itself, or the result of operations that begin with x.
  virtual Tensor replaced(const std::string& name, const Tensor& x, CallSite where) const = 0;
  // Whether a parameter or an input takes no gradient.
  virtual bool stops_gradient(std::string_view leaf) const = 0;

 protected:
  ~Intervener() = default;
};

struct Input;

class Tape {
 public:
  // `training` keeps what backward needs until it has used it; `trace` also keeps all values, names every node and
  // records the backward pass.
  enum class Detail { training, trace };

  explicit Tape(Detail detail, const Edits* edits = nullptr, const Intervener* intervener = nullptr);

  // Who intervenes from now on; nobody if nullptr. A tape that does not trace knows no names but those of leaves, so
  // that only their gradients can be stopped on it.
  void set_intervener(const Intervener* intervener) { intervener_ = intervener; }
  // The live tape if somebody intervenes on it, else nullptr: for what is recorded for no other reason.
  static Tape* intervening() { return live() && live()->intervener_ ? live() : nullptr; }

  static Tape* live() { return Context::current().tape; }  // the tape that operations record on, or nullptr
  bool tracing() const { return detail_ == Detail::trace; }
  std::uint64_t serial() const { return serial_; }  // of the marks of what it has recorded since clear()

  void clear();  // forgets all nodes, keeps the memory

  const std::vector<Node>& nodes() const { return nodes_; }
  const Edge& edge(const Node& node, int i) const { return edges_[node.first_edge + i]; }
  const std::vector<ScopeRecord>& scopes() const { return scopes_; }
  int find(const Tensor& tensor) const;  // its node id on this tape, or −1
  int find(std::string_view name) const;

  // While this is kept, the tape records the parameter update rather than the model.
  Setting<bool> updating() { return {updating_, true}; }

  // What `record`, `input`, Tensor::as and Scope below do on the live tape.
  Tensor record(const Op& op, const Tensor& y, std::span<const Input> inputs);
  Tensor input(std::string_view name, const Tensor& value, Role role, bool needs_gradient, CallSite where);
  Tensor rename(const Tensor& tensor, std::string_view name, Role role, CallSite where);
  void set_role(const Tensor& tensor, Role role);         // of a recorded result
  int open_scope(std::string_view name, CallSite where);  // within the open one; returns its id
  void close_scope(int id);

 private:
  friend class Backward;  // records while it walks the nodes

  int add(Node node);
  int leaf(const Op& op, const Tensor& value, std::string_view name, Role role, bool needs_gradient, CallSite where);
  int constant(const Tensor& value, CallSite where);
  bool gradient_flows_to(const Tensor& operand) const;
  int node_of(const Operand& operand);
  std::string unique(const std::string& name);
  Tensor intervened(const std::string& name, const Tensor& tensor, CallSite where) const;
  Tensor intervened_leaf(std::string_view name, const Tensor& value, Role role, CallSite where) const;
  void apply_edits(int id);
  void prepare_edit(int id);
  Phase phase() const;  // of newly recorded nodes
  int add_scope(std::string path, CallSite where);

  Detail detail_;
  const Edits* edits_;
  const Intervener* intervener_;
  std::uint64_t serial_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<ScopeRecord> scopes_;
  std::unordered_map<std::string, int> name_uses_;
  int scope_ = 0;
  int origin_ = -1;  // the forward node that backward is at, or −1 outside backward
  bool updating_ = false;
};

// Makes `tape` live (nullptr: no recording) while an instance is alive, then restores the previous one.
struct RecordingGuard : Setting<Tape*> {
  explicit RecordingGuard(Tape* tape) : Setting(Context::current().tape, tape) {}
};

// Names the part of the computation recorded while an instance is alive: within Scope("attention"), .as("α") gives
// "attention/α".
class Scope {
 public:
  explicit Scope(std::string_view name, CallSite where = CallSite::current());
  ~Scope();
  Scope(const Scope&) = delete;

 private:
  Tape* tape_;
  int id_ = 0;
};

// An operand and its vjp, for `record`. Without a vjp no gradient flows to the operand.
struct Input {
  const Operand& operand;
  Vjp vjp = {};
};

// Records `y` as the result of `op` on `inputs` and returns it, edits applied; without a live tape, returns `y`. Every
// operation records here.
Tensor record(const Op& op, const Tensor& y, std::span<const Input> inputs);
template <typename... Inputs>
Tensor record(const Op& op, const Tensor& y, const Inputs&... inputs) {
  const Input list[] = {inputs...};
  return record(op, y, std::span<const Input>(list));
}

// Puts `value` on the live tape as a leaf and returns it, any edit of that name applied. A training tape differentiates
// only parameters.
Tensor input(std::string_view name, const Tensor& value, Role role = Role::input, bool needs_gradient = true,
             CallSite where = CallSite::current());

// Computes the gradient ∂loss/∂node of every node that needs one. `loss` is a single value on the live tape. A tracing
// tape records the backward pass too, each node with the forward node it belongs to. A training tape frees gradients
// and saved tensors once used: only leaves keep gradients, and backward runs once per loss. Throws Error(shape) when
// loss is not a single value, Error(input) when it is not on the live tape or backward has already run on it.
void backward(const Tensor& loss);

// ∂loss/∂x after backward, or an empty tensor when x has no gradient.
Tensor gradient(const Tensor& x);

// Numerical derivatives, to check backward against: f′(x) from f at x ± h and x ± 2h, with error O(h⁴).
// (Abramowitz & Stegun 1964, table 25.2.)
double four_point_difference(const std::function<double(double)>& f, double x, double h);

// The same for an f in single precision, with an adaptive step: large, so that rounding matters little, but smaller
// where f is too curved or leaves its domain.
double finite_difference(const std::function<double(double)>& f, double x);

}  // namespace unroll
