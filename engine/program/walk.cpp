#include "engine/program/walk.h"

namespace unroll::program {
namespace {

class Children {
 public:
  Children(const OnExpression& on_expression, const OnBlock* on_block)
      : on_expression_(on_expression), on_block_(on_block) {}

  void in(const Constant&) const {}
  void in(const Formatted& node) const {
    for (const Formatted::Part& each : node.parts) visit(each.value), visit(each.format);
  }
  void in(const Name&) const {}
  void in(const Sequence& node) const { visit(node.items); }
  void in(const SetDisplay& node) const { visit(node.items); }
  void in(const DictDisplay& node) const {
    for (const auto& [key, value] : node.items) visit(key), visit(value);
  }
  void in(const Starred& node) const { visit(node.value); }
  void in(const Comprehension& node) const {
    visit(node.key), visit(node.item);
    for (const Comprehension::Clause& each : node.clauses)
      visit(each.target), visit(each.iterable), visit(each.conditions);
  }
  void in(const Lambda& node) const { visit_defaults(*node.function); }
  void in(const Walrus& node) const { visit(node.value); }
  void in(const Unary& node) const { visit(node.operand); }
  void in(const Binary& node) const { visit(node.left), visit(node.right); }
  void in(const Logical& node) const { visit(node.left), visit(node.right); }
  void in(const Comparison& node) const {
    visit(node.first);
    for (const auto& [_, right] : node.rest) visit(right);
  }
  void in(const Conditional& node) const { visit(node.then), visit(node.condition), visit(node.otherwise); }
  void in(const Call& node) const { visit(node.callee), visit(node.arguments); }
  void in(const Attribute& node) const { visit(node.object); }
  void in(const Index& node) const {
    visit(node.object);
    for (const Subscript& each : node.subscripts) std::visit([&](const auto& subscript) { in(subscript); }, each);
  }
  void in(const ExpressionPtr& subscript) const { visit(subscript); }
  void in(const Slice& node) const { visit(node.start), visit(node.stop), visit(node.step); }
  void in(const Ellipsis&) const {}
  void in(const Unsupported&) const {}

  void in(const Evaluate& node) const { visit(node.value); }
  void in(const Assign& node) const { visit(node.targets), visit(node.value); }
  void in(const Annotate& node) const { visit(node.target), visit(node.value); }
  void in(const Update& node) const { visit(node.target), visit(node.value); }
  void in(const Return& node) const { visit(node.value); }
  void in(const If& node) const {
    for (const auto& [condition, body] : node.branches) visit(condition), visit(body);
    visit(node.otherwise);
  }
  void in(const While& node) const { visit(node.condition), visit(node.body), visit(node.otherwise); }
  void in(const For& node) const { visit(node.target), visit(node.iterable), visit(node.body), visit(node.otherwise); }
  void in(const Define& node) const { visit(node.decorators), visit_defaults(*node.function); }
  void in(const DefineClass& node) const { visit(node.decorators), visit(node.definition->bases); }
  void in(const Import&) const {}
  void in(const Delete& node) const { visit(node.targets); }
  void in(const Assert& node) const { visit(node.condition), visit(node.message); }
  void in(const Raise& node) const { visit(node.value), visit(node.cause); }
  void in(const Try& node) const {
    visit(node.body);
    for (const Try::Handler& each : node.handlers) visit(each.type), visit(each.body);
    visit(node.otherwise), visit(node.last);
  }
  void in(const With& node) const {
    for (const auto& [value, target] : node.items) visit(value), visit(target);
    visit(node.body);
  }
  void in(const Jump&) const {}

 private:
  void visit(const ExpressionPtr& expression) const {
    if (expression) on_expression_(*expression);
  }
  void visit(const std::vector<ExpressionPtr>& all) const {
    for (const ExpressionPtr& each : all) visit(each);
  }
  void visit(const std::vector<Argument>& all) const {
    for (const Argument& each : all) visit(each.value);
  }
  void visit(const Block& block) const {
    if (!block.empty()) (*on_block_)(block);
  }
  void visit_defaults(const Function& function) const {
    for (const ParameterName& each : function.parameters) visit(each.fallback);
  }

  const OnExpression& on_expression_;
  const OnBlock* on_block_;  // of a statement
};

class TreeWalk {
 public:
  TreeWalk(const OnExpression& on_expression, const std::function<void(const Statement&)>& on_statement)
      : on_expression_(on_expression), on_statement_(on_statement) {}

  void over(const Block& block) const {
    for (const Statement& each : block) {
      if (on_statement_) on_statement_(each);
      for_each_child(
          each, [&](const Expression& child) { over(child); }, [&](const Block& child) { over(child); });
      if (const auto* define = std::get_if<Define>(&each.node)) over(define->function->body);
      if (const auto* define = std::get_if<DefineClass>(&each.node)) over(define->definition->body);
    }
  }

 private:
  void over(const Expression& expression) const {
    if (on_expression_) on_expression_(expression);
    for_each_child(expression, [&](const Expression& child) { over(child); });
    if (const auto* lambda = std::get_if<Lambda>(&expression.node)) over(lambda->function->body);
  }

  const OnExpression& on_expression_;
  const std::function<void(const Statement&)>& on_statement_;
};

}  // namespace

void for_each_child(const Expression& expression, const OnExpression& on_expression) {
  const Children children(on_expression, nullptr);
  std::visit([&](const auto& node) { children.in(node); }, expression.node);
}

void for_each_child(const Statement& statement, const OnExpression& on_expression, const OnBlock& on_block) {
  const Children children(on_expression, &on_block);
  std::visit([&](const auto& node) { children.in(node); }, statement.node);
}

void for_each_within(const Block& block, const OnExpression& on_expression,
                     const std::function<void(const Statement&)>& on_statement) {
  TreeWalk(on_expression, on_statement).over(block);
}

}  // namespace unroll::program
