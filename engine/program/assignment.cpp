// What an assignment changes: variables, attributes and items.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/program/arithmetic.h"
#include "engine/program/formatting.h"
#include "engine/program/interpreter.h"
#include "engine/program/mutation.h"

namespace unroll::program {
namespace {

// Its tensor gets this name on the tape, unless it has one.
void name_tensor(const Value& value, const std::string& name, const Place& place) {
  const auto* tensors = std::get_if<Value::Tensors>(&value.content());
  Tape* tape = Tape::live();
  if (!tensors || !tape || !tape->tracing()) return;
  TypedTensor& tensor = **tensors;
  const int id = tape->find(tensor.tensor);
  const Node* node = id < 0 ? nullptr : &tape->nodes()[static_cast<std::size_t>(id)];
  if (node && node->named) return;
  tensor.tensor = tensor.tensor.as(name, node ? node->role : Role::state, site_of(place));
}

}  // namespace

void Interpreter::assign(const Expression& target, const Value& value) {
  if (const auto* name = std::get_if<Name>(&target.node)) return bind(name->symbol, value, target.place);
  if (const auto* attribute = std::get_if<Attribute>(&target.node)) {
    name_tensor(value, attribute->name, target.place);
    return set_attribute(evaluate(*attribute->object), attribute->name, value, target.place);
  }
  if (const auto* index = std::get_if<Index>(&target.node))
    return assign_item(evaluate(*index->object), *index, value, target.place);
  const auto* targets = std::get_if<Sequence>(&target.node);
  if (!targets) fail_at(target.place, "target_is_not_assignable");
  assign_all(*targets, value, target.place);
}

// a, *rest, z = value
void Interpreter::assign_all(const Sequence& targets, const Value& value, const Place& place) {
  std::vector<Value> parts = items(value, place);
  const auto is_starred = [](const ExpressionPtr& each) { return std::holds_alternative<Starred>(each->node); };
  const auto starred = std::find_if(targets.items.begin(), targets.items.end(), is_starred);
  const auto before = static_cast<std::size_t>(starred - targets.items.begin());
  const bool has_rest = starred != targets.items.end();
  const std::size_t single = targets.items.size() - (has_rest ? 1 : 0);
  if (has_rest ? parts.size() < single : parts.size() != single)
    fail_at(place, "other_number_of_names", parts.size(), single);
  std::size_t next = 0;
  for (std::size_t i = 0; i < targets.items.size(); ++i) {
    if (!has_rest || i != before) {
      assign(*targets.items[i], parts[next++]);
      continue;
    }
    const std::size_t count = parts.size() - single;
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(next);
    const Value rest = list_of(std::vector<Value>(first, first + static_cast<std::ptrdiff_t>(count)));
    assign(*std::get<Starred>(targets.items[i]->node).value, rest);
    next += count;
  }
}

void Interpreter::assign_item(const Value& object, const Index& index, const Value& value, const Place& place) {
  if (const auto* list = object.as<List>()) {
    refuse_itself(*list, value, place);
    const std::vector<Subscripted> subscripts = evaluated(index);
    if (subscripts.size() == 1 && subscripts[0].kind == Subscripted::slice) {
      const auto [first, count] = positions(subscripts, (*list)->all().size(), place);
      std::vector<Value> all = (*list)->all(), added = items(value, place);
      const auto at = all.erase(all.begin() + first, all.begin() + first + count);
      all.insert(at, added.begin(), added.end());
      return (*list)->replace_all(std::move(all));
    }
    return (*list)->replace(position(subscripts, (*list)->all().size(), place), value);
  }
  if (const auto* dict = object.as<Dict>()) {
    const Value key = key_of(index);
    if (!is_hashable(key)) fail_at(place, "key_is_not_hashable", described(key));
    account_->items(1, place);
    return (*dict)->set(key, value);
  }
  if (object.is<TypedTensor>()) return program::assign_item(*this, object, evaluated(index), value, place);
  if (const std::optional<Value> method = special(object, "__setitem__")) {
    call(*method, {key_of(index), value}, place);
    return;
  }
  fail_at(place, "items_are_not_assignable", described(object));
}

void Interpreter::bind(Symbol symbol, const Value& value, const Place& place) {
  name_tensor(value, name_of(symbol), place);
  variable(symbol) = value;
}

// A name of a scope is bound there, and one that is declared global, in the file.
std::optional<Value>& Interpreter::variable(Symbol symbol) {
  const std::shared_ptr<Environment>& innermost = frames_.back().environment;
  Environment* environment = innermost.get();
  const Scope* scope = innermost->scope;
  const bool is_global = scope && std::ranges::find(scope->globals, symbol) != scope->globals.end();
  for (; environment->around; environment = environment->around.get())
    if (std::optional<Value>* found = is_global ? nullptr : environment->find(symbol)) return *found;
  return *environment->find(symbol);
}

Flow Interpreter::run(const Delete& statement, const Place& place) {
  for (const ExpressionPtr& target : statement.targets) {
    if (const auto* name = std::get_if<Name>(&target->node)) {
      if (!variable(name->symbol)) refuse_name(name->symbol, target->place);
      variable(name->symbol).reset();
    } else if (const auto* attribute = std::get_if<Attribute>(&target->node)) {
      delete_attribute(evaluate(*attribute->object), attribute->name, target->place);
    } else if (const auto* index = std::get_if<Index>(&target->node)) {
      delete_item(evaluate(*index->object), *index, target->place);
    } else {
      fail_at(place, "target_is_not_assignable");
    }
  }
  return Flow::next;
}

void Interpreter::delete_item(const Value& object, const Index& index, const Place& place) {
  if (const auto* list = object.as<List>()) {
    const auto [first, count] = positions(evaluated(index), (*list)->all().size(), place);
    std::vector<Value> all = (*list)->all();
    all.erase(all.begin() + first, all.begin() + first + count);
    return (*list)->replace_all(std::move(all));
  }
  if (const auto* dict = object.as<Dict>()) {
    const Value key = key_of(index);
    if (!(*dict)->erase(key)) raise_key_error(key, place);
    return;
  }
  if (const std::optional<Value> method = special(object, "__delitem__")) {
    call(*method, {key_of(index)}, place);
    return;
  }
  fail_at(place, "items_are_not_assignable", described(object));
}

}  // namespace unroll::program
