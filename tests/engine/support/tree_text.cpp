#include "tests/engine/support/tree_text.h"

#include "engine/tensor/error.h"

namespace unroll {
namespace {

using namespace program;

constexpr const char* operators[] = {"+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"};
constexpr const char* relation_signs[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};

class Printer {
 public:
  explicit Printer(const Names& names) : names_(names) {}

  std::string of(const program::Block& block) const {
    std::string all;
    for (const Statement& each : block)
      all += (all.empty() ? "" : "; ") + std::visit([&](const auto& node) { return of(node); }, each.node);
    return all;
  }

 private:
  std::string of(const ExpressionPtr& expression) const {
    if (!expression) return "-";
    return std::visit([&](const auto& node) { return of(node); }, expression->node);
  }
  std::string of(Symbol symbol) const { return symbol < 0 ? "-" : names_[symbol]; }
  std::string in_list(const auto& all) const {
    std::string list;
    for (const auto& each : all) list += (list.empty() ? "" : " ") + of(each);
    return list;
  }
  // Nothing, or what is in a block after a word.
  std::string part(const char* word, const program::Block& block) const {
    return block.empty() ? "" : std::string(" ") + word + " " + of(block);
  }
  std::string of(const program::Scope& scope) const {
    std::string all = "{" + in_list(scope.locals);
    if (!scope.globals.empty()) all += " global " + in_list(scope.globals);
    return all + "}";
  }

  std::string of(const Constant& node) const {
    if (const auto* text = node.value.as<std::string>()) return "'" + *text + "'";
    if (const auto* truth = node.value.as<bool>()) return *truth ? "True" : "False";
    if (const auto* whole = node.value.as<std::int64_t>()) return std::to_string(*whole);
    if (const auto* number = node.value.as<double>()) return text_of(*number) + "f";
    return "None";
  }
  std::string of(const Formatted::Part& part) const {
    if (const auto* constant = std::get_if<Constant>(&part.value->node); constant && !part.conversion && !part.format)
      return of(*constant);
    std::string all = "{" + of(part.value);
    if (part.conversion) all += std::string("!") + part.conversion;
    if (part.format) all += ":" + of(part.format);
    return all + "}";
  }
  std::string of(const Formatted& node) const { return "(f " + in_list(node.parts) + ")"; }
  std::string of(const Name& node) const { return of(node.symbol); }
  std::string of(const Sequence& node) const {
    return node.is_tuple ? "(, " + in_list(node.items) + ")" : "[" + in_list(node.items) + "]";
  }
  std::string of(const SetDisplay& node) const { return "(set " + in_list(node.items) + ")"; }
  std::string of(const std::pair<ExpressionPtr, ExpressionPtr>& entry) const {
    return (entry.first ? of(entry.first) + ":" : "**") + of(entry.second);
  }
  std::string of(const DictDisplay& node) const { return "(dict " + in_list(node.items) + ")"; }
  std::string of(const Starred& node) const { return "*" + of(node.value); }
  std::string of(const Comprehension::Clause& clause) const {
    std::string all = "for " + of(clause.target) + " in " + of(clause.iterable);
    for (const ExpressionPtr& each : clause.conditions) all += " if " + of(each);
    return all;
  }
  std::string of(const Comprehension& node) const {
    constexpr const char* kinds[] = {"list", "set", "dict", "generator"};
    return std::string("(") + kinds[static_cast<int>(node.kind)] + " " + of(*node.scope) + " " +
           (node.key ? of(node.key) + ":" : "") + of(node.item) + " " + in_list(node.clauses) + ")";
  }
  std::string of(const ParameterName& parameter) const {
    constexpr const char* marks[] = {"", "-", "*", "**"};
    return marks[static_cast<int>(parameter.kind)] + of(parameter.symbol) +
           (parameter.fallback ? "=" + of(parameter.fallback) : "");
  }
  std::string of(const Function& function) const {
    return function.name + "(" + in_list(function.parameters) + ") " +
           of(static_cast<const program::Scope&>(function)) + " " + of(function.body);
  }
  std::string of(const Lambda& node) const { return "(" + of(*node.function) + ")"; }
  std::string of(const Walrus& node) const { return "(:= " + of(node.symbol) + " " + of(node.value) + ")"; }
  std::string of(const Unary& node) const {
    constexpr const char* signs[] = {"-", "+", "~", "not"};
    return std::string("(") + signs[static_cast<int>(node.kind)] + " " + of(node.operand) + ")";
  }
  std::string of(const Binary& node) const {
    return std::string("(") + operators[static_cast<int>(node.operation)] + " " + of(node.left) + " " + of(node.right) +
           ")";
  }
  std::string of(const Logical& node) const {
    return std::string(node.is_or ? "(or " : "(and ") + of(node.left) + " " + of(node.right) + ")";
  }
  std::string of(const Comparison& node) const {
    std::string all = "(" + of(node.first);
    for (const auto& [relation, right] : node.rest)
      all += std::string(" ") + relation_signs[static_cast<int>(relation)] + " " + of(right);
    return all + ")";
  }
  std::string of(const Conditional& node) const {
    return "(if " + of(node.condition) + " " + of(node.then) + " " + of(node.otherwise) + ")";
  }
  std::string of(const Argument& argument) const {
    constexpr const char* marks[] = {"", "*", "**"};
    return marks[static_cast<int>(argument.kind)] + (argument.name.empty() ? "" : argument.name + "=") +
           of(argument.value);
  }
  std::string of(const Call& node) const { return of(node.callee) + "(" + in_list(node.arguments) + ")"; }
  std::string of(const Attribute& node) const { return of(node.object) + "." + node.name; }
  std::string of(const Slice& node) const { return of(node.start) + ":" + of(node.stop) + ":" + of(node.step); }
  std::string of(const Subscript& subscript) const {
    return std::visit([&](const auto& node) { return of(node); }, subscript);
  }
  std::string of(const Index& node) const {
    return of(node.object) + (node.is_tuple ? "[, " : "[") + in_list(node.subscripts) + "]";
  }
  std::string of(const Ellipsis&) const { return "..."; }
  std::string of(const Unsupported& node) const { return "<" + node.word + ">"; }

