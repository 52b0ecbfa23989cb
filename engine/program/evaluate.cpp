// The expressions of a program.
#include <algorithm>

#include "engine/program/arithmetic.h"
#include "engine/program/formatting.h"
#include "engine/program/indexing.h"
#include "engine/program/interpreter.h"
#include "engine/program/mutation.h"
#include "engine/program/unknown_names.h"

namespace unroll::program {
namespace {

// The most expressions within each other, over all calls, so that no program exhausts the stack.
constexpr int max_evaluations = 600;

// Characters of an operand in a message.
constexpr std::size_t max_spelled = 24;

// Whether it begins with a name, unlike ".T" of (a + b).T.
bool is_named(const std::string& spelled) { return !spelled.empty() && spelled.find_first_of(".([") != 0; }

}  // namespace

std::string Interpreter::spelled(const Expression& expression) const {
  const auto short_one = [](std::string text) {
    return text.size() + (is_named(text) ? 0 : std::size("this") - 1) > max_spelled ? "" : text;
  };
  if (const auto* name = std::get_if<Name>(&expression.node)) return name_of(name->symbol);
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
  const Setting<int> deeper(depth_, depth_ + 1);
  if (depth_ > max_evaluations) fail_at(expression.place, "evaluation_too_deep", max_evaluations);
  account_->expression(expression.place);
  Value value = std::visit([&](const auto& node) { return evaluate(node, expression); }, expression.node);
  if (const auto* tensor = std::get_if<Value::Tensors>(&value.content()); tensor && is_stale(**tensor))
    refresh(*this, **tensor, expression.place);
  account_->check_memory(expression.place);
  return value;
}

Value Interpreter::evaluate(const Constant& node, const Expression&) { return node.value; }

Value Interpreter::evaluate(const Formatted& node, const Expression&) {
  std::string text;
  for (const Formatted::Part& part : node.parts) {
    const Place& place = part.value->place;
    Value value = evaluate(*part.value);
    if (part.conversion) value = part.conversion == 's' ? text_of(*this, value, place) : repr_of(*this, value, place);
    std::string spec;
    if (part.format) spec = *evaluate(*part.format).as<std::string>();
    text += formatted(*this, value, spec, place);
    account_->items(text.size(), place);
  }
  return text;
}

// Of the scopes around, the innermost that binds the name decides, then the file, then what the language knows.
const std::optional<Value>* Interpreter::find_variable(Symbol symbol) {
  Environment* environment = frames_.back().environment.get();
  const Scope* scope = environment->scope;
  const bool is_global = scope && std::ranges::find(scope->globals, symbol) != scope->globals.end();
  bool is_innermost = true;
  for (; environment->around; environment = environment->around.get(), is_innermost = false) {
    const bool is_class = environment->is_class && !is_innermost;  // whose names its functions do not see
    const std::optional<Value>* found = is_global || is_class ? nullptr : environment->find(symbol);
    if (found && (*found || !environment->is_class)) return found;
  }
  return environment->find(symbol);
}

Value Interpreter::evaluate(const Name& node, const Expression& at) {
  const std::optional<Value>* found = find_variable(node.symbol);
  if (found->has_value()) return **found;
  const std::string& name = name_of(node.symbol);
  const bool is_of_file = !frames_.back().environment->around || found == file_variable(node.symbol);
  if (!is_of_file) fail_at(at.place, "name_has_no_value_yet", name);
  if (const auto constant = constants_.find(name); constant != constants_.end()) return constant->second;
  if (const std::optional<Value> known = find_constant(name)) return *known;
  if (const Builtin* builtin = find_function(name)) return builtin;
  if (const std::optional<Value> in_python = find_in_library("builtins", name)) return *in_python;
  refuse_name(node.symbol, at.place);
}

const std::optional<Value>* Interpreter::file_variable(Symbol symbol) {
  Environment* environment = frames_.back().environment.get();
  while (environment->around) environment = environment->around.get();
  return environment->find(symbol);
}

void Interpreter::refuse_name(Symbol symbol, const Place& place) const {
  const std::string& name = name_of(symbol);
  if (const std::optional<Message> import = import_of(name)) fail_at(place, "name_not_here_use_instead", name, *import);
  if (const char* instead = instead_of(name)) fail_at(place, "name_not_here_use_instead", name, phrase(instead));
  std::vector<std::string> known;
  for (auto& [each, _] : globals()) known.push_back(each);
  for (const Environment* each = frames_.back().environment.get(); each->scope; each = each->around.get())
    for (const Symbol local : each->scope->locals) known.push_back(each->program->names[local]);
  for (std::string& each : names_of(functions())) known.push_back(std::move(each));
  known.insert(known.end(), {"inf", "pi"});
  const std::string nearest = nearest_of(name, known);
  if (nearest.empty()) fail_at(place, "no_such_variable", name);
  fail_at(place, "no_such_variable_but_similar", name, nearest);
}

// [a, *b]
std::vector<Value> Interpreter::evaluated(const std::vector<ExpressionPtr>& items) {
  std::vector<Value> all;
  for (const ExpressionPtr& each : items) {
    const auto* starred = std::get_if<Starred>(&each->node);
    if (!starred) {
      all.push_back(evaluate(*each));
      continue;
    }
    for (Value& item : this->items(evaluate(*starred->value), each->place)) all.push_back(std::move(item));
  }
  return all;
}

Value Interpreter::evaluate(const Sequence& node, const Expression&) {
  std::vector<Value> items = evaluated(node.items);
  return node.is_tuple ? tuple_of(std::move(items)) : list_of(std::move(items));
}

Value Interpreter::evaluate(const SetDisplay& node, const Expression& at) {
  std::vector<Value> items = evaluated(node.items);
  for (const Value& each : items) check_key(each, at.place);
  return set_of(std::move(items));
}

Value Interpreter::evaluate(const DictDisplay& node, const Expression& at) {
  auto dict = std::make_shared<Dictionary>();
  for (const auto& [key, value] : node.items) {
    if (key) {
      const Value evaluated_key = evaluate(*key);
      check_key(evaluated_key, key->place);
      dict->set(evaluated_key, evaluate(*value));
      continue;
    }
    const Value other = evaluate(*value);
    if (!other.is<Dict>()) fail_at(at.place, "argument_is_not_dict", described(other));
    account_->items((*other.as<Dict>())->size(), at.place);
    for (auto& [each, held] : (*other.as<Dict>())->entries()) dict->set(each, std::move(held));
  }
  return Dict(std::move(dict));
}

void Interpreter::check_key(const Value& key, const Place& place) {
  if (!is_hashable(key)) fail_at(place, "key_is_not_hashable", described(key));
}

Value Interpreter::evaluate(const Starred&, const Expression& at) { fail_at(at.place, "star_out_of_place"); }

Value Interpreter::evaluate(const Comprehension& node, const Expression& at) {
  const Value first = evaluate(*node.clauses.front().iterable);
  std::vector<Value> results;
  auto dict = std::make_shared<Dictionary>();
  const auto take = [&] {
    account_->items(1, at.place);
    if (!node.key) return results.push_back(evaluate(*node.item));
    const Value key = evaluate(*node.key);
    check_key(key, at.place);
    dict->set(key, evaluate(*node.item));
  };
  Frame& frame = frames_.back();
  const std::shared_ptr<Environment> around = frame.environment;
  frame.environment = new_environment(node.scope.get(), around->program, around);
  comprehend(node, 0, first, take);
  frame.environment = around;
  switch (node.kind) {
    case Comprehension::Kind::list:
      return list_of(std::move(results));
    case Comprehension::Kind::dict:
      return Dict(std::move(dict));
    case Comprehension::Kind::generator:
      return iterator_of(std::move(results));
    case Comprehension::Kind::set:
      break;
  }
  for (const Value& each : results) check_key(each, at.place);
  return set_of(std::move(results));
}

// Walks the clauses from the given one on, and takes an item for each round of the last.
void Interpreter::comprehend(const Comprehension& node, std::size_t clause, const Value& walked,
                             const std::function<void()>& take) {
  const Comprehension::Clause& here = node.clauses[clause];
  for (const Value& each : items(walked, here.iterable->place)) {
    account_->statement(here.target->place);
    assign(*here.target, each);
    const auto holds = [&](const ExpressionPtr& condition) { return truth(*condition); };
    if (!std::ranges::all_of(here.conditions, holds)) continue;
    if (clause + 1 == node.clauses.size())
      take();
    else
      comprehend(node, clause + 1, evaluate(*node.clauses[clause + 1].iterable), take);
  }
}

Value Interpreter::evaluate(const Lambda& node, const Expression&) { return closure_of(node.function); }

// In a comprehension it names a variable of the function around.
Value Interpreter::evaluate(const Walrus& node, const Expression& at) {
  const Value value = evaluate(*node.value);
  bind(node.symbol, value, at.place);
  return value;
}

Value Interpreter::evaluate(const Unary& node, const Expression& at) {
  const Value value = evaluate(*node.operand);
  if (node.kind == Unary::Kind::is_not) return !truth(value, at.place);
  constexpr const char* methods[] = {"__neg__", "__pos__", "__invert__"};
  if (const std::optional<Value> method = special(value, methods[static_cast<int>(node.kind)]))
    return call(*method, std::vector<Value>(), at.place);
  if (node.kind == Unary::Kind::invert) return inverted(*this, value, at.place);
  if (node.kind == Unary::Kind::negative) return negative(*this, value, at.place);
  if (!is_number(value) && !value.is<TypedTensor>()) fail_at(at.place, "no_operand", described(value));
  return value.is<bool>() ? Value(whole_of(value)) : value;
}

Value Interpreter::evaluate(const Binary& node, const Expression& at) {
  const Value left = evaluate(*node.left), right = evaluate(*node.right);
  if (const std::optional<Value> result = combined_by_method(node.operation, left, right, at.place)) return *result;
  return combine(*this, node.operation, left, right, {at.place, *node.left, *node.right});
}

// left.__add__(right), or right.__radd__(left); of x += y, left.__iadd__(right).
std::optional<Value> Interpreter::combined_by_method(Operator operation, const Value& left, const Value& right,
                                                     const Place& place, bool is_update) {
  constexpr const char* names[] = {"add",    "sub", "mul", "truediv", "floordiv", "mod",   "pow",
                                   "matmul", "and", "or",  "xor",     "lshift",   "rshift"};
  if (!left.is<Instance>() && !right.is<Instance>()) return std::nullopt;
  const std::string name = names[static_cast<int>(operation)];
  if (is_update)
    if (const auto method = special(left, "__i" + name + "__")) return call(*method, {right}, place);
  if (const auto method = special(left, "__" + name + "__")) return call(*method, {right}, place);
  if (const auto method = special(right, "__r" + name + "__")) return call(*method, {left}, place);
  return std::nullopt;
}

Value Interpreter::evaluate(const Logical& node, const Expression&) {
  const Value left = evaluate(*node.left);
  return truth(left, node.left->place) == node.is_or ? left : evaluate(*node.right);
}

Value Interpreter::evaluate(const Comparison& node, const Expression& at) {
  Value left = evaluate(*node.first), result;
  const Expression* left_at = node.first.get();
  for (const auto& [relation, operand] : node.rest) {
    const Value right = evaluate(*operand);
    result = compare(*this, relation, left, right, {at.place, *left_at, *operand});
    if (operand != node.rest.back().second && !truth(result, operand->place)) return result;
    left = right, left_at = operand.get();
  }
  return result;
}

Value Interpreter::evaluate(const Conditional& node, const Expression&) {
  return truth(*node.condition) ? evaluate(*node.then) : evaluate(*node.otherwise);
}

Value Interpreter::evaluate(const Index& node, const Expression& at) {
  const Value object = evaluate(*node.object);
  if (object.is<TypedTensor>()) return indexed(*this, object, evaluated(node), at.place);
  if (const std::vector<Value>* all = items_of(object)) {
    const Value found = indexed(*this, *all, object.is<Tuple>(), evaluated(node), at.place);
    return object.is<WholeRange>() && found.is<List>() ? range_of(*items_of(found)) : found;
  }
  if (const auto* text = object.as<std::string>()) return indexed(*this, *text, evaluated(node), at.place);
  if (const auto* dict = object.as<Dict>()) {
    const Value key = key_of(node);
    check_key(key, at.place);
    if (const Value* found = (*dict)->find(key)) return *found;
    raise_key_error(key, at.place);
  }
  if (const std::optional<Value> method = special(object, "__getitem__"))
    return call(*method, {key_of(node)}, at.place);
  const bool is_type = object.is<Word>() || object.is<const Builtin*>() || object.is<Class>();
  if (is_type) return object;  // list[int], Optional[Tensor]
  fail_at(at.place, "value_has_no_items", described(object));
}

std::vector<Subscripted> Interpreter::evaluated(const Index& index) {
  std::vector<Subscripted> all;
  const auto maybe = [&](const ExpressionPtr& part) { return part ? evaluate(*part) : Value(); };
  for (const Subscript& each : index.subscripts) {
    if (const auto* one = std::get_if<ExpressionPtr>(&each)) {
      const auto* tuple = index.is_tuple ? nullptr : std::get_if<Sequence>(&(*one)->node);
      const Value value = evaluate(**one);
      if (tuple || !value.is<Tuple>() || index.is_tuple) {
        all.push_back(subscripted(value, (*one)->place));
        continue;
      }
      for (const Value& part : *items_of(value)) all.push_back(subscripted(part, (*one)->place));  // x[index]
    } else if (const auto* slice = std::get_if<Slice>(&each)) {
      all.push_back(
          {Subscripted::slice, maybe(slice->start), maybe(slice->stop), maybe(slice->step), index.object->place});
    } else {
      all.push_back({Subscripted::ellipsis, {}, {}, {}, index.object->place});
    }
  }
  return all;
}

// One part of a tuple that is an index: slice(…) is a tuple with a mark.
Subscripted Interpreter::subscripted(const Value& value, const Place& place) {
  const auto* bound = value.as<Bound>();
  if (!bound) return {Subscripted::one, value, {}, {}, place};
  const std::vector<Value>& parts = *items_of((*bound)->self);
  return {Subscripted::slice, parts[0], parts[1], parts[2], place};
}

// What a dictionary or __getitem__ gets: the value, a tuple of several, a slice(start, stop, step).
Value Interpreter::key_of(const Index& index) {
  std::vector<Value> parts;
  for (Subscripted& each : evaluated(index)) {
    if (each.kind == Subscripted::slice)
      parts.push_back(call(Value(find_function("slice")), {each.value, each.stop, each.step}, each.place));
    else
      parts.push_back(each.value);
  }
  return index.is_tuple || parts.size() != 1 ? tuple_of(std::move(parts)) : parts[0];
}

Value Interpreter::evaluate(const Attribute& node, const Expression& at) {
  return attribute(evaluate(*node.object), node.name, at.place);
}

Value Interpreter::evaluate(const Ellipsis&, const Expression&) { return Word{Word::Kind::other, "Ellipsis"}; }

Value Interpreter::evaluate(const Unsupported& node, const Expression& at) { fail_at(at.place, node.id, node.word); }

}  // namespace unroll::program
