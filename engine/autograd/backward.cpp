// Reverse-mode differentiation along the tape, and numerical derivatives to check it against.
#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/kernels/elementwise.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// The two operations of backward itself. a + b, elementwise:
Tensor accumulate(Operand a, Operand b) {
  Tensor y(a.shape());
  y.array() = a.array() + b.array();
  const auto same = [](const Tensor& dy) { return dy; };
  return record({"accumulate", "elementwise", "{0} + {1}"}, y, Input{a, same}, Input{b, same});
}

// dy where the value was computed; 0 where an edit replaced it, since it does not depend on the operands there.
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
    if (freed(tape_.nodes_[loss])) fail(ErrorCode::input, "backward_twice");
    for (Node& node : tape_.nodes_) node.gradient = {};
    receive(loss, ones(loss, shape));
    for (int id = loss; id >= 0; --id) {
      if (!tape_.nodes_[id].gradient) continue;
      name_gradient(id);
      propagate(id);
      if (!tape_.tracing()) free_node(id);
    }
    leave_to(0);
    tape_.origin_ = -1;
  }

 private:
  // Propagates the gradient of a node to its operands. The tape may grow meanwhile, so hold no references into it.
  void propagate(int id) {
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

  // Accumulates in place if the tape need not show each sum; a gradient that another handle shares is copied first.
  void receive(const Edge& edge, const Tensor& dy) {
    Tensor& so_far = tape_.nodes_[edge.node].gradient;
    if (!edge.vjp.can_accumulate() || !so_far || tape_.tracing()) return receive(edge.node, edge.vjp(dy));
    if (!so_far.is_unique()) so_far = so_far.copy();
    edge.vjp.accumulate(dy, so_far);
  }

  // Whether an earlier backward has freed what the gradients of its operands need.
  bool freed(const Node& node) const {
    bool any = false;
    for (int i = 0; i < node.edges; ++i) any |= static_cast<bool>(tape_.edge(node, i).vjp);
    return node.needs_gradient && node.phase != Phase::leaf && !any;
  }

  // Frees the gradient and saved tensors of an intermediate node: training does not need them again, and memory freed
  // now is reused while it is still in cache.
  void free_node(int id) {
    Node& node = tape_.nodes_[id];
    if (node.phase == Phase::leaf) return;
    node.gradient = {};
    for (int i = 0; i < node.edges; ++i) tape_.edges_[node.first_edge + i].vjp.reset();
  }

  // Gradients that reach a node along several paths add up.
  void receive(int id, const Tensor& dy) {
    const Tensor& received = tape_.nodes_[id].gradient;
    if (received && received.is_unique() && !tape_.tracing()) return add_to(dy.data(), received.data(), dy.size());
    const Tensor so_far = received, sum = so_far ? accumulate(so_far, dy) : dy;
    tape_.nodes_[id].gradient = sum;
  }

  // The complete gradient of "attention/α" is named "∂attention/α". A gradient shared by several nodes, since it passes
  // through unchanged, is named after the first node it reaches, or the first with an explicit name.
  void name_gradient(int id) {
    const int at = tape_.find(tape_.nodes_[id].gradient);
    if (!tape_.tracing() || at < 0) return;
    const int previous = tape_.nodes_[at].gradient_of;
    if (previous >= 0 && (tape_.nodes_[previous].named || !tape_.nodes_[id].named)) return;
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

  // Backward scopes mirror the forward ones: "∂attention.softmax" holds the backward pass of attention.softmax.
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
    tape_.add_scope("∂" + forward.path, forward.where);
    mirrored_ = forward_scope;
  }

  // Parents come before their children, so the larger id is never an ancestor of the smaller.
  int common_ancestor(int a, int b) const {
    while (a != b) (a > b ? a : b) = tape_.scopes_[a > b ? a : b].parent;
    return a;
  }

  Tape& tape_;
  RecordingGuard recording_;
  int mirrored_ = 0;  // the forward scope that the open backward scope mirrors
};

void backward(const Tensor& loss) {
  Tape* tape = Tape::live();
  const int id = tape ? tape->find(loss) : -1;
  if (id < 0) fail(ErrorCode::input, "backward_without_tape");
  if (loss.size() != 1) fail(ErrorCode::shape, "backward_loss_is_not_single", loss.shape());
  Backward{*tape}(id, loss.shape());
}

Tensor gradient(const Tensor& x) {
  const Tape* tape = Tape::live();
  const int id = tape ? tape->find(x) : -1;
  return id < 0 ? Tensor() : tape->nodes()[id].gradient;
}

double four_point_difference(const std::function<double(double)>& f, double x, double h) {
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

// Halves the step until two estimates agree up to rounding: a step as large as the value itself may leave the domain of
// a logarithm.
double finite_difference(const std::function<double(double)>& f, double x) {
  const double rounding = 4e-7 * std::abs(f(x));
  double h = 1.0 / 32 * std::max(1.0, std::abs(x)), wide = four_point_difference(f, x, h);
  for (int halvings = 0; halvings < 12; ++halvings, h /= 2) {
    const double narrow = four_point_difference(f, x, h / 2);
    if (std::abs(narrow - wide) <= 1e-4 * std::abs(narrow) + rounding / h) return wide;
    wide = narrow;
  }
  return wide;
}

}  // namespace unroll
