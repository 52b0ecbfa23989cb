// The statements of a program.
#include "engine/program/interpreter.h"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/autograd/tape.h"
#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/tensor/hash.h"

namespace unroll::program {

namespace {

// The value. Its tensor gets this name on the tape, unless it has one.
Value named(const Value& value, const std::string& name, const Place& place) {
  const auto* tensor = value.as<TypedTensor>();
  Tape* tape = Tape::live();
  if (!tensor || !tape || !tape->tracing()) return value;
  const int id = tape->find(tensor->tensor);
  const Node* node = id < 0 ? nullptr : &tape->nodes()[static_cast<std::size_t>(id)];
  if (node && node->named) return value;
  TypedTensor renamed = *tensor;
  renamed.tensor = tensor->tensor.as(name, node ? node->role : Role::state, site_of(place));
  return renamed;
}

// As in PyTorch, x += y writes into x, which keeps its sizes and its type.
void check_fits(const TypedTensor& x, const TypedTensor& changed, const std::string& name, const Place& place) {
  if (changed.tensor.shape() != x.tensor.shape())
    fail_at(place, "tensor_changes_sizes", operand_name(name), sizes(x.tensor.shape()), sizes(changed.tensor.shape()));
  if (changed.type != x.type)
    fail_at(place, "tensor_changes_type", operand_name(name), name_of(x.type), name_of(changed.type));
}

}  // namespace

// a += [2] changes the list for all variables that share it.
void Interpreter::extend(const List& list, const Value& added, const Place& place) {
  for (Value& each : items(added, place)) {
    refuse_itself(list, each, place);
    list->append(std::move(each));
  }
}

Interpreter::Interpreter(const Program& program, const Options& options)
    : program_(program),
      parameters_(options.parameters),
      constants_(options.constants),
      random_(options.seed, hash_of("program")),
      account_(options.budget),
      memory_(limit_allocations(options.budget.bytes)),
      globals_(program.names.size()),
      frames_(1) {}

void Interpreter::run() { run(program_.body); }

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
  account_.statement(statement.place);
  try {
    return std::visit([&](const auto& node) { return run(node, statement.place); }, statement.node);
  } catch (const std::bad_alloc&) {
    account_.refuse_tensors(statement.place);
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

Flow Interpreter::run(const Update& statement, const Place& place) {
  const Value old = evaluate(*statement.target);
  const auto* tensor = statement.operation == Operator::matmul ? nullptr : old.as<TypedTensor>();
  if (tensor) check_sole_holder(*tensor, place);
  const Value change = evaluate(*statement.value);
  const auto* list = old.as<List>();
  if (list && statement.operation == Operator::add) {
    extend(*list, change, place);
    assign(*statement.target, old);
    return Flow::next;
  }
  const Value changed = combine(*this, statement.operation, old, change, {place, *statement.target, *statement.value});
  if (tensor) check_fits(*tensor, *changed.as<TypedTensor>(), spelled(*statement.target), place);
  if (list) (*list)->replace_all(*items_of(changed));
  assign(*statement.target, list ? old : changed);
  return Flow::next;
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
    if (flow == Flow::leave_loop) break;
    if (flow == Flow::leave_function) return flow;
  }
  return Flow::next;
}

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
    if (flow == Flow::leave_loop) break;
    if (flow == Flow::leave_function) return flow;
  }
  return Flow::next;
}

// As in Python, defaults are evaluated once, here.
Flow Interpreter::run(const Define& statement, const Place& place) {
  std::vector<std::optional<Value>>& fallbacks = fallbacks_[statement.function.get()];
  for (const ParameterName& each : statement.function->parameters)
    fallbacks.push_back(each.fallback ? std::optional(evaluate(*each.fallback)) : std::nullopt);
  bind(statement.function->symbol, statement.function.get(), place);
  return Flow::next;
}

Flow Interpreter::run(const Jump& statement, const Place&) { return statement.to; }

void Interpreter::assign(const Expression& target, const Value& value) {
  if (const auto* name = std::get_if<Name>(&target.node)) return bind(name->symbol, value, target.place);
  if (const auto* index = std::get_if<Index>(&target.node)) return assign_item(target, *index, value);
  const auto* targets = std::get_if<Sequence>(&target.node);
  if (!targets) fail_at(target.place, "target_is_not_assignable");
  const std::vector<Value> parts = parts_of(value, targets->items.size(), target.place);
  for (std::size_t i = 0; i < parts.size(); ++i) assign(*targets->items[i], parts[i]);
}

