// What only files of the library call: copies of objects, bare instances, and whether operations are recorded.
#include <map>

#include "engine/program/interpreter.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

constexpr int deepest_copy = 100;

// Copies of objects, each once: what two share, their copies share.
class Copier {
 public:
  explicit Copier(const Arguments& a) : a_(a) {}

  Value copied(const Value& value, int depth = 0) {
    const void* object = identity_of(value);
    if (!object) return value;
    if (const auto found = copies_.find(object); found != copies_.end()) return found->second;
    if (depth > deepest_copy) fail_at(a_.place, "copy_too_deep", deepest_copy);
    return copied_object(value, object, depth + 1);
  }

 private:
  Value copied_object(const Value& value, const void* object, int depth) {
    if (value.is<TypedTensor>()) return copies_[object] = copied_tensor(value);
    if (const auto* list = value.as<List>()) {
      const Value copy = copies_[object] = list_of({});
      a_.count_items((*list)->all().size());
      for (std::size_t i = 0; i < (*list)->all().size(); ++i)
        (*copy.as<List>())->append(copied(Value((*list)->all()[i]), depth));
      return copy;
    }
    if (const auto* tuple = value.as<Tuple>()) {
      a_.count_items(tuple->items->all().size());
      std::vector<Value> items;
      for (const Value& each : tuple->items->all()) items.push_back(copied(each, depth));
      return copies_[object] = tuple_of(std::move(items));
    }
    if (const auto* dict = value.as<Dict>()) {
      const Value copy = copies_[object] = dict_of({});
      fill(**copy.as<Dict>(), **dict, depth);
      return copy;
    }
    if (const auto* set = value.as<Set>()) return copies_[object] = set_of(set->items->keys());
    if (const auto* instance = value.as<Instance>()) {
      const Instance copy = a_.interpreter.bare_instance((*instance)->type, a_.place);
      copies_[object] = copy;
      fill(*copy->attributes, *(*instance)->attributes, depth);
      return copy;
    }
    return value;  // functions, classes and packages are shared
  }

  void fill(Dictionary& copy, const Dictionary& from, int depth) {
    a_.count_items(from.size());
    for (const auto& [key, value] : from.entries()) {
      Value new_key = copied(key, depth);
      copy.set(new_key, copied(value, depth));
    }
  }

  Value copied_tensor(const Value& value) {
    const TypedTensor& old = *value.as<TypedTensor>();
    const Value detached = a_.interpreter.call(Value(find_method("detach")), {value}, a_.place);
    TypedTensor copy = *a_.interpreter.call(Value(find_method("clone")), {detached}, a_.place).as<TypedTensor>();
    copy.is_parameter = old.is_parameter, copy.takes_gradient = old.takes_gradient;
    return copy;
  }

  const Arguments& a_;
  std::map<const void*, Value> copies_;
};

Value deep_copy(const Arguments& a) { return Copier(a).copied(a[0]); }

Value shallow_copy(const Arguments& a) {
  if (const auto* list = a[0].as<List>()) return list_of((*list)->all());
  if (const auto* dict = a[0].as<Dict>()) return dict_of((*dict)->entries());
  if (const auto* set = a[0].as<Set>()) return set_of(set->items->keys());
  if (a[0].is<TypedTensor>()) return *a[0].as<TypedTensor>();
  const auto* instance = a[0].as<Instance>();
  if (!instance) return a[0];
  const Instance copy = a.interpreter.bare_instance((*instance)->type, a.place);
  for (const auto& [key, value] : (*instance)->attributes->entries()) copy->attributes->set(key, value);
  return copy;
}

Value are_recorded(const Arguments& a) { return a.interpreter.records(); }

Value make_instance(const Arguments& a) {
  const auto* type = a[0].as<Class>();
  if (!type) a.refuse(0, "a_class");
  return a.interpreter.bare_instance(*type, a.place);
}

// Of a dataclass: what it annotates, after what the classes do that it is derived from.
Value field_names(const Arguments& a) {
  std::vector<Value> names;
  if (const auto* type = a[0].as<Class>())
    for (auto each = (*type)->order.rbegin(); each != (*type)->order.rend(); ++each)
      for (const std::string& name : (*each)->annotated)
        if ((*each)->is_dataclass) names.emplace_back(name);
  return list_of(set_of(std::move(names)).as<Set>()->items->keys());
}

}  // namespace

std::span<const Builtin> engine_functions() {
  static constexpr Builtin all[] = {
      {"deep_copy", "x", deep_copy, "a copy of an object and of all that it contains"},
      {"shallow_copy", "x", shallow_copy, "a copy of an object, with the same contents"},
      {"is_grad_enabled", "", are_recorded, "whether operations are recorded for a gradient"},
      {"field_names", "type", field_names, "the fields of a dataclass"},
      {"make_instance", "type", make_instance, "a new instance of a class, without a call of its __init__"},
  };
  return all;
}

}  // namespace unroll::program
