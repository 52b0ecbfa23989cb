#include "engine/program/bindings.h"

#include "engine/program/walk.h"

namespace unroll::program {
namespace {

class Binder {
 public:
  explicit Binder(const OnBound& on_bound) : on_bound_(on_bound) {}

  void bind(const Block& block) const {
    for (const Statement& each : block) bind(each);
  }

  void bind_target(const Expression& target) const {
    if (const auto* name = std::get_if<Name>(&target.node)) on_bound_(name->symbol, target.place);
    if (const auto* starred = std::get_if<Starred>(&target.node)) bind_target(*starred->value);
    if (const auto* several = std::get_if<Sequence>(&target.node))
      for (const ExpressionPtr& each : several->items) bind_target(*each);
  }

 private:
  void bind(const Statement& statement) const {
    std::visit([&](const auto& node) { bind_by(node, statement.place); }, statement.node);
    for_each_child(
        statement, [&](const Expression& each) { bind_walruses(each); }, [&](const Block& each) { bind(each); });
  }

  void bind_walruses(const Expression& expression) const {
    if (const auto* walrus = std::get_if<Walrus>(&expression.node)) on_bound_(walrus->symbol, expression.place);
    for_each_child(expression, [&](const Expression& each) { bind_walruses(each); });
  }

  // What the statement itself binds, apart from what is within it.
  void bind_by(const Evaluate&, const Place&) const {}
  void bind_by(const Assign& node, const Place&) const {
    for (const ExpressionPtr& each : node.targets) bind_target(*each);
  }
  void bind_by(const Annotate& node, const Place&) const { bind_target(*node.target); }
  void bind_by(const Update& node, const Place&) const { bind_target(*node.target); }
  void bind_by(const Return&, const Place&) const {}
  void bind_by(const If&, const Place&) const {}
  void bind_by(const While&, const Place&) const {}
  void bind_by(const For& node, const Place&) const { bind_target(*node.target); }
  void bind_by(const Define& node, const Place& place) const { on_bound_(node.function->symbol, place); }
  void bind_by(const DefineClass& node, const Place& place) const { on_bound_(node.definition->symbol, place); }
  void bind_by(const Import& node, const Place& place) const {
    for (const Import::Bound& each : node.names)
      if (each.member != "*") on_bound_(each.symbol, place);
  }
  void bind_by(const Delete& node, const Place&) const {
    for (const ExpressionPtr& each : node.targets) bind_target(*each);
  }
  void bind_by(const Assert&, const Place&) const {}
  void bind_by(const Raise&, const Place&) const {}
  void bind_by(const Try& node, const Place&) const {
    for (const Try::Handler& each : node.handlers)
      if (each.symbol) on_bound_(*each.symbol, each.place);
  }
  void bind_by(const With& node, const Place&) const {
    for (const auto& [_, target] : node.items)
      if (target) bind_target(*target);
  }
  void bind_by(const Jump&, const Place&) const {}
  void bind_by(const Unsupported&, const Place&) const {}

  const OnBound& on_bound_;
};

}  // namespace

void for_each_bound(const Block& block, const OnBound& on_bound) { Binder(on_bound).bind(block); }

void for_each_bound(const Expression& target, const OnBound& on_bound) { Binder(on_bound).bind_target(target); }

}  // namespace unroll::program
