#include "engine/program/types.h"

#include <algorithm>
#include <cmath>

#include "engine/program/arithmetic.h"
#include "engine/program/formatting.h"
#include "engine/program/interpreter.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

bool is_of_package(const Word& word, std::string_view last) {
  const std::string_view text = word.text;
  return text.ends_with(last) && (text.size() == last.size() || text[text.size() - last.size() - 1] == '.');
}

bool is_callable_value(Interpreter& interpreter, const Value& value) {
  return value.is<Closure>() || value.is<const Builtin*>() || value.is<Bound>() || value.is<Class>() ||
         interpreter.special(value, "__call__").has_value();
}

using Test = bool (*)(const Value&);
template <typename... Any>
bool is_any(const Value& value) {
  return (value.is<Any>() || ...);
}
bool is_tensor_of(const Value& value, Type type) {
  return value.is<TypedTensor>() && value.as<TypedTensor>()->type == type;
}
bool is_word_of(const Value& value, Word::Kind kind) { return value.is<Word>() && value.as<Word>()->kind == kind; }

constexpr std::pair<std::string_view, Test> tests_of_types[] = {
    {"object", [](const Value&) { return true; }},
    {"int", is_whole},
    {"float", is_any<double>},
    {"str", is_any<std::string>},
    {"bool", is_any<bool>},
    {"list", is_any<List>},
    {"tuple", is_any<Tuple>},
    {"dict", is_any<Dict>},
    {"set", is_any<Set>},
    {"frozenset", is_any<Set>},
    {"range", is_any<WholeRange>},
    {"type", is_type},
    {"NoneType", is_any<None>},
    {"function", is_any<Closure>},
    {"builtin_function_or_method", [](const Value& value) { return value.is<const Builtin*>() && !is_type(value); }},
    {"method", is_any<Bound>},
    {"iterator", is_any<Iterator>},
    {"module", is_any<Package>},
    {"property", is_any<Descriptor>},
    {"Size", is_any<Tuple>},
    {"Tensor", is_any<TypedTensor>},
    {"FloatTensor", [](const Value& value) { return is_tensor_of(value, Type::real); }},
    {"LongTensor", [](const Value& value) { return is_tensor_of(value, Type::integer); }},
    {"BoolTensor", [](const Value& value) { return is_tensor_of(value, Type::boolean); }},
    {"Parameter", [](const Value& value) { return value.is<TypedTensor>() && value.as<TypedTensor>()->is_parameter; }},
    {"device", [](const Value& value) { return is_word_of(value, Word::Kind::device); }},
    {"dtype", [](const Value& value) { return is_word_of(value, Word::Kind::type); }},
};

Test test_of(std::string_view name) {
  const auto* found = std::ranges::find(tests_of_types, name, &std::pair<std::string_view, Test>::first);
  return found == std::end(tests_of_types) ? nullptr : found->second;
}

// The names of typing and collections.abc that programs ask for.
bool is_of_kind(Interpreter& interpreter, const Value& value, const Word& word, const Place& place) {
  const auto is = [&](std::string_view last) { return is_of_package(word, last); };
  if (is("Callable")) return is_callable_value(interpreter, value);
  if (is("List")) return value.is<List>();
  if (is("Dict") || is("Mapping") || is("MutableMapping")) return value.is<Dict>();
  if (is("Tuple")) return value.is<Tuple>();
  if (is("Set")) return value.is<Set>();
  if (is("Sequence")) return items_of(value) || value.is<std::string>();
  if (is("Number") || is("Real")) return is_number(value);
  if (is("Integral")) return is_whole(value);
  if (is("Iterator")) return value.is<Iterator>() || interpreter.special(value, "__next__");
  if (is("Iterable") || is("Collection"))
    return items_of(value) || value.is<std::string>() || value.is<Dict>() || value.is<Set>() || value.is<Iterator>() ||
           value.is<TypedTensor>() || interpreter.special(value, "__iter__");
  if (is("Any")) return true;
  fail_at(place, "value_is_no_type", described(Value(word)));
}

Value refuse_call_of_type(const Arguments& a) {
  fail_at(a.place, "value_is_not_callable", described(Value(&a.callee)));
}

// What type(x) gives, and no program writes.
std::span<const Builtin> nameless_types() {
  static constexpr Builtin all[] = {
      {"NoneType", "", refuse_call_of_type, "the type of None"},
      {"function", "", refuse_call_of_type, "the type of functions"},
      {"builtin_function_or_method", "", refuse_call_of_type, "the type of operations"},
      {"method", "", refuse_call_of_type, "the type of methods"},
      {"iterator", "", refuse_call_of_type, "the type of what zip and enumerate give"},
      {"module", "", refuse_call_of_type, "the type of packages"},
      {"range", "", refuse_call_of_type, "the type of ranges"},
      {"property", "", refuse_call_of_type, "the type of properties"},
  };
  return all;
}

const Builtin* type_named(std::string_view name) {
  for (const std::span<const Builtin> part : {type_functions(), tensor_types(), nameless_types()})
    if (const Builtin* found = find_in(part, name)) return found;
  return nullptr;
}

