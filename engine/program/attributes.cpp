// object.name: reading, setting and deleting attributes.
#include <algorithm>

#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/modules.h"
#include "engine/program/packages.h"
#include "engine/program/unknown_names.h"

namespace unroll::program {
namespace {

// All names that could be meant, for a message.
std::vector<std::string> attribute_names(const Value& object) {
  std::vector<std::string> names;
  const auto add = [&](const Dictionary& attributes) {
    for (const Value& key : attributes.keys())
      if (const auto* name = key.as<std::string>()) names.push_back(*name);
  };
  if (const auto* instance = object.as<Instance>()) add(*(*instance)->attributes);
  const auto* instance = object.as<Instance>();
  const auto* type = instance ? &(*instance)->type : object.as<Class>();
  if (type)
    for (const ClassBody* each : (*type)->order) add(*each->attributes);
  return names;
}

// A class derived from nn.Module that forgets super().__init__(), as PyTorch notices it.
void check_is_begun(const InstanceBody& instance, const Value& value, const Place& place) {
  const auto* tensor = std::get_if<Value::Tensors>(&value.content());
  const auto* module = value.as<Instance>();
  const bool is_part = tensor ? (*tensor)->is_parameter : module && is_module(**module);
  if (is_part && is_module(instance) && !instance.attributes->find(std::string("training")))
    fail_at(place, "module_is_not_begun", instance.type->name);
}

}  // namespace

Value Interpreter::attribute(const Value& object, const std::string& name, const Place& place) {
  if (const std::optional<Value> found = find_attribute(object, name, place)) return *found;
  const bool has_names = object.is<Instance>() || object.is<Class>() || object.is<Super>();
  if (!has_names) refuse_attribute(object, name, place);
  const std::string nearest = nearest_of(name, attribute_names(object));
  if (nearest.empty()) fail_at(place, "value_has_no_attribute", described(object), name);
  fail_at(place, "value_has_no_attribute_but_similar", described(object), name, nearest);
}

std::optional<Value> Interpreter::find_attribute(const Value& object, const std::string& name, const Place& place) {
  account_->items(1, place);
  if (const auto* instance = object.as<Instance>()) return attribute_of_instance(*instance, name, place);
  if (const auto* type = object.as<Class>()) return attribute_of_class(*type, name, place);
  if (const auto* package = object.as<Package>()) return find_member(*this, *package, name);
  if (const auto* super = object.as<Super>()) {
    const auto* self = (*super)->self.as<Instance>();
    const Class type = self ? (*self)->type : *(*super)->self.as<Class>();
    const std::vector<const ClassBody*>& order = type->order;
    auto each = std::find(order.begin(), order.end(), (*super)->after.get());
    if (each != order.end()) ++each;
    for (; each != order.end(); ++each)
      if (const Value* found = (*each)->attributes->find(name))
        return bound_attribute(*found, (*super)->self, type, place);
    return std::nullopt;
  }
  const auto* closure = object.as<Closure>();
  if (closure && name == "__name__") return Value((*closure)->function->name);
  if (const Builtin* method = method_of(object, name))
    return Value(std::make_shared<const BoundBody>(BoundBody{method, object}));
  return attribute_of(*this, object, name, place);
}

// As in Python: a property of the class, then an attribute of the instance, then one of the class, then __getattr__.
std::optional<Value> Interpreter::attribute_of_instance(const Instance& instance, const std::string& name,
                                                        const Place& place) {
  const Class& type = instance->type;
  const Value* of_class = type->find(name);
  const auto* descriptor = of_class ? of_class->as<Descriptor>() : nullptr;
  const bool is_property = descriptor && (*descriptor)->kind == DescriptorBody::Kind::property;
  const Value* own = is_property ? nullptr : instance->attributes->find(name);
  if (own && !trains_ && name == "training") return Value(false);  // nobody trains the model in this run
  if (own) return *own;
  if (of_class) return bound_attribute(*of_class, instance, type, place);
  if (name == "__dict__") return Value(instance->attributes);
  if (name == "__class__") return Value(type);
  if (const Value* other = type->find("__getattr__"))
    return call(bound_attribute(*other, instance, type, place), {Value(name)}, place);
  return std::nullopt;
}

std::optional<Value> Interpreter::attribute_of_class(const Class& type, const std::string& name, const Place& place) {
  if (const Value* found = type->find(name)) return bound_attribute(*found, type, type, place);
  return attribute_of(*this, type, name, place);
}

void Interpreter::set_attribute(const Value& object, const std::string& name, const Value& value, const Place& place) {
  if (const auto* instance = object.as<Instance>()) {
    const Class& type = (*instance)->type;
    const Value* of_class = type->find(name);
    const auto* descriptor = of_class ? of_class->as<Descriptor>() : nullptr;
    if (descriptor && (*descriptor)->kind == DescriptorBody::Kind::property) {
      if ((*descriptor)->setter.is<None>()) fail_at(place, "property_is_read_only", name);
      call((*descriptor)->setter, {object, value}, place);
    } else if (const Value* own = type->find("__setattr__")) {
      call(bound_attribute(*own, object, type, place), {Value(name), value}, place);
    } else {
      check_is_begun(**instance, value, place);
      (*instance)->attributes->set(name, value);
    }
    return;
  }
  if (const auto* type = object.as<Class>()) return (*type)->attributes->set(name, value);
  if (object.is<TypedTensor>() && set_tensor_attribute(*this, object, name, value, place)) return;
  fail_at(place, "attribute_is_not_assignable", described(object), name);
}

void Interpreter::delete_attribute(const Value& object, const std::string& name, const Place& place) {
  const auto* instance = object.as<Instance>();
  if (!instance || !(*instance)->attributes->erase(name))
    fail_at(place, "value_has_no_attribute", described(object), name);
}

}  // namespace unroll::program
