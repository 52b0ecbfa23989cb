// Classes, their instances, and attributes.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/modules.h"
#include "engine/program/packages.h"
#include "engine/program/unknown_names.h"

namespace unroll::program {
namespace {

bool is_builtin(const Value& value, std::string_view name) {
  const auto* builtin = value.as<const Builtin*>();
  return builtin && (*builtin)->name == name;
}

}  // namespace

// The body runs in a scope of its own, whose variables become the attributes of the class.
Flow Interpreter::run(const DefineClass& statement, const Place& place) {
  const ClassDefinition& definition = *statement.definition;
  auto type = std::make_shared<ClassBody>();
  type->name = definition.name, type->definition = &definition;
  for (const PassedArgument& base : evaluated(definition.bases))
    if (const auto* known = base.name.empty() ? base.value.as<Class>() : nullptr)
      type->bases.push_back(*known);
    else if (base.name.empty() && !base.value.is<Word>() && !is_builtin(base.value, "object"))
      fail_at(base.place, "base_is_no_class", definition.name, described(base.value));
  type->order = lookup_order(*type, place);
  const std::shared_ptr<Environment> around = frames_.back().environment;
  auto variables = new_environment(&definition, definition.program, around);
  variables->is_class = true;
  remember(classes_, type);
  const std::size_t frames = frames_.size();
  frames_.push_back({nullptr, variables, variables, type});
  try {
    run(definition.body);
  } catch (...) {
    frames_.resize(frames);
    throw;
  }
  frames_.pop_back();
  for (std::size_t i = 0; i < definition.locals.size(); ++i)
    if (const std::optional<Value>& value = variables->local(i))
      type->attributes->set(definition.program->names[definition.locals[i]], *value);
  // A class method, though it is not said so; of the classes that this one is derived from.
  for (const Class& base : type->bases)
    if (const Value* hook = base->find("__init_subclass__")) {
      call(hook->is<Closure>() ? *hook : bound_attribute(*hook, type, type, place), {Value(type)}, place);
      break;
    }
  bind(definition.symbol, decorated(type, statement.decorators), place);
  return Flow::next;
}

// Python's C3: a class comes before what it is derived from, and its bases in their order.
std::vector<const ClassBody*> Interpreter::lookup_order(const ClassBody& type, const Place& place) const {
  constexpr std::size_t most_classes = 30;
  std::vector<std::vector<const ClassBody*>> left;
  for (const Class& base : type.bases) left.push_back(base->order);
  left.emplace_back();
  for (const Class& base : type.bases) left.back().push_back(base.get());
  std::vector<const ClassBody*> order = {&type};
  const auto is_later = [&](const ClassBody* each) {
    return std::ranges::any_of(left, [&](const auto& list) {
      return !list.empty() && std::find(list.begin() + 1, list.end(), each) != list.end();
    });
  };
  while (true) {
    std::erase_if(left, [](const auto& list) { return list.empty(); });
    if (left.empty()) return order;
    // Each attribute is looked up in all of them.
    if (order.size() >= most_classes) fail_at(place, "bases_too_many", type.name, most_classes);
    const auto next = std::ranges::find_if(left, [&](const auto& list) { return !is_later(list.front()); });
    if (next == left.end()) fail_at(place, "bases_have_no_order", type.name);
    const ClassBody* first = next->front();
    order.push_back(first);
    for (auto& list : left)
      if (list.front() == first) list.erase(list.begin());
  }
}

Instance Interpreter::bare_instance(const Class& type, const Place& place) {
  account_->operation(place);
  auto instance = std::make_shared<InstanceBody>();
  instance->type = type;
  remember(instances_, instance);
  return instance;
}

Value Interpreter::call(const Class& type, Passed passed, const Place& place) {
  const Instance instance = bare_instance(type, place);
  if (const Value* init = type->find("__init__"))
    call(bound_attribute(*init, instance, type, place), std::move(passed), place);
  else if (!fields_of(*type).empty())
    fill_dataclass(instance, std::move(passed), place);
  else if (!passed.empty())
    fail_at(place, "class_takes_no_arguments", type->name);
  return instance;
}

Value Interpreter::instance_of(const Class& type, std::vector<Value> arguments, const Place& place) {
  return call(Value(type), std::move(arguments), place);
}

// Of a dataclass: what it annotates, after what the classes below it do.
std::vector<std::string> Interpreter::fields_of(const ClassBody& type) const {
  std::vector<std::string> names;
  for (auto each = type.order.rbegin(); each != type.order.rend(); ++each)
    for (const std::string& name : (*each)->annotated)
      if ((*each)->is_dataclass && std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

void Interpreter::fill_dataclass(const Instance& instance, Passed passed, const Place& place) {
  const Class& type = instance->type;
  const std::vector<std::string> names = fields_of(*type);
  std::size_t next = 0;
  for (PassedArgument& each : passed) {
    if (each.name.empty() && next >= names.size())
      fail_at(each.place, "function_takes_fewer_arguments", type->name, names.size());
    const std::string& name = each.name.empty() ? names[next++] : each.name;
    if (std::ranges::find(names, name) == names.end())
      fail_at(each.place, "no_such_parameter", type->name, name, names);
    if (instance->attributes->find(name)) fail_at(each.place, "argument_twice", type->name, name);
    instance->attributes->set(name, std::move(each.value));
  }
  Dict given = std::exchange(instance->attributes, std::make_shared<Dictionary>());
  for (const std::string& name : names) {  // in their own order
    const Value* value = given->find(name);
    const Value* fallback = value ? value : type->find(name);
    if (!fallback) fail_at(place, "call_needs_value", type->name, name);
    const auto* bound = value ? nullptr : fallback->as<Bound>();
    const bool is_made = bound && is_builtin((*bound)->callee, "field");  // field(default_factory=list)
    instance->attributes->set(name, is_made ? call((*bound)->self, Passed(), place) : *fallback);
  }
  if (const auto after = special(instance, "__post_init__")) call(*after, Passed(), place);
}

// A call of a module is a scope of the tape with the module's name within the one around it: "h.0", "attn".
Value Interpreter::call(const Instance& instance, Passed passed, const Place& place) {
  const Value* method = instance->type->find("__call__");
  if (!method) fail_at(place, "value_is_not_callable", described(Value(instance)));
  return call_method(instance, bound_attribute(*method, instance, instance->type, place), std::move(passed), place);
}

Value Interpreter::call_method(const Instance& instance, const Value& method, Passed passed, const Place& place) {
  std::optional<unroll::Scope> scope;
  if (frames_.size() > 1 && Tape::live() && is_module(*instance)) {
    const std::string& around = module_ ? module_->path : "";
    std::string name = instance->path;
    if (!around.empty() && name.starts_with(around + ".")) name.erase(0, around.size() + 1);
    scope.emplace(name.empty() ? instance->type->name : name, site_of(place));
  }
  const Setting<const InstanceBody*> here(module_, is_module(*instance) ? instance.get() : module_);
  return call(method, std::move(passed), place);
}

// Whether the open scope has its name already: forward of the module that is being called.
bool Interpreter::is_of_this_module(const Function& function, Environment& variables) const {
  if (function.name != "forward" && function.name != "__call__") return false;
  const auto* self = variables.size() > 0 && variables.local(0) ? variables.local(0)->as<Instance>() : nullptr;
  return self && self->get() == module_;
}

Value Interpreter::super_of_here(const Place& place) const {
  const Frame& frame = frames_.back();
  const Class definer = frame.closure ? frame.closure->definer.lock() : nullptr;
  if (!definer || frame.variables->size() == 0 || !frame.variables->local(0)) fail_at(place, "super_outside_method");
  return std::make_shared<const SuperBody>(SuperBody{definer, *frame.variables->local(0)});
}

// What an attribute of a class is for an instance of it, or for the class: a method is bound, a property computed.
Value Interpreter::bound_attribute(const Value& found, const Value& object, const Class& type, const Place& place) {
  const bool is_of_instance = object.is<Instance>();
  if (const auto* descriptor = found.as<Descriptor>()) {
    const Value& function = (*descriptor)->function;
    switch ((*descriptor)->kind) {
      case DescriptorBody::Kind::property:
        return is_of_instance ? call(function, {object}, place) : found;
      case DescriptorBody::Kind::static_method:
        return function;
      case DescriptorBody::Kind::class_method:
        break;
    }
    return std::make_shared<const BoundBody>(BoundBody{function, type});
  }
  const bool is_function = found.is<Closure>() || found.is<Bound>();
  if (!is_function || !is_of_instance) return found;
  return std::make_shared<const BoundBody>(BoundBody{found, object});
}

std::optional<Value> Interpreter::special(const Value& object, std::string_view name) const {
  const auto* instance = object.as<Instance>();
  const Value* found = instance ? (*instance)->type->find(name) : nullptr;
  if (!found) return std::nullopt;
  return Value(std::make_shared<const BoundBody>(BoundBody{*found, object}));
}

bool Interpreter::truth(const Value& value, const Place& place) {
  if (!value.is<Instance>()) return is_true(value, place);
  if (const auto method = special(value, "__bool__")) return truth(call(*method, Passed(), place), place);
  if (const auto method = special(value, "__len__")) return truth(call(*method, Passed(), place), place);
  return true;
}

std::vector<Value> Interpreter::items_of_instance(const Value& instance, const Place& place) {
  if (const auto method = special(instance, "__iter__")) {
    const Value walked = call(*method, Passed(), place);
    if (!walked.is<Instance>()) return items(walked, place);
    const auto next = special(walked, "__next__");
    if (!next) fail_at(place, "value_has_no_items", described(instance));
    return items_until("StopIteration", place, [&](std::int64_t) { return call(*next, Passed(), place); });
  }
  const auto item = special(instance, "__getitem__");
  if (!item) fail_at(place, "value_has_no_items", described(instance));
  return items_until("IndexError", place, [&](std::int64_t i) { return call(*item, {Value(i)}, place); });
}

// What `make` gives for 0, 1, …, until it raises that exception.
std::vector<Value> Interpreter::items_until(const char* exception, const Place& place,
                                            const std::function<Value(std::int64_t)>& make) {
  std::vector<Value> all;
  const std::size_t frames = frames_.size();
  try {
    for (std::int64_t i = 0;; ++i) {
      account_->items(1, place);
      all.push_back(make(i));
    }
  } catch (const Raised& raised) {
    const auto* instance = raised.exception.as<Instance>();
    if (!instance || (*instance)->type->name != exception) throw;
    frames_.resize(frames);
  }
  return all;
}

}  // namespace unroll::program