  std::string of(const Evaluate& node) const { return of(node.value); }
  std::string of(const Assign& node) const { return "(= " + in_list(node.targets) + " " + of(node.value) + ")"; }
  std::string of(const Annotate& node) const { return "(: " + of(node.target) + " " + of(node.value) + ")"; }
  std::string of(const Update& node) const {
    return std::string("(") + operators[static_cast<int>(node.operation)] + "= " + of(node.target) + " " +
           of(node.value) + ")";
  }
  std::string of(const Return& node) const { return "(return " + of(node.value) + ")"; }
  std::string of(const If& node) const {
    std::string all = "(if";
    for (const auto& [condition, body] : node.branches) all += " " + of(condition) + " then " + of(body);
    return all + part("else", node.otherwise) + ")";
  }
  std::string of(const While& node) const {
    return "(while " + of(node.condition) + part("do", node.body) + part("else", node.otherwise) + ")";
  }
  std::string of(const For& node) const {
    return "(for " + of(node.target) + " in " + of(node.iterable) + part("do", node.body) +
           part("else", node.otherwise) + ")";
  }
  std::string of_decorators(const std::vector<ExpressionPtr>& decorators) const {
    std::string all;
    for (const ExpressionPtr& each : decorators) all += "@" + of(each) + " ";
    return all;
  }
  std::string of(const Define& node) const {
    return "(" + of_decorators(node.decorators) + "def " + of(*node.function) + ")";
  }
  std::string of(const DefineClass& node) const {
    const ClassDefinition& definition = *node.definition;
    return "(" + of_decorators(node.decorators) + "class " + definition.name + "(" + in_list(definition.bases) + ") " +
           of(static_cast<const program::Scope&>(definition)) + " " + of(definition.body) + ")";
  }
  std::string of(const Import::Bound& bound) const {
    return bound.package + (bound.member.empty() ? "" : ":" + bound.member) + " as " + of(bound.symbol);
  }
  std::string of(const Import& node) const { return "(import " + in_list(node.names) + ")"; }
  std::string of(const Delete& node) const { return "(del " + in_list(node.targets) + ")"; }
  std::string of(const Assert& node) const { return "(assert " + of(node.condition) + " " + of(node.message) + ")"; }
  std::string of(const Raise& node) const { return "(raise " + of(node.value) + ")"; }
  std::string of(const Try& node) const {
    std::string all = "(try " + of(node.body);
    for (const Try::Handler& each : node.handlers)
      all += " except " + of(each.type) + (each.symbol ? " as " + of(*each.symbol) : "") + part("do", each.body);
    return all + part("else", node.otherwise) + part("finally", node.last) + ")";
  }
  std::string of(const With& node) const {
    std::string all = "(with";
    for (const auto& [value, target] : node.items) all += " " + of(value) + (target ? " as " + of(target) : "");
    return all + part("do", node.body) + ")";
  }
  std::string of(const Jump& node) const {
    constexpr const char* words[] = {"pass", "break", "continue", "return"};
    return words[static_cast<int>(node.to)];
  }

  const Names& names_;
};

}  // namespace

std::string tree_text(const program::Program& program) { return Printer(program.names).of(program.body); }

std::string tree_of(const std::string& text) { return tree_text(*program::parse(text)); }

}  // namespace unroll