struct TypeName {
  std::string_view operator()(None) const { return "NoneType"; }
  std::string_view operator()(bool) const { return "bool"; }
  std::string_view operator()(std::int64_t) const { return "int"; }
  std::string_view operator()(double) const { return "float"; }
  std::string_view operator()(const Text&) const { return "str"; }
  std::string_view operator()(const Value::Tensors& x) const { return x->is_parameter ? "Parameter" : "Tensor"; }
  std::string_view operator()(const List&) const { return "list"; }
  std::string_view operator()(const Tuple&) const { return "tuple"; }
  std::string_view operator()(const WholeRange&) const { return "range"; }
  std::string_view operator()(const Iterator&) const { return "iterator"; }
  std::string_view operator()(const Dict&) const { return "dict"; }
  std::string_view operator()(const Set&) const { return "set"; }
  std::string_view operator()(const Closure&) const { return "function"; }
  std::string_view operator()(const Builtin* builtin) const {
    return is_type(builtin) ? "type" : "builtin_function_or_method";
  }
  std::string_view operator()(const Bound&) const { return "method"; }
  std::string_view operator()(const Class&) const { return "type"; }
  std::string_view operator()(const Instance&) const { return "object"; }
  std::string_view operator()(const Super&) const { return "object"; }
  std::string_view operator()(const Descriptor&) const { return "property"; }
  std::string_view operator()(const Package&) const { return "module"; }
  std::string_view operator()(const Word& word) const {
    return word.kind == Word::Kind::type ? "dtype" : word.kind == Word::Kind::device ? "device" : "type";
  }
};

// ── Calls of types ───────────────────────────────────────────────────────────────────────────────────────────────────

// A whole number from its digits, with a sign, blanks around it and _ between digits.
std::optional<std::int64_t> read_whole(std::string_view text, int base) {
  const auto is_blank = [](char each) { return each == ' ' || (each >= '\t' && each <= '\r'); };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  constexpr std::pair<std::string_view, int> prefixes[] = {{"0x", 16}, {"0X", 16}, {"0b", 2},
                                                           {"0B", 2},  {"0o", 8},  {"0O", 8}};
  for (const auto& [prefix, of] : prefixes)
    if (text.starts_with(prefix) && (base == of || base == 0)) text.remove_prefix(2), base = of;
  if (base == 0) base = 10;
  if (text.empty() || text.front() == '_' || text.back() == '_') return std::nullopt;
  std::int64_t number = 0;
  for (const char each : text) {
    if (each == '_') continue;
    const int digit = each >= '0' && each <= '9'   ? each - '0'
                      : each >= 'a' && each <= 'z' ? each - 'a' + 10
                      : each >= 'A' && each <= 'Z' ? each - 'A' + 10
                                                   : 99;
    if (digit >= base || __builtin_mul_overflow(number, std::int64_t{base}, &number) ||
        __builtin_sub_overflow(number, std::int64_t{digit}, &number))
      return std::nullopt;
  }
  if (!is_negative && __builtin_sub_overflow(std::int64_t{0}, number, &number)) return std::nullopt;
  return number;
}

// "12", "1.5", ".5e-3", "2."
bool is_decimal(std::string_view text) {
  const auto skip_digits = [&] {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(end);
    return end;
  };
  std::size_t digits = skip_digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += skip_digits();
  }
  if (digits == 0 || text.empty()) return digits > 0;
  if (text[0] != 'e') return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return skip_digits() > 0 && text.empty();
}

// "1e-5", " 0.5 ", "-inf".
std::optional<double> read_real(std::string text) {
  const auto is_blank = [](char each) { return each == ' ' || (each >= '\t' && each <= '\r'); };
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  while (!text.empty() && is_blank(text.front())) text.erase(0, 1);
  std::ranges::transform(text, text.begin(), [](char each) {
    return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
  });
  std::erase(text, '_');
  const std::string size = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const double sign = text.starts_with('-') ? -1 : 1;
  if (size == "inf" || size == "infinity") return sign * std::numeric_limits<double>::infinity();
  if (size == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (!is_decimal(size)) return std::nullopt;
  return sign * read_decimal(size);
}

std::optional<Value> by_own_method(const Arguments& a, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const std::optional<Value> method = a.interpreter.special(a[0], name))
      return a.interpreter.call(*method, std::vector<Value>{}, a.place);
  return std::nullopt;
}

[[noreturn]] void raise_value_error(const Arguments& a, const std::string& what) {
  a.interpreter.raise("ValueError", what + ": " + quoted(a.text(0).substr(0, 100)), a.place);
}

Value as_whole(const Arguments& a) {
  if (a[0].is<std::string>()) {
    const int base = a.is_none(1) ? 10 : a.index(1);
    a.count_items(a.text(0).size());
    const std::optional<std::int64_t> number = read_whole(a.text(0), base);
    if (!number) raise_value_error(a, "invalid literal for int() with base " + std::to_string(base));
    return *number;
  }
  if (is_whole(a[0])) return whole_of(a[0]);
  if (const auto result = by_own_method(a, {"__int__", "__index__"})) return *result;
  const double number = a.only_number(0);
  if (!(std::abs(number) < 9e18)) a.refuse(0, "a_finite_number");
  return static_cast<std::int64_t>(number);
}