std::vector<Value> Interpreter::parts_of(const Value& value, std::size_t names, const Place& place) {
  const std::vector<Value> parts = items(value, place);
  if (parts.size() != names) fail_at(place, "other_number_of_names", parts.size(), names);
  return parts;
}

// In a list the item is replaced; a tensor is replaced by a new one.
void Interpreter::assign_item(const Expression& target, const Index& index, const Value& value) {
  const Value object = evaluate(*index.object);
  if (const auto* list = object.as<List>()) {
    const std::size_t at = position(evaluated(index), (*list)->all().size(), target.place);
    refuse_itself(*list, value, target.place);
    return (*list)->replace(at, value);
  }
  const auto* tensor = object.as<TypedTensor>();
  if (!tensor) fail_at(target.place, "items_are_not_assignable", described(object));
  check_sole_holder(*tensor, target.place);
  assign(*index.object, replaced(*this, *tensor, evaluated(index), value, target.place));
}

void Interpreter::bind(Symbol symbol, const Value& value, const Place& place) {
  *variable(symbol) = named(value, program_.names[symbol], place);
}

// The variable that an assignment to this name changes here.
std::optional<Value>* Interpreter::variable(Symbol symbol) {
  if (!frames_.empty() && frames_.back().function) {
    const auto& places = frames_.back().function->place_of_local;
    const auto found = places.find(symbol);
    if (found != places.end()) return &frames_.back().locals[found->second];
  }
  return &globals_[static_cast<std::size_t>(symbol)];
}

void Interpreter::check_sole_holder(const TypedTensor& tensor, const Place& place) {
  if (tensor.is_given) fail_at(place, "input_is_not_changeable");
  std::vector<std::string> holders;
  const auto is_held = [&](const Value& each) {
    account_.items(1, place);
    const auto* other = each.as<TypedTensor>();
    return other && other->storage == tensor.storage;
  };
  const auto look = [&](Symbol symbol, const std::optional<Value>& value) {
    if (value && any_within(*value, is_held)) holders.push_back(program_.names[symbol]);
  };
  for (std::size_t i = 0; i < globals_.size(); ++i) look(static_cast<Symbol>(i), globals_[i]);
  for (const Frame& frame : frames_) {
    for (std::size_t i = 0; i < frame.locals.size(); ++i) look(frame.function->locals[i], frame.locals[i]);
    for (const auto& [symbol, value] : frame.loop_names) look(symbol, value);
  }
  for (const auto& [function, defaults] : fallbacks_)
    for (const std::optional<Value>& value : defaults)
      if (value && any_within(*value, is_held)) fail_at(place, "default_is_not_changeable");
  if (holders.size() > 1) fail_at(place, "shared_tensor_is_not_changeable", holders);
}

void Interpreter::refuse_itself(const List& list, const Value& item, const Place& place) {
  const auto is_list = [&](const Value& each) {
    account_.items(1, place);
    return each.is<List>() && *each.as<List>() == list;
  };
  if (any_within(item, is_list)) fail_at(place, "list_contains_itself");
}

// The items of a list or tuple, or the parts of a tensor along its first axis.
std::vector<Value> Interpreter::items(const Value& iterable, const Place& place) {
  if (const std::vector<Value>* all = items_of(iterable)) {
    account_.items(all->size(), place);
    return *all;
  }
  if (const auto* iterator = iterable.as<Iterator>()) {
    const std::vector<Value>& all = iterator->remaining->items.all();
    const std::size_t first = std::exchange(iterator->remaining->next, all.size());
    account_.items(all.size() - first, place);
    return std::vector<Value>(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  }
  const auto* tensor = iterable.as<TypedTensor>();
  if (!tensor || tensor->tensor.rank() == 0) fail_at(place, "value_has_no_items", described(iterable));
  std::vector<Value> parts;
  for (int i = 0; i < tensor->tensor.shape()[0]; ++i) parts.push_back(part(*this, *tensor, i, place));
  return parts;
}

}  // namespace unroll::program
