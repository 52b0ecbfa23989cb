#include "engine/program/known_names.h"

#include <algorithm>

#include "engine/program/library.h"

namespace unroll::program {
namespace {

// Names of Python that run, read or reveal something. No variable outside of functions may have one: where it is not
// bound yet, Python means its own.
constexpr const char* of_python[] = {"breakpoint", "compile", "delattr", "dir",   "eval",    "exec",   "exit",
                                     "getattr",    "globals", "help",    "input", "locals",  "open",   "quit",
                                     "setattr",    "super",   "type",    "vars",  "license", "credits"};

class NameChecker {
 public:
  NameChecker(const Program& program, const std::set<std::string>& constants)
      : program_(program), constants_(constants) {
    bind(program.body);
  }

  void check(const Block& block) {
    for (const Statement& each : block)
      std::visit([&](const auto& node) { check_statement(node, each.place); }, each.node);
  }

 private:
  // Names that a block outside of functions binds.
  void bind(const Block& block) {
    for (const Statement& each : block) {
      if (const auto* assign = std::get_if<Assign>(&each.node))
        for (const ExpressionPtr& target : assign->targets) bind(*target);
      if (const auto* loop = std::get_if<For>(&each.node)) bind(*loop->target), bind(loop->body);
      if (const auto* loop = std::get_if<While>(&each.node)) bind(loop->body);
      if (const auto* define = std::get_if<Define>(&each.node)) bind(define->function->symbol, each.place);
      if (const auto* choice = std::get_if<If>(&each.node)) {
        for (const auto& [_, body] : choice->branches) bind(body);
        bind(choice->otherwise);
      }
    }
  }
  void bind(const Expression& target) {
    if (const auto* name = std::get_if<Name>(&target.node)) bind(name->symbol, target.place);
    if (const auto* several = std::get_if<Sequence>(&target.node))
      for (const ExpressionPtr& each : several->items) bind(*each);
  }
  void bind(Symbol symbol, const Place& place) {
    const std::string& name = program_.names[symbol];
    if (name.starts_with("__") || std::ranges::find(of_python, name) != std::end(of_python))
      fail_at(place, "name_is_of_python", name);
    globals_.insert(symbol);
  }

  void check_statement(const Evaluate& node, const Place&) { check(*node.value); }
  void check_statement(const Assign& node, const Place&) {
    for (const ExpressionPtr& each : node.targets) check(*each);
    check(*node.value);
  }
  void check_statement(const Update& node, const Place&) { check(*node.target), check(*node.value); }
  void check_statement(const Return& node, const Place&) { check(node.value); }
  void check_statement(const If& node, const Place&) {
    for (const auto& [condition, body] : node.branches) check(*condition), check(body);
    check(node.otherwise);
  }
  void check_statement(const While& node, const Place&) { check(*node.condition), check(node.body); }
  void check_statement(const For& node, const Place&) { check(*node.target), check(*node.iterable), check(node.body); }
  void check_statement(const Define& node, const Place&) {
    for (const ParameterName& each : node.function->parameters) check(each.fallback);
    const Function* const outer = std::exchange(function_, node.function.get());
    check(node.function->body);
    function_ = outer;
  }
  void check_statement(const Pass&, const Place&) {}
  void check_statement(const Break&, const Place&) {}
  void check_statement(const Continue&, const Place&) {}

  void check(const ExpressionPtr& expression) {
    if (expression) check(*expression);
  }
  void check(const Expression& at) {
    std::visit([&](const auto& node) { check_node(node, at.place); }, at.node);
  }
  void check(const std::vector<ExpressionPtr>& all) {
    for (const ExpressionPtr& each : all) check(each);
  }

  void check_node(const Constant&, const Place&) {}
  void check_node(const Formatted& node, const Place&) { check(node.parts); }
  void check_node(const Name& node, const Place& place) {
    const std::string& name = program_.names[node.symbol];
    const auto holds = [&](const auto& symbols) {
      return std::ranges::find(symbols, node.symbol) != std::end(symbols);
    };
    const bool is_bound =
        holds(loop_names_) || (function_ && holds(function_->locals)) || globals_.contains(node.symbol);
    if (!is_bound && !find_function(name) && !find_constant(name) && !constants_.contains(name))
      fail_at(place, "no_such_variable", name);
  }
  void check_node(const Sequence& node, const Place&) { check(node.items); }
  void check_node(const Comprehension& node, const Place&) {
    check(node.iterable);
    const std::size_t before = loop_names_.size();
    bind_loop(*node.target);
    check(node.item), check(node.condition);
    loop_names_.resize(before);
  }
  void bind_loop(const Expression& target) {
    if (const auto* name = std::get_if<Name>(&target.node)) loop_names_.push_back(name->symbol);
    if (const auto* several = std::get_if<Sequence>(&target.node))
      for (const ExpressionPtr& each : several->items) bind_loop(*each);
  }
  void check_node(const Negative& node, const Place&) { check(node.operand); }
  void check_node(const Not& node, const Place&) { check(node.operand); }
  void check_node(const Binary& node, const Place&) { check(node.left), check(node.right); }
  void check_node(const Logical& node, const Place&) { check(node.left), check(node.right); }
  void check_node(const Comparison& node, const Place&) {
    check(node.first);
    for (const auto& [_, right] : node.rest) check(right);
  }
  void check_node(const Conditional& node, const Place&) {
    check(node.condition), check(node.then), check(node.otherwise);
  }
  void check_node(const Call& node, const Place&) {
    check(node.callee);
    for (const Argument& each : node.arguments) check(each.value);
  }
  void check_node(const Attribute& node, const Place& place) {
    check(node.object);
    const std::string& name = node.name;
    if (!find_method(name) && name != "T" && name != "mT" && name != "shape" && name != "append")
      fail_at(place, "no_such_method", name);
  }
  void check_node(const Index& node, const Place&) {
    check(node.object);
    for (const Subscript& each : node.subscripts) {
      if (const auto* one = std::get_if<ExpressionPtr>(&each)) check(*one);
      if (const auto* slice = std::get_if<Slice>(&each)) check(slice->start), check(slice->stop), check(slice->step);
    }
  }

  const Program& program_;
  const std::set<std::string>& constants_;
  std::set<Symbol> globals_;
  const Function* function_ = nullptr;
  std::vector<Symbol> loop_names_;  // of the lists [… for …] around
};

}  // namespace

void refuse_unknown_names(const Program& program, const std::set<std::string>& constants) {
  NameChecker(program, constants).check(program.body);
}

}  // namespace unroll::program
