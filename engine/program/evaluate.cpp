// The expressions of a program.
#include <algorithm>

#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/program/interpreter.h"
#include "engine/program/unknown_names.h"

namespace unroll::program {
namespace {

// The most expressions within each other, over all calls, so that no program exhausts the stack.
constexpr int max_evaluations = 600;

// A number as Python writes it, and texts and names as they are.
std::string written(const Value& value, const Place& place) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (value.is<None>()) return "None";
  if (const bool* truth = value.as<bool>()) return *truth ? "True" : "False";
  if (const auto* whole = value.as<std::int64_t>()) return std::to_string(*whole);
  if (const auto* number = value.as<double>()) return python_text(*number);
  fail_at(place, "value_has_no_text", described(value));
}

// Characters of an operand in a message.
constexpr std::size_t max_spelled = 24;

// Whether it begins with a name, unlike ".T" of (a + b).T.
bool is_named(const std::string& spelled) { return !spelled.empty() && spelled.find_first_of(".([") != 0; }

}  // namespace

std::string Interpreter::spelled(const Expression& expression) const {
  const auto short_one = [](std::string text) {
    return text.size() + (is_named(text) ? 0 : std::size("this") - 1) > max_spelled ? "" : text;
  };
  if (const auto* name = std::get_if<Name>(&expression.node)) return program_.names[name->symbol];
  if (const auto* attribute = std::get_if<Attribute>(&expression.node))
    return short_one(spelled(*attribute->object) + "." + attribute->name);
  if (const auto* call = std::get_if<Call>(&expression.node)) return short_one(spelled(*call->callee) + "(…)");
  if (const auto* index = std::get_if<Index>(&expression.node)) return short_one(spelled(*index->object) + "[…]");
  return "";
}

Message operand_name(const std::string& spelled) {
  return is_named(spelled) ? phrase("as_is", spelled) : phrase("this", spelled);
}

Value Interpreter::evaluate(const Expression& expression) {
  if (++depth_ > max_evaluations) fail_at(expression.place, "evaluation_too_deep", max_evaluations);
  account_.expression(expression.place);
  Value value = std::visit([&](const auto& node) { return evaluate(node, expression); }, expression.node);
  account_.check_memory(expression.place);
  --depth_;
  return value;
}

Value Interpreter::evaluate(const Constant& node, const Expression&) { return node.value; }

Value Interpreter::evaluate(const Formatted& node, const Expression&) {
  std::string text;
  for (const ExpressionPtr& part : node.parts) {
    const Value value = evaluate(*part);
    if (const auto* letters = value.as<std::string>()) account_.items(letters->size(), part->place);
    text += written(value, part->place);
  }
  return text;
}

Value Interpreter::evaluate(const Name& node, const Expression& at) {
  if (!frames_.empty()) {
    const auto& loop_names = frames_.back().loop_names;
    account_.items(loop_names.size() / 8, at.place);  // most lists have one or two
    for (auto each = loop_names.rbegin(); each != loop_names.rend(); ++each)
      if (each->first == node.symbol) return each->second;
  }
  const std::optional<Value>* found = variable(node.symbol);
  if (found->has_value()) return **found;
  const std::optional<Value>& global = globals_[static_cast<std::size_t>(node.symbol)];
  if (found != &global) fail_at(at.place, "name_has_no_value_yet", program_.names[node.symbol]);
  if (const auto constant = constants_.find(program_.names[node.symbol]); constant != constants_.end())
    return constant->second;
  if (const std::optional<Value> known = find_constant(program_.names[node.symbol])) return *known;
  if (const Builtin* builtin = find_function(program_.names[node.symbol])) return builtin;
  refuse_name(node.symbol, at.place);
}

void Interpreter::refuse_name(Symbol symbol, const Place& place) const {
  const std::string& name = program_.names[symbol];
  if (const char* instead = instead_of(name)) fail_at(place, "name_not_here_use_instead", name, phrase(instead));
  std::vector<std::string> known;
  for (std::size_t i = 0; i < globals_.size(); ++i)
    if (globals_[i]) known.push_back(program_.names[static_cast<Symbol>(i)]);
  if (!frames_.empty() && frames_.back().function)
    for (const Symbol local : frames_.back().function->locals) known.push_back(program_.names[local]);
  for (std::string& each : names_of(functions())) known.push_back(std::move(each));
  known.insert(known.end(), {"inf", "pi"});
  const std::string nearest = nearest_of(name, known);
  if (nearest.empty()) fail_at(place, "no_such_variable", name);
  fail_at(place, "no_such_variable_but_similar", name, nearest);
}

