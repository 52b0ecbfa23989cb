#include "engine/autograd/tape.h"

#include <algorithm>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

std::uint64_t tapes_made = 0;

std::string join_path(const std::string& path, std::string_view name, char separator) {
  return path.empty() ? std::string(name) : path + separator + std::string(name);
}

}  // namespace

void set_edit(Edits& edits, const std::string& name, std::size_t index, Scalar value) {
  std::vector<Edit>& list = edits[name];
  const auto found = std::ranges::find(list, index, &Edit::index);
  if (found != list.end())
    found->value = value;
  else
    list.push_back({index, value});
}

std::string Op::rule_text() const {
  std::string text = rule;
  for (int i = 0; i < argument_count; ++i) text += (i == 0 ? ':' : ',') + std::to_string(arguments[i]);
  return text;
}

Tape::Tape(Detail detail, const Edits* edits, const Intervener* intervener)
    : detail_(detail), edits_(edits), intervener_(intervener) {
  clear();
}

void Tape::clear() {
  serial_ = ++tapes_made;
  nodes_.clear();
  edges_.clear();
  name_uses_.clear();
  scopes_.assign(1, ScopeRecord{});
  scope_ = 0;
  origin_ = -1;
  updating_ = false;
}

int Tape::find(const Tensor& tensor) const { return tensor.mark().record == serial_ ? tensor.mark().entry : -1; }

int Tape::find(std::string_view name) const {
  const auto found = std::ranges::find(nodes_, name, &Node::name);
  return found == nodes_.end() ? -1 : static_cast<int>(found - nodes_.begin());
}

int Tape::add(Node node) {
  const int id = static_cast<int>(nodes_.size());
  node.scope = scope_;
  node.value.set_mark({serial_, id});
  if (tracing())
    node.name = unique(join_path(scopes_[scope_].path, node.op.name, '/'));
  else
    node.value = {};
  nodes_.push_back(std::move(node));
  if (tracing() && nodes_[id].phase != Phase::leaf) apply_edits(id);
  return id;
}

int Tape::leaf(const Op& op, const Tensor& value, std::string_view name, Role role, bool needs_gradient,
               CallSite where) {
  const int id = add(
      {.op = op, .value = value, .where = where, .phase = Phase::leaf, .role = role, .needs_gradient = needs_gradient});
  if (tracing() && !name.empty()) {
    nodes_[id].name = unique(std::string(name));
    nodes_[id].named = true;
    apply_edits(id);
  }
  return id;
}

// A tensor that no operation recorded.
int Tape::constant(const Tensor& value, CallSite where) {
  return leaf({"constant"}, value, "", Role::input, false, where);
}

Tensor Tape::rename(const Tensor& tensor, std::string_view name, Role role, CallSite where) {
  if (!tracing()) return tensor;
  std::string path = unique(join_path(scopes_[scope_].path, name, '/'));
  const Tensor renamed = intervened(path, tensor, where);
  const int found = find(renamed), id = found >= 0 ? found : constant(renamed, where);
  nodes_[id].name = std::move(path);
  nodes_[id].named = true;
  nodes_[id].role = role;
  apply_edits(id);
  return nodes_[id].value;
}

void Tape::set_role(const Tensor& tensor, Role role) {
  const int id = find(tensor);
  if (id >= 0 && nodes_[id].phase == Phase::forward) nodes_[id].role = role;
}

// Numbers a name from its second use on: "decoder/α", "decoder/α#2". A numbered name may be taken already.
std::string Tape::unique(const std::string& name) {
  int uses = ++name_uses_[name];
  if (uses == 1) return name;
  for (;; uses = ++name_uses_[name])
    if (const std::string numbered = name + '#' + std::to_string(uses); ++name_uses_[numbered] == 1) return numbered;
}

Tensor Tape::intervened(const std::string& name, const Tensor& tensor, CallSite where) const {
  return intervener_ ? intervener_->replaced(name, tensor, where) : tensor;
}

// What an input was replaced by is an input, too. Parameters are replaced where layers read them: bindings/guards.h.
Tensor Tape::intervened_leaf(std::string_view name, const Tensor& value, Role role, CallSite where) const {
  if (!tracing() || role == Role::parameter) return value;
  const Setting<Tape*> nothing(Context::current().tape, nullptr);
  return intervened(std::string(name), value, where);
}