Value as_number(const Arguments& a) {
  if (a[0].is<std::string>()) {
    a.count_items(a.text(0).size());
    const std::optional<double> number = read_real(a.text(0));
    if (!number) raise_value_error(a, "could not convert string to float");
    return *number;
  }
  if (const auto result = by_own_method(a, {"__float__"})) return *result;
  return a.only_number(0);
}

Value as_text(const Arguments& a) { return text_of(a.interpreter, a[0], a.place); }
Value as_truth(const Arguments& a) { return a.interpreter.truth(a[0], a.place); }

// list() is empty, and list(items) has the items.
std::vector<Value> items_given(const Arguments& a) {
  const std::vector<Value>& given = a.values(0);
  if (given.size() > 1) fail_at(a.place, "call_has_too_many_arguments", a.callee.name, std::string("items"));
  return given.empty() ? std::vector<Value>() : a.interpreter.items(Value(given[0]), a.place);
}
Value as_list(const Arguments& a) { return list_of(items_given(a)); }
Value as_tuple(const Arguments& a) { return tuple_of(items_given(a)); }
Value as_set(const Arguments& a) {
  std::vector<Value> all = items_given(a);
  for (const Value& each : all)
    if (!is_hashable(each)) fail_at(a.place, "value_is_no_key", described(each));
  return set_of(std::move(all));
}

Value as_dictionary(const Arguments& a) {
  const Value made = dict_of({});
  const std::vector<Value>& given = a.values(0);
  if (given.size() > 1) fail_at(a.place, "call_has_too_many_arguments", a.callee.name, std::string("items"));
  if (!given.empty()) add_entries(a, **made.as<Dict>(), given[0]);
  for (const auto& [key, value] : (*a[1].as<Dict>())->entries()) (*made.as<Dict>())->set(key, value);
  return made;
}

Value type_of_argument(const Arguments& a) { return type_of_value(a[0]); }

// object() is equal to nothing else.
Value new_object(const Arguments& a) {
  const std::optional<Value> type = a.interpreter.find_in_library("builtins", "Sentinel");
  if (!type) fail_at(a.place, "value_is_not_callable", described(Value(&a.callee)));
  return a.interpreter.call(*type, std::vector<Value>{}, a.place);
}

}  // namespace

bool is_type(const Value& value) {
  if (value.is<Class>()) return true;
  const auto* builtin = value.as<const Builtin*>();
  const auto is_within = [&](std::span<const Builtin> part) {
    return *builtin >= part.data() && *builtin < part.data() + part.size();
  };
  return builtin && (is_within(type_functions()) || is_within(tensor_types()) || is_within(nameless_types()));
}

bool is_instance(Interpreter& interpreter, const Value& value, const Value& type, const Place& place) {
  std::vector<const Value*> pending{&type};  // a tuple may have tuples in it
  while (!pending.empty()) {
    const Value& each = *pending.back();
    pending.pop_back();
    interpreter.account().items(1, place);
    if (const auto* several = each.as<Tuple>()) {
      for (const Value& one : several->items->all()) pending.push_back(&one);
      continue;
    }
    const auto* builtin = each.as<const Builtin*>();
    const auto* type_class = each.as<Class>();
    const auto* word = each.as<Word>();
    const Test test = builtin ? test_of((*builtin)->name) : nullptr;
    if (!test && !type_class && !word && !each.is<None>()) fail_at(place, "value_is_no_type", described(each));
    const auto* instance = value.as<Instance>();
    if ((test && test(value)) || (each.is<None>() && value.is<None>())) return true;
    if (type_class && instance && (*instance)->type->is_derived_from(**type_class)) return true;
    if (word && is_of_kind(interpreter, value, *word, place)) return true;
  }
  return false;
}

Value type_of_value(const Value& value) {
  if (const auto* instance = value.as<Instance>()) return (*instance)->type;
  const Builtin* type = type_named(std::visit(TypeName(), value.content()));
  return type ? Value(type) : Value();
}

std::string name_of_type(const Value& value) {
  if (const auto* instance = value.as<Instance>()) return (*instance)->type->name;
  return std::string(std::visit(TypeName(), value.content()));
}

std::span<const Builtin> type_functions() {
  static constexpr Builtin all[] = {
      {"int", "x=0, base=None", as_whole, "a number, a text or one value as a whole number, cut at the point"},
      {"float", "x=0", as_number, "a number, a text or one value as a float"},
      {"str", "x=\"\"", as_text, "a value as a text"},
      {"bool", "x=False", as_truth, "whether a condition holds"},
      {"list", "*items", as_list, "a list of the items"},
      {"tuple", "*items", as_tuple, "a tuple of the items"},
      {"dict", "*items, **entries", as_dictionary, "a dictionary"},
      {"set", "*items", as_set, "a set of the items"},
      {"frozenset", "*items", as_set, "a set of the items"},
      {"type", "x", type_of_argument, "the type or class of a value"},
      {"object", "", new_object, "what every value is"},
  };
  return all;
}

}  // namespace unroll::program