Value Interpreter::evaluate(const Sequence& node, const Expression&) {
  std::vector<Value> items;
  for (const ExpressionPtr& each : node.items) items.push_back(evaluate(*each));
  return node.is_tuple ? tuple_of(std::move(items)) : list_of(std::move(items));
}

Value Interpreter::evaluate(const Comprehension& node, const Expression& at) {
  std::vector<Value> results;
  std::vector<std::pair<Symbol, Value>>& names = frames_.back().loop_names;
  const std::size_t names_around = names.size();
  for (const Value& item : items(evaluate(*node.iterable), node.iterable->place)) {
    account_.statement(at.place);
    bind_loop_names(*node.target, item);
    if (!node.condition || truth(*node.condition)) results.push_back(evaluate(*node.item));
    names.resize(names_around);
  }
  return list_of(std::move(results));
}

Value Interpreter::evaluate(const Unary& node, const Expression& at) {
  if (node.is_not) return !truth(*node.operand);
  return negative(*this, evaluate(*node.operand), at.place);
}

Value Interpreter::evaluate(const Binary& node, const Expression& at) {
  const Value left = evaluate(*node.left), right = evaluate(*node.right);
  return combine(*this, node.operation, left, right, {at.place, *node.left, *node.right});
}

void Interpreter::bind_loop_names(const Expression& target, const Value& value) {
  if (const auto* name = std::get_if<Name>(&target.node))
    return void(frames_.back().loop_names.emplace_back(name->symbol, value));
  const auto& targets = std::get<Sequence>(target.node).items;
  const std::vector<Value> parts = parts_of(value, targets.size(), target.place);
  for (std::size_t i = 0; i < parts.size(); ++i) bind_loop_names(*targets[i], parts[i]);
}

// As in Python, the result is the operand that decides.
Value Interpreter::evaluate(const Logical& node, const Expression&) {
  const Value left = evaluate(*node.left);
  return is_true(left, node.left->place) == node.is_or ? left : evaluate(*node.right);
}

Value Interpreter::evaluate(const Comparison& node, const Expression& at) {
  Value left = evaluate(*node.first), result;
  const Expression* left_at = node.first.get();
  for (const auto& [relation, operand] : node.rest) {
    const Value right = evaluate(*operand);
    result = compare(*this, relation, left, right, {at.place, *left_at, *operand});
    if (operand != node.rest.back().second && !is_true(result, operand->place)) return result;
    left = right, left_at = operand.get();
  }
  return result;
}

Value Interpreter::evaluate(const Conditional& node, const Expression&) {
  return truth(*node.condition) ? evaluate(*node.then) : evaluate(*node.otherwise);
}

Value Interpreter::evaluate(const Index& node, const Expression& at) {
  const Value object = evaluate(*node.object);
  const std::vector<Subscripted> subscripts = evaluated(node);
  if (const auto* tensor = object.as<TypedTensor>()) return indexed(*this, *tensor, subscripts, at.place);
  if (const std::vector<Value>* all = items_of(object)) {
    const Value found = indexed(*this, *all, object.is<Tuple>(), subscripts, at.place);
    return object.is<WholeRange>() && found.is<List>() ? range_of(*items_of(found)) : found;
  }
  fail_at(at.place, "value_has_no_items", described(object));
}

std::vector<Subscripted> Interpreter::evaluated(const Index& index) {
  std::vector<Subscripted> all;
  const auto maybe = [&](const ExpressionPtr& part) { return part ? evaluate(*part) : Value(); };
  for (const Subscript& each : index.subscripts) {
    if (const auto* one = std::get_if<ExpressionPtr>(&each))
      all.push_back({Subscripted::one, evaluate(**one), {}, {}, (*one)->place});
    else if (const auto* slice = std::get_if<Slice>(&each))
      all.push_back(
          {Subscripted::slice, maybe(slice->start), maybe(slice->stop), maybe(slice->step), index.object->place});
    else
      all.push_back({Subscripted::ellipsis, {}, {}, {}, index.object->place});
  }
  return all;
}

Value Interpreter::evaluate(const Attribute& node, const Expression& at) {
  return attribute_of(*this, evaluate(*node.object), node.name, at.place);
}

}  // namespace unroll::program