// Edits replace values as the node is recorded, so everything downstream is computed from the edited values.
void Tape::apply_edits(int id) {
  if (!edits_) return;
  Node& node = nodes_[id];
  const auto edits = edits_->find(node.name);
  if (edits == edits_->end()) return;
  if (!node.edited) prepare_edit(id);
  for (const Edit& edit : edits->second) {
    if (edit.index >= node.value.size()) continue;
    node.value.data()[edit.index] = edit.value;
    node.computed.data()[edit.index] = 0;
  }
}

// A leaf is copied, so that the model's own tensor stays unedited. The result of an operation changes in all its
// handles, since its gradient may use it (exp: dy · y).
void Tape::prepare_edit(int id) {
  Node& node = nodes_[id];
  if (node.phase == Phase::leaf)
    node.value = node.value.copy();
  else
    node.value.make_unique_values();
  node.value.set_mark({serial_, id});
  node.computed = Tensor::full(node.value.shape(), 1);
  node.edited = true;
}

Phase Tape::phase() const {
  if (origin_ >= 0) return Phase::backward;
  return updating_ ? Phase::update : Phase::forward;
}

int Tape::open_scope(std::string_view name, CallSite where) {
  return add_scope(join_path(scopes_[scope_].path, name, '.'), where);
}

int Tape::add_scope(std::string path, CallSite where) {
  scopes_.push_back({std::move(path), scope_, where, static_cast<int>(nodes_.size()), -1, phase()});
  return scope_ = static_cast<int>(scopes_.size()) - 1;
}

void Tape::close_scope(int id) {
  scopes_[id].last = static_cast<int>(nodes_.size()) - 1;
  scope_ = scopes_[id].parent;
}

Scope::Scope(std::string_view name, CallSite where) : tape_(Tape::live()) {
  if (tape_ && !tape_->tracing()) tape_ = nullptr;
  if (tape_) id_ = tape_->open_scope(name, where);
}

Scope::~Scope() {
  if (tape_) tape_->close_scope(id_);
}

Tensor Tape::record(const Op& op, const Tensor& y, std::span<const Input> inputs) {
  bool needs_gradient = false;
  for (const Input& input : inputs) needs_gradient |= input.vjp && gradient_flows_to(input.operand);
  if (!needs_gradient && !tracing()) return y;

  const int first_edge = static_cast<int>(edges_.size());
  for (const Input& input : inputs) {
    const int id = node_of(input.operand);
    edges_.push_back({id, nodes_[id].needs_gradient ? input.vjp : Vjp()});
  }
  const int id = add({.op = op,
                      .value = y,
                      .where = inputs[0].operand.where,
                      .origin = origin_,
                      .first_edge = first_edge,
                      .edges = static_cast<int>(inputs.size()),
                      .phase = phase(),
                      .role = phase() == Phase::backward ? Role::gradient : Role::state,
                      .needs_gradient = needs_gradient});
  return tracing() ? nodes_[id].value : y;
}

bool Tape::gradient_flows_to(const Tensor& operand) const {
  const int id = find(operand);
  return id >= 0 && nodes_[id].needs_gradient;
}

int Tape::node_of(const Operand& operand) {
  const int id = find(operand);
  return id >= 0 ? id : constant(operand, operand.where);
}

Tensor Tape::input(std::string_view name, const Tensor& value, Role role, bool needs_gradient, CallSite where) {
  const bool stopped = intervener_ && intervener_->stops_gradient(name);
  const bool differentiable = needs_gradient && !stopped && (tracing() || role == Role::parameter);
  const Op op{role == Role::parameter ? "parameter" : "input"};
  const int id = leaf(op, intervened_leaf(name, value, role, where), name, role, differentiable, where);
  return tracing() ? nodes_[id].value : value;
}

Tensor record(const Op& op, const Tensor& y, std::span<const Input> inputs) {
  Tape* tape = Tape::live();
  return tape ? tape->record(op, y, inputs) : y;
}

Tensor input(std::string_view name, const Tensor& value, Role role, bool needs_gradient, CallSite where) {
  Tape* tape = Tape::live();
  return tape ? tape->input(name, value, role, needs_gradient, where) : value;
}

Tensor Tensor::as(std::string_view name, Role role, CallSite where) const {
  Tape* tape = Tape::live();
  return tape ? tape->rename(*this, name, role, where) : *this;
}

}  // namespace unroll
