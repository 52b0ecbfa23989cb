// Attributes and methods of what is no instance: tensors, lists, texts, packages, types, functions.
#include <algorithm>

#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/package_members.h"
#include "engine/program/packages.h"
#include "engine/program/types.h"
#include "engine/program/unknown_names.h"

namespace unroll::program {
namespace {

Value called_method(Interpreter& interpreter, const Value& object, std::string_view method, std::vector<Value> rest,
                    const Place& place) {
  rest.insert(rest.begin(), object);
  return interpreter.call(Value(find_method(method)), std::move(rest), place);
}

// x.T of a matrix, and x.mT of several.
Value transposed_tensor(Interpreter& interpreter, const Value& x, const std::string& name, const Place& place) {
  const int rank = x.as<TypedTensor>()->tensor.rank();
  const bool is_batched = name == "mT" || name == "mH";
  if (!is_batched && rank > 2) fail_at(place, "transpose_is_for_matrices", rank);
  if (is_batched && rank < 2) fail_at(place, "swap_needs_two_axes", rank);
  if (rank < 2) return x;
  return called_method(interpreter, x, "transpose", {std::int64_t{-2}, std::int64_t{-1}}, place);
}

std::optional<Value> attribute_of_tensor(Interpreter& interpreter, const Value& object, const std::string& name,
                                         const Place& place) {
  const TypedTensor& x = *object.as<TypedTensor>();
  if (name == "shape") return sizes_as_tuple(x.tensor.shape());
  if (name == "ndim") return std::int64_t{x.tensor.rank()};
  if (name == "dtype") {
    constexpr const char* words[] = {"torch.float32", "torch.int64", "torch.bool"};
    return word_of(Word::Kind::type, words[static_cast<int>(x.type)], x.type);
  }
  if (name == "device") return word_of(Word::Kind::device, "cpu");
  if (name == "T" || name == "mT" || name == "H" || name == "mH")
    return transposed_tensor(interpreter, object, name, place);
  if (name == "is_cuda" || name == "is_sparse" || name == "is_quantized" || name == "is_mps") return false;
  if (name == "layout") return word_of(Word::Kind::other, "torch.strided");
  if (name == "real") return object;
  return tensor_attribute(interpreter, object, name, place);
}

std::optional<Value> attribute_of_word(const Word& word, const std::string& name) {
  const std::string text = word.text;
  const std::size_t colon = text.find(':');
  if (word.kind == Word::Kind::device) {
    if (name == "type") return text.substr(0, colon);
    if (name == "index")
      return colon == std::string::npos ? Value() : Value(std::int64_t{std::stoi(text.substr(colon + 1))});
  }
  if (word.kind == Word::Kind::type) {
    if (name == "is_floating_point") return word.type == Type::real;
    if (name == "is_complex") return false;
    if (name == "itemsize")
      return std::int64_t{text.ends_with("64")                            ? 8
                          : text.ends_with("16")                          ? 2
                          : text.ends_with("8") || text.ends_with("bool") ? 1
                                                                          : 4};
  }
  if (name == "__name__") return text.substr(text.find_last_of('.') + 1);
  return std::nullopt;
}

// An attribute of a type that is no class of the program: str.lower, torch.Tensor.view.
const Builtin* method_of_type(std::string_view type, std::string_view name) {
  if (type.ends_with("Tensor") || type == "Parameter") return find_method(name);
  const std::span<const Builtin> part = type == "str"                          ? text_methods()
                                        : type == "list"                       ? list_methods()
                                        : type == "dict"                       ? dictionary_methods()
                                        : type == "set" || type == "frozenset" ? set_methods()
                                        : type == "tuple"                      ? tuple_methods()
                                                                               : std::span<const Builtin>();
  return find_in(part, name);
}

Value keys_with_one_value(const Arguments& a) {
  std::vector<std::pair<Value, Value>> entries;
  for (const Value& key : a.interpreter.items(a[0], a.place)) {
    if (!is_hashable(key)) fail_at(a.place, "value_is_no_key", described(key));
    entries.emplace_back(key, a[1]);
  }
  return dict_of(std::move(entries));
}
constexpr Builtin fromkeys = {"fromkeys", "keys, value=None", keys_with_one_value,
                              "a dictionary of keys with one value"};

std::optional<Value> attribute_of_function(const Builtin* builtin, const std::string& name) {
  if (name == "__name__" || name == "__qualname__") return std::string(builtin->name);
  if (name == "__doc__") return std::string(builtin->help);
  if (!is_type(builtin)) return std::nullopt;
  if (builtin->name == "dict" && name == "fromkeys") return Value(&fromkeys);
  const Builtin* method = method_of_type(builtin->name, name);
  return method ? std::optional<Value>(method) : std::nullopt;
}

std::optional<Value> attribute_of_class(const Class& type, const std::string& name) {
  if (name == "__name__" || name == "__qualname__") return type->name;
  if (name == "__module__") return std::string("__main__");
  if (name == "__doc__") return Value();
  if (name == "__dict__") return type->attributes;
  if (name == "__bases__") return tuple_of(std::vector<Value>(type->bases.begin(), type->bases.end()));
  if (name != "__annotations__") return std::nullopt;
  std::vector<std::pair<Value, Value>> entries;
  for (const std::string& field : type->annotated)
    entries.emplace_back(field, word_of(Word::Kind::other, "typing.Any"));
  return dict_of(std::move(entries));
}

Value new_property(const DescriptorBody& old, const Value& function, const Value& setter) {
  return Descriptor(std::make_shared<DescriptorBody>(DescriptorBody{old.kind, function, setter}));
}
Value with_setter(const Arguments& a) {
  const DescriptorBody& old = **a[0].as<Descriptor>();
  return new_property(old, old.function, a[1]);
}
Value with_getter(const Arguments& a) {
  const DescriptorBody& old = **a[0].as<Descriptor>();
  return new_property(old, a[1], old.setter);
}
Value with_deleter(const Arguments& a) { return a[0]; }
constexpr Builtin methods_of_property[] = {
    {"setter", "property, function", with_setter, "the property, which this function sets"},
    {"getter", "property, function", with_getter, "the property, which this function reads"},
    {"deleter", "property, function", with_deleter, "the property"}};

bool is_whole_float(double x) { return x == static_cast<double>(static_cast<std::int64_t>(x)); }
Value is_integer(const Arguments& a) {
  const double x = a.only_number(0);
  return x >= -9e18 && x <= 9e18 && is_whole_float(x);
}
Value bits_of_whole(const Arguments& a) {
  std::int64_t bits = 0;
  for (std::uint64_t left = static_cast<std::uint64_t>(std::abs(whole_of(a[0]))); left > 0; left /= 2) ++bits;
  return bits;
}
constexpr Builtin number_methods[] = {{"is_integer", "x", is_integer, "whether the number is whole"}};
constexpr Builtin whole_methods[] = {{"bit_length", "x", bits_of_whole, "how many bits the number has"},
                                     {"is_integer", "x", is_integer, "whether the number is whole"}};

std::span<const Builtin> methods_of(const Value& object) {
  if (object.is<List>()) return list_methods();
  if (object.is<Tuple>()) return tuple_methods();
  if (object.is<WholeRange>()) return tuple_methods();
  if (object.is<Dict>()) return dictionary_methods();
  if (object.is<Set>()) return set_methods();
  if (object.is<std::string>()) return text_methods();
  if (object.is<Descriptor>()) return methods_of_property;
  if (object.is<double>()) return number_methods;
  if (is_whole(object)) return whole_methods;
  return {};
}

std::optional<Value> item_named(const Tuple& tuple, std::string_view name) {
  std::string_view names = tuple.names;
  for (const Value& item : tuple.items->all()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == name) return item;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return std::nullopt;
}

std::optional<Value> attribute_of_range(const std::vector<Value>& items, const std::string& name) {
  const std::int64_t first = items.empty() ? 0 : whole_of(items.front()),
                     step = items.size() > 1 ? whole_of(items[1]) - first : 1;
  if (name == "start") return first;
  if (name == "step") return step;
  if (name == "stop") return items.empty() ? first : whole_of(items.back()) + step;
  return std::nullopt;
}

}  // namespace

std::optional<Value> attribute_of(Interpreter& interpreter, const Value& object, const std::string& name,
                                  const Place& place) {
  refuse_if_member(object, place);
  if (object.is<TypedTensor>())
    if (const auto found = attribute_of_tensor(interpreter, object, name, place)) return found;
  if (const auto* package = object.as<Package>()) return find_member(interpreter, *package, name);
  if (const auto* word = object.as<Word>())
    if (const auto found = attribute_of_word(*word, name)) return found;
  if (const auto* builtin = object.as<const Builtin*>())
    if (const auto found = attribute_of_function(*builtin, name)) return found;
  if (const auto* type = object.as<Class>())
    if (const auto found = attribute_of_class(*type, name)) return found;
  if (const auto* closure = object.as<Closure>()) {
    if (name == "__name__" || name == "__qualname__") return (*closure)->function->name;
    if (name == "__module__") return std::string("__main__");
    if (name == "__doc__") return Value();
  }
  if (const auto* bound = object.as<Bound>()) {
    if (name == "__self__") return (*bound)->self;
    if (name == "__func__") return (*bound)->callee;
    if (name == "__name__") return attribute_of(interpreter, (*bound)->callee, name, place);
  }
  if (const auto* tuple = object.as<Tuple>(); tuple && tuple->names)
    if (const auto found = item_named(*tuple, name)) return found;
  if (const auto* range = object.as<WholeRange>())
    if (const auto found = attribute_of_range(range->items->all(), name)) return found;
  if (name == "__class__") return type_of_value(object);
  return std::nullopt;
}

const Builtin* method_of(const Value& object, std::string_view name) {
  if (object.is<TypedTensor>()) return find_method(name);
  return find_in(methods_of(object), name);
}

void refuse_attribute(const Value& object, const std::string& name, const Place& place) {
  refuse_if_member(object, place);
  const bool is_tensor = object.is<TypedTensor>();
  if (is_tensor && (name == "backward" || name == "zero_grad" || name == "retain_grad"))
    fail_at(place, "gradients_are_always_computed", name);
  std::vector<std::string> known;
  if (const auto* package = object.as<Package>()) known = names_in(*package);
  if (is_tensor) known = names_of(methods());
  for (const Builtin& each : methods_of(object)) known.emplace_back(each.name);
  if (is_tensor || object.is<Package>())
    if (const char* instead = instead_of(name))
      fail_at(place, "attribute_not_here_use_instead", described(object), name, phrase(instead));
  const std::string nearest = nearest_of(name, known);
  if (!nearest.empty()) fail_at(place, "value_has_no_attribute_but_similar", described(object), name, nearest);
  fail_at(place, "value_has_no_attribute", described(object), name);
}

}  // namespace unroll::program
