// try, with, and imports.
#include "engine/autograd/tape.h"
#include "engine/program/formatting.h"
#include "engine/program/interpreter.h"
#include "engine/program/packages.h"
#include "engine/program/types.h"

namespace unroll::program {
namespace {

// Which exception of Python a refusal of the language is; the others cannot be handled.
const char* exception_of(std::string_view id) {
  constexpr std::pair<std::string_view, const char*> all[] = {
      {"value_has_no_attribute", "AttributeError"},
      {"module_is_not_begun", "AttributeError"},
      {"value_has_no_attribute_but_similar", "AttributeError"},
      {"no_such_method_of_tensor", "AttributeError"},
      {"no_such_member", "AttributeError"},
      {"no_such_package", "ImportError"},
      {"no_such_variable", "NameError"},
      {"index_out_of_range", "IndexError"},
      {"division_by_zero", "ZeroDivisionError"},
  };
  for (const auto& [each, exception] : all)
    if (each == id) return exception;
  return nullptr;
}

}  // namespace

Flow Interpreter::run(const Try& statement, const Place& place) {
  Flow flow = Flow::next;
  std::exception_ptr pending;  // what no handler has taken, to be thrown after `finally`
  const std::size_t frames = frames_.size();
  const std::shared_ptr<Environment> environment = frames_.back().environment;
  const auto attempt = [&](const auto& body) -> std::optional<Value> {  // the exception of Python that it raised
    try {
      body();
      return std::nullopt;
    } catch (const Raised& raised) {
      pending = std::current_exception();
      frames_.resize(frames);
      frames_.back().environment = environment;
      return raised.exception;
    } catch (const Error& error) {
      const char* type = exception_of(error.message.id);
      pending = std::current_exception();
      frames_.resize(frames);
      frames_.back().environment = environment;
      if (!type) return std::nullopt;
      return call(*find_in_library("builtins", type), {Value(std::string(error.message.id))}, place);
    }
  };
  const std::optional<Value> raised = attempt([&] { flow = run(statement.body); });
  if (raised) {
    const Try::Handler* handler = handler_of(statement, *raised);
    if (handler) {
      pending = nullptr;
      handled_.push_back(*raised);
      if (handler->symbol) bind(*handler->symbol, *raised, handler->place);
      attempt([&] { flow = run(handler->body); });
      handled_.pop_back();
    }
  } else if (!pending && flow == Flow::next) {
    attempt([&] { flow = run(statement.otherwise); });
  }
  const Flow last = run(statement.last);
  if (last != Flow::next) return last;
  if (pending) std::rethrow_exception(pending);
  return flow;
}

const Try::Handler* Interpreter::handler_of(const Try& statement, const Value& exception) {
  for (const Try::Handler& each : statement.handlers)
    if (!each.type || is_instance(*this, exception, evaluate(*each.type), each.place)) return &each;
  return nullptr;
}

// with torch.no_grad(): what is computed within is a constant. Of instances, __enter__ and __exit__ are called.
Flow Interpreter::run(const With& statement, const Place& place) {
  const bool records = records_;
  std::vector<Value> entered;
  bool stops_gradient = false;
  for (const auto& [manager, target] : statement.items) {
    const Value value = evaluate(*manager);
    const auto enter = special(value, "__enter__");
    const auto* word = value.as<Word>();
    if (!enter && !word) fail_at(manager->place, "value_is_no_context", described(value));
    stops_gradient |= word && std::string_view(word->text) == "no_grad";
    const Value given = enter ? call(*enter, Passed(), manager->place) : value;
    if (enter) entered.push_back(value);
    if (target) assign(*target, given);
  }
  std::optional<RecordingGuard> pause;
  if (stops_gradient) pause.emplace(nullptr), records_ = false;
  const auto leave = [&] {
    pause.reset();
    records_ = records;
    for (auto each = entered.rbegin(); each != entered.rend(); ++each)
      if (const auto exit = special(*each, "__exit__")) call(*exit, {None{}, None{}, None{}}, place);
  };
  try {
    const Flow flow = run(statement.body);
    leave();
    return flow;
  } catch (...) {
    pause.reset();
    records_ = records;
    throw;
  }
}

// @torch.no_grad()
Value Interpreter::without_gradient(const Value& function) {
  return std::make_shared<const BoundBody>(BoundBody{find_function("call_without_gradient"), function});
}

Flow Interpreter::run(const Import& statement, const Place& place) {
  for (const Import::Bound& each : statement.names) {
    if (each.member == "*")
      import_all(each, place);
    else
      bind(each.symbol, imported(each, place), place);
  }
  return Flow::next;
}

Value Interpreter::imported(const Import::Bound& name, const Place& place) {
  const std::optional<Value> package = find_package(name.package);
  if (!package) fail_at(place, "no_such_package", name.package);
  if (name.member.empty()) return *package;
  if (const auto found = find_member(*this, *package->as<Package>(), name.member)) return *found;
  if (const auto inner = find_package(name.package + "." + name.member)) return *inner;
  refuse_attribute(*package, name.member, place);
}

// from torch.nn import *: a name that the program uses and that the package has.
void Interpreter::import_all(const Import::Bound& name, const Place& place) {
  const std::optional<Value> package = find_package(name.package);
  if (!package) fail_at(place, "no_such_package", name.package);
  const Names& names = frames_.back().variables->program->names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto symbol = static_cast<Symbol>(i);
    if (names[symbol].starts_with('_')) continue;
    if (const auto found = find_member(*this, *package->as<Package>(), names[symbol])) variable(symbol) = *found;
  }
}

// Files of the library run once, when the first of their names is asked for; they cost the program nothing.
Interpreter::File* Interpreter::library(const std::string& name) {
  const std::string path = name + ".py";
  const auto found = library_.find(path);
  if (found != library_.end()) return &found->second;
  const Program* program = library_program(path);
  if (!program) return nullptr;
  const auto entry = library_.try_emplace(path).first;
  File& file = entry->second;
  file.program = program;
  file.variables = std::make_shared<Environment>(nullptr, program, nullptr);
  const std::size_t frames = frames_.size();
  frames_.push_back({nullptr, file.variables, file.variables});
  run(program->body);
  frames_.resize(frames);
  return &file;
}

std::optional<Value> Interpreter::find_in_library(const std::string& file, const std::string& name) {
  const File* found = library(file);
  if (!found) return std::nullopt;
  const std::optional<Symbol> symbol = found->program->names.find(name);
  return symbol ? *found->variables->find(*symbol) : std::nullopt;
}

}  // namespace unroll::program
