#include "engine/autograd/backward.h"

#include "engine/autograd/tape.h"
#include "engine/tensor/elementwise.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// Backward itself needs two operations. a + b, elementwise:
Tensor accumulate(Operand a, Operand b) {
  Tensor y(a.shape());
  y.array() = a.array() + b.array();
  const auto same = [](const Tensor& dy) { return dy; };
  return record({"accumulate", "elementwise", "{0} + {1}"}, y, Input{a, same}, Input{b, same});
}

// dy where a value was computed; 0 where an edit replaced it, for there it does not depend on the operands.
Tensor through_computed(Operand computed, Operand dy) {
  const Operand none = 0;
  Tensor y(dy.shape());
  y.array() = (computed.array() != 0).select(dy.array(), Scalar(0));
  return record({"where", "elementwise", "{0} ? {1} : {2}"}, y, Input{computed},
                Input{dy, [computed](const Tensor& dy) { return through_computed(computed, dy); }}, Input{none});
}

}  // namespace

class Backward {
 public:
  explicit Backward(Tape& tape) : tape_(tape), recording_(tape.tracing() ? &tape : nullptr) {}

  void operator()(int loss, const Shape& shape) {
    if (spent(tape_.nodes_[loss])) fail(ErrorCode::input, "[backward] this loss went back already: compute it anew.");
    for (Node& node : tape_.nodes_) node.gradient = {};
    receive(loss, ones(loss, shape));
    for (int id = loss; id >= 0; --id) {
      if (!tape_.nodes_[id].gradient) continue;
      name_gradient(id);
      pass_on(id);
      if (!tape_.tracing()) let_go(id);
    }
    leave_to(0);
    tape_.origin_ = -1;
  }

 private:
  // From the result of one operation to its operands. The tape may grow under way, so nothing here is held by
  // reference.
  void pass_on(int id) {
    const Node node = tape_.nodes_[id];
    enter(node.scope);
    tape_.origin_ = id;
    const bool blocked = node.edited && node.needs_gradient && node.edges > 0;
    const Tensor dy = blocked ? through_computed(node.computed, node.gradient) : node.gradient;
    for (int i = 0; i < node.edges; ++i) {
      const Edge edge = tape_.edges_[node.first_edge + i];
      if (edge.vjp) receive(edge, dy);
    }
  }

  void receive(const Edge& edge, const Tensor& dy) {
    if (edge.vjp.can_add() && adds_in_place(edge.node)) return edge.vjp.add(dy, tape_.nodes_[edge.node].gradient);
    receive(edge.node, edge.vjp(dy));
  }

  // Whether a gradient may be added where the one so far lies: nobody else sees it, and the tape need not show each
  // sum.
  bool adds_in_place(int id) const {
    const Tensor& so_far = tape_.nodes_[id].gradient;
    return so_far && so_far.is_sole() && !tape_.tracing();
  }

  // Whether what its gradient needs was let go.
  bool spent(const Node& node) const {
    bool any = false;
    for (int i = 0; i < node.edges; ++i) any |= static_cast<bool>(tape_.edge(node, i).vjp);
    return node.needs_gradient && node.phase != Phase::leaf && !any;
  }

  // Nobody asks for an intermediate result of training again: what is given back now is reused while the nearest
  // caches still hold it.
  void let_go(int id) {
    Node& node = tape_.nodes_[id];
    if (node.phase == Phase::leaf) return;
    node.gradient = {};
    for (int i = 0; i < node.edges; ++i) tape_.edges_[node.first_edge + i].vjp.forget();
  }

  // Gradients that reach a node along several paths add up.
  void receive(int id, const Tensor& dy) {
    if (adds_in_place(id)) return add_run(dy.data(), tape_.nodes_[id].gradient.data(), dy.size());
    const Tensor so_far = tape_.nodes_[id].gradient, sum = so_far ? accumulate(so_far, dy) : dy;
    tape_.nodes_[id].gradient = sum;
  }

  // The complete gradient of "attention/α" is called "∂attention/α". One that several nodes share, since it passes
  // through unchanged, is called after the first it reaches, but rather after one with a name of its own.
  void name_gradient(int id) {
    const int at = tape_.find(tape_.nodes_[id].gradient);
    if (!tape_.tracing() || at < 0) return;
    const int before = tape_.nodes_[at].gradient_of;
    if (before >= 0 && (tape_.nodes_[before].named || !tape_.nodes_[id].named)) return;
    tape_.nodes_[at].gradient_of = id;
    tape_.nodes_[at].name = tape_.unique("∂" + tape_.nodes_[id].name);
  }

  Tensor ones(int loss, const Shape& shape) {
    const Tensor seed = Tensor::full(shape, 1);
    if (!tape_.tracing()) return seed;
    tape_.origin_ = loss;
    tape_.add({.op = {"seed", "seed", "1"},
               .value = seed,
               .where = tape_.nodes_[loss].where,
               .origin = loss,
               .phase = Phase::backward,
               .role = Role::gradient});
    return seed;
  }

  // Backward scopes mirror the forward ones: "∂attention.softmax" holds what flows back through attention.softmax.
  void enter(int forward_scope) {
    if (!tape_.tracing() || forward_scope == mirrored_) return;
    const int common = common_ancestor(forward_scope, mirrored_);
    leave_to(common);
    open_below(common, forward_scope);
  }

  void leave_to(int forward_scope) {
    for (; mirrored_ != forward_scope; mirrored_ = tape_.scopes_[mirrored_].parent) tape_.close_scope(tape_.scope_);
  }

  void open_below(int ancestor, int forward_scope) {
    if (forward_scope == ancestor) return;
    open_below(ancestor, tape_.scopes_[forward_scope].parent);
    const ScopeRecord forward = tape_.scopes_[forward_scope];
    tape_.open_scope("∂" + forward.path, forward.where, Phase::backward);
    mirrored_ = forward_scope;
  }

  // Parents come before their children, so the larger id is never an ancestor of the smaller.
  int common_ancestor(int a, int b) const {
    while (a != b) (a > b ? a : b) = tape_.scopes_[a > b ? a : b].parent;
    return a;
  }

  Tape& tape_;
  Recording recording_;
  int mirrored_ = 0;  // the forward scope the walk is in
};

void backward(const Tensor& loss) {
  Tape* tape = Tape::live();
  const int id = tape ? tape->find(loss) : -1;
  if (id < 0) fail(ErrorCode::input, "[backward] the loss was not computed on the live tape.");
  if (loss.size() != 1) fail(ErrorCode::shape, "[backward] the loss is ", loss.shape(), ": it must be a single value.");
  Backward{*tape}(id, loss.shape());
}

Tensor gradient(const Tensor& x) {
  const Tape* tape = Tape::live();
  const int id = tape ? tape->find(x) : -1;
  return id < 0 ? Tensor() : tape->nodes()[id].gradient;
}

}  // namespace unroll
