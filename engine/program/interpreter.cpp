// The statements of a program.
#include "engine/program/interpreter.h"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/autograd/tape.h"
#include "engine/program/arithmetic.h"
#include "engine/program/formatting.h"
#include "engine/program/mutation.h"
#include "engine/tensor/hash.h"

namespace unroll::program {

Interpreter::Interpreter(const Program& program, const Options& options)
    : program_(program),
      parameters_(options.parameters),
      constants_(options.constants),
      seed_(options.seed),
      budget_(options.budget),
      random_(options.seed, unroll::hash_of("program")),
      globals_(std::make_shared<Environment>(nullptr, &program, nullptr)) {
  frames_.push_back({nullptr, globals_, globals_});
}

// Functions keep the scope they were defined in, which keeps them: nothing of this would ever be freed.
Interpreter::~Interpreter() {
  const auto forget = [](auto& all, const auto& empty) {
    for (const auto& each : all)
      if (const auto alive = each.lock()) empty(*alive);
  };
  forget(environments_, [](Environment& each) { each.clear(); });
  forget(instances_, [](InstanceBody& each) { each.attributes->clear(); });
  forget(classes_, [](ClassBody& each) { each.attributes->clear(); });
  for (auto& [_, file] : library_) file.variables->clear();
  globals_->clear();
}

void Interpreter::run() {
  const Setting<std::size_t> memory = limit_allocations(budget_.bytes);
  account_.emplace(budget_);
  try {
    run(program_.body);
  } catch (const Raised& raised) {
    refuse_raised(raised);
  }
}

Value Interpreter::run(const Value& callee, std::vector<Value> arguments, std::optional<Random> of_step) {
  const Setting<std::size_t> memory = limit_allocations(budget_.bytes);
  account_.emplace(budget_);
  random_ = of_step.value_or(Random(seed_, unroll::hash_of("program")));
  trains_ = of_step.has_value();
  frames_.resize(1);
  depth_ = 0, records_ = true;
  const auto* closure = callee.as<Closure>();
  const Place place = closure ? (*closure)->function->place : Place{1, 1};
  try {
    Value result = call(callee, std::move(arguments), place);
    refresh_all(result, place);
    return result;
  } catch (const Raised& raised) {
    refuse_raised(raised);
  }
}

// An exception that nobody handles ends the program: "ValueError: …".
void Interpreter::refuse_raised(const Raised& raised) {
  const auto* instance = raised.exception.as<Instance>();
  const std::string text = instance ? text_of(*this, raised.exception, raised.place) : "";
  const std::string& type = instance ? (*instance)->type->name : "";
  if (text.empty()) fail_at(raised.place, "exception_was_raised", type);
  fail_at(raised.place, "exception_was_raised_with_text", type, text);
}

void Interpreter::raise(const char* type, const std::string& text, const Place& place) {
  const std::optional<Value> found = find_in_library("builtins", type);
  throw Raised{call(*found, {Value(text)}, place), place};
}

void Interpreter::raise_key_error(const Value& key, const Place& place) {
  throw Raised{call(*find_in_library("builtins", "KeyError"), {key}, place), place};
}

std::optional<Value> Interpreter::global(const std::string& name) const {
  const std::optional<Symbol> symbol = program_.names.find(name);
  return symbol ? *globals_->find(*symbol) : std::nullopt;
}

std::vector<std::pair<std::string, Value>> Interpreter::globals() const {
  std::vector<std::pair<std::string, Value>> all;
  for (std::size_t i = 0; i < program_.names.size(); ++i)
    if (const std::optional<Value>& value = *globals_->find(static_cast<Symbol>(i)))
      all.emplace_back(program_.names[static_cast<Symbol>(i)], *value);
  return all;
}

Tensor Interpreter::parameter(const std::string& name, const Shape& shape, const std::string& init,
                              const Place& place) {
  if (!parameters_) fail_at(place, "no_parameters_here");
  return parameters_->parameter(name, shape, init, place);
}

Flow Interpreter::run(const Block& block) {
  for (const Statement& each : block)
    if (const Flow flow = run(each); flow != Flow::next) return flow;
  return Flow::next;
}

Flow Interpreter::run(const Statement& statement) {
  account_->statement(statement.place);
  try {
    return std::visit([&](const auto& node) { return run(node, statement.place); }, statement.node);
  } catch (const std::bad_alloc&) {
    account_->refuse_tensors(statement.place);
  } catch (const Error& error) {  // of the engine, by an operator
    if (error.code == ErrorCode::program || error.code == ErrorCode::internal) throw;
    throw Error(ErrorCode::program, error.message, statement.place);
  }
}

Flow Interpreter::run(const Evaluate& statement, const Place&) {
  evaluate(*statement.value);
  return Flow::next;
}

Flow Interpreter::run(const Assign& statement, const Place&) {
  const Value value = evaluate(*statement.value);
  for (const ExpressionPtr& target : statement.targets) assign(*target, value);
  return Flow::next;
}

Flow Interpreter::run(const Annotate& statement, const Place&) {
  const auto* name = std::get_if<Name>(&statement.target->node);
  if (name && frames_.back().type) frames_.back().type->annotated.push_back(name_of(name->symbol));
  if (statement.value) assign(*statement.target, evaluate(*statement.value));
  return Flow::next;
}

// The object of the target is evaluated twice, as it has no effect but to be found.
Flow Interpreter::run(const Update& statement, const Place& place) {
  const Value old = evaluate(*statement.target), change = evaluate(*statement.value);
  const Between between{place, *statement.target, *statement.value};
  if (old.is<TypedTensor>()) {
    assign(*statement.target, update(*this, old, statement.operation, change, between));
    return Flow::next;
  }
  const auto* list = old.as<List>();
  if (list && statement.operation == Operator::add) {
    extend(*list, change, place);
    assign(*statement.target, old);
    return Flow::next;
  }
  const std::optional<Value> by_method = combined_by_method(statement.operation, old, change, place, true);
  const Value changed = by_method ? *by_method : combine(*this, statement.operation, old, change, between);
  if (list) (*list)->replace_all(*items_of(changed));
  assign(*statement.target, list ? old : changed);
  return Flow::next;
}

// a += [2] changes the list for all variables that share it.
void Interpreter::extend(const List& list, const Value& added, const Place& place) {
  for (Value& each : items(added, place)) {
    refuse_itself(list, each, place);
    list->append(std::move(each));
  }
}

Flow Interpreter::run(const Return& statement, const Place&) {
  frames_.back().result = statement.value ? evaluate(*statement.value) : Value();
  return Flow::leave_function;
}

Flow Interpreter::run(const If& statement, const Place&) {
  for (const auto& [condition, block] : statement.branches)
    if (truth(*condition)) return run(block);
  return run(statement.otherwise);
}

Flow Interpreter::run(const While& statement, const Place&) {
  while (truth(*statement.condition)) {
    const Flow flow = run(statement.body);
    if (flow == Flow::leave_loop) return Flow::next;
    if (flow == Flow::leave_function) return flow;
  }
  return run(statement.otherwise);
}

// A list is walked as it is, and may grow meanwhile.
Flow Interpreter::run(const For& statement, const Place&) {
  const Value iterable = evaluate(*statement.iterable);
  const bool has_items = items_of(iterable) || iterable.is<Iterator>();
  const Value walked = has_items ? iterable : tuple_of(items(iterable, statement.iterable->place));
  const auto* iterator = walked.as<Iterator>();
  std::size_t from_start = 0, &next = iterator ? iterator->remaining->next : from_start;
  const std::vector<Value>& all = iterator ? iterator->remaining->items.all() : *items_of(walked);
  while (next < all.size()) {
    const Value item = all[next++];
    assign(*statement.target, item);
    const Flow flow = run(statement.body);
    if (flow == Flow::leave_loop) return Flow::next;
    if (flow == Flow::leave_function) return flow;
  }
  return run(statement.otherwise);
}

Flow Interpreter::run(const Define& statement, const Place& place) {
  bind(statement.function->symbol, decorated(closure_of(statement.function), statement.decorators), place);
  return Flow::next;
}

Value Interpreter::decorated(Value value, const std::vector<ExpressionPtr>& decorators) {
  for (auto each = decorators.rbegin(); each != decorators.rend(); ++each)
    value = call(evaluate(**each), {value}, (*each)->place);
  return value;
}

Flow Interpreter::run(const Assert& statement, const Place& place) {
  if (truth(*statement.condition)) return Flow::next;
  raise("AssertionError", statement.message ? text_of(*this, evaluate(*statement.message), place) : "", place);
}

Flow Interpreter::run(const Raise& statement, const Place& place) {
  if (!statement.value && handled_.empty()) fail_at(place, "nothing_to_raise_again");
  const Value value = statement.value ? evaluate(*statement.value) : handled_.back();
  throw Raised{value.is<Class>() ? call(value, std::vector<Value>(), place) : value, place};
}

Flow Interpreter::run(const Jump& statement, const Place&) { return statement.to; }

Flow Interpreter::run(const Unsupported& statement, const Place& place) {
  fail_at(place, statement.id, statement.word);
}

// The characters of a text: UTF-8 has up to four bytes for each, all but the first from 10000000 to 10111111.
std::vector<Value> characters_of(const std::string& text) {
  std::vector<Value> all;
  for (std::size_t start = 0, end; start < text.size(); start = end) {
    for (end = start + 1; end < text.size() && (text[end] & 0xc0) == 0x80;) ++end;
    all.emplace_back(text.substr(start, end - start));
  }
  return all;
}

void Interpreter::refuse_itself(const List& list, const Value& item, const Place& place) {
  const auto is_list = [&](const Value& each) {
    account_->items(1, place);
    return each.is<List>() && *each.as<List>() == list;
  };
  if (any_within(item, is_list)) fail_at(place, "list_contains_itself");
}

std::vector<Value> Interpreter::items(const Value& iterable, const Place& place) {
  if (const std::vector<Value>* all = items_of(iterable)) {
    account_->items(all->size(), place);
    return *all;
  }
  if (const auto* iterator = iterable.as<Iterator>()) {
    const std::vector<Value>& all = iterator->remaining->items.all();
    const std::size_t first = std::exchange(iterator->remaining->next, all.size());
    account_->items(all.size() - first, place);
    return std::vector<Value>(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  }
  const auto* dict = iterable.as<Dict>();
  const auto* set = iterable.as<Set>();
  if (dict || set) {
    std::vector<Value> keys = dict ? (*dict)->keys() : set->items->keys();
    account_->items(keys.size(), place);
    return keys;
  }
  if (const auto* text = iterable.as<std::string>()) {
    account_->items(text->size(), place);
    return characters_of(*text);
  }
  if (iterable.is<Instance>()) return items_of_instance(iterable, place);
  const auto* tensor = iterable.as<TypedTensor>();
  if (!tensor || tensor->tensor.rank() == 0) fail_at(place, "value_has_no_items", described(iterable));
  std::vector<Value> parts;
  for (int i = 0; i < tensor->tensor.shape()[0]; ++i) parts.push_back(part(*this, *tensor, i, place));
  return parts;
}

}  // namespace unroll::program
