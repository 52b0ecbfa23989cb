// Functions of Python on objects: getattr, isinstance, property, dataclass.
#include <algorithm>
#include <cmath>

#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/packages.h"
#include "engine/program/types.h"

namespace unroll::program {
namespace {

Value get_attribute(const Arguments& a) {
  const std::vector<Value>& fallback = a.values(2);
  if (fallback.empty()) return a.interpreter.attribute(a[0], a.text(1), a.place);
  return a.interpreter.find_attribute(a[0], a.text(1), a.place).value_or(fallback[0]);
}

Value has_attribute(const Arguments& a) { return a.interpreter.find_attribute(a[0], a.text(1), a.place).has_value(); }

Value change_attribute(const Arguments& a) {
  a.interpreter.set_attribute(a[0], a.text(1), a[2], a.place);
  return None{};
}

Value forget_attribute(const Arguments& a) {
  a.interpreter.delete_attribute(a[0], a.text(1), a.place);
  return None{};
}

Value attributes_of(const Arguments& a) { return a.interpreter.attribute(a[0], "__dict__", a.place); }

Value is_of_type(const Arguments& a) { return is_instance(a.interpreter, a[0], a[1], a.place); }

Value is_subtype(const Arguments& a) {
  if (!is_type(a[0])) a.refuse(0, "a_class");
  const auto* several = a[1].as<Tuple>();
  const std::vector<Value> types = several ? several->items->all() : std::vector<Value>{a[1]};
  a.count_items(types.size());
  return std::ranges::any_of(types, [&](const Value& each) {
    if (!is_type(each)) a.refuse(1, "a_class");
    const auto *left = a[0].as<Class>(), *right = each.as<Class>();
    if (left && right) return (*left)->is_derived_from(**right);
    const auto *builtin = a[0].as<const Builtin*>(), *other = each.as<const Builtin*>();
    const bool is_bool_of_int = builtin && other && (*builtin)->name == "bool" && (*other)->name == "int";
    return (other && (*other)->name == "object") || is_bool_of_int || identity_of(a[0]) == identity_of(each);
  });
}

Value can_be_called(const Arguments& a) {
  return a[0].is<Closure>() || a[0].is<const Builtin*>() || a[0].is<Bound>() || a[0].is<Class>() ||
         a.interpreter.special(a[0], "__call__").has_value();
}

// The same number on every machine, so none where an object is.
Value hash_value(const Arguments& a) {
  if (const std::optional<Value> method = a.interpreter.special(a[0], "__hash__"))
    return a.interpreter.call(*method, std::vector<Value>{}, a.place);
  const bool has_object = any_within(a[0], [](const Value& each) { return !each.is<Tuple>() && identity_of(each); });
  if (has_object || !is_hashable(a[0])) fail_at(a.place, "value_has_no_hash", described(a[0]));
  if (is_whole(a[0])) return whole_of(a[0]);
  const double* real = a[0].as<double>();
  if (real && std::abs(*real) < 9e18 && *real == std::trunc(*real)) return static_cast<std::int64_t>(*real);
  return static_cast<std::int64_t>(hash_of(a[0]) >> 4);
}

Value refuse_number_of_object(const Arguments& a) { fail_at(a.place, "value_is_not_callable", described(&a.callee)); }

// What id gives: it is equal for the same object only, and says nothing of where that is in memory.
constexpr Builtin object_number = {"id of an object", "object", refuse_number_of_object, "which object it is"};

Value number_of_object(const Arguments& a) {
  if (!identity_of(a[0])) fail_at(a.place, "is_compares_objects");
  return Bound(std::make_shared<BoundBody>(BoundBody{Value(&object_number), a[0]}));
}

// ── Decorators ───────────────────────────────────────────────────────────────────────────────────────────────────────

Value descriptor(DescriptorBody::Kind kind, const Value& function, const Value& setter) {
  return Descriptor(std::make_shared<DescriptorBody>(DescriptorBody{kind, function, setter}));
}
Value make_property(const Arguments& a) { return descriptor(DescriptorBody::Kind::property, a[0], a[1]); }
Value make_static(const Arguments& a) { return descriptor(DescriptorBody::Kind::static_method, a[0], None{}); }
Value make_class_method(const Arguments& a) { return descriptor(DescriptorBody::Kind::class_method, a[0], None{}); }

// @dataclass, or @dataclass(frozen=True), which gives the decorator.
Value make_dataclass(const Arguments& a) {
  if (a.is_none(0)) return Value(&a.callee);
  const auto* type = a[0].as<Class>();
  if (!type) a.refuse(0, "a_class");
  (*type)->is_dataclass = true;
  return a[0];
}

Value refuse_field(const Arguments& a) { fail_at(a.place, "value_is_not_callable", described(&a.callee)); }

// What field(…) gives: bound to the function that makes the default, or to None if there is no default.
constexpr Builtin field_with_factory = {"field", "", refuse_field, "a field of a dataclass"};

Value make_field(const Arguments& a) {
  const Dictionary& options = **a[0].as<Dict>();
  if (const Value* fallback = options.find("default")) return *fallback;
  const Value* factory = options.find("default_factory");
  return Bound(std::make_shared<BoundBody>(BoundBody{Value(&field_with_factory), factory ? *factory : Value()}));
}

}  // namespace

std::optional<Value> default_of_field(Interpreter& interpreter, const Value& attribute, const Place& place) {
  const auto* bound = attribute.as<Bound>();
  if (!bound || identity_of((*bound)->callee) != &field_with_factory) return attribute;
  if ((*bound)->self.is<None>()) return std::nullopt;
  return interpreter.call((*bound)->self, std::vector<Value>{}, place);
}

std::span<const Builtin> dataclass_functions() {
  static constexpr Builtin all[] = {
      {"dataclass", "cls=None, **options", make_dataclass, "gives a class an __init__ for its fields"},
      {"field", "**options", make_field, "a field with a default, or a default_factory"},
  };
  return all;
}

std::span<const Builtin> object_functions() {
  static constexpr Builtin all[] = {
      {"getattr", "object, name, *default", get_attribute, "the attribute of this name"},
      {"hasattr", "object, name", has_attribute, "whether there is an attribute of this name"},
      {"setattr", "object, name, value", change_attribute, "sets the attribute of this name"},
      {"delattr", "object, name", forget_attribute, "removes the attribute of this name"},
      {"vars", "object", attributes_of, "the attributes of an object"},
      {"isinstance", "object, type", is_of_type, "whether it is of this type, or of one of several"},
      {"issubclass", "cls, type", is_subtype, "whether the class is derived from this one, or from one of several"},
      {"callable", "object", can_be_called, "whether it can be called"},
      {"hash", "object", hash_value, "a number that equal values share"},
      {"id", "object", number_of_object, "which object it is: equal only for the same"},
      {"property", "fget=None, fset=None, fdel=None, doc=None", make_property, "a method that is read as an attribute"},
      {"staticmethod", "function", make_static, "a method without self"},
      {"classmethod", "function", make_class_method, "a method that is given its class"},
  };
  return all;
}

}  // namespace unroll::program
