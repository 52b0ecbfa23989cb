// The functions of Python itself on numbers and texts, parameter(…), and the search for all functions by name.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/comparison.h"
#include "engine/program/formatting.h"
#include "engine/program/library.h"
#include "engine/program/packages.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

Value length_of(const Arguments& a) {
  if (const std::vector<Value>* items = items_of(a[0])) return static_cast<std::int64_t>(items->size());
  if (const auto* text = a[0].as<std::string>()) return static_cast<std::int64_t>(characters_in(*text));
  if (const auto* dict = a[0].as<Dict>()) return static_cast<std::int64_t>((*dict)->size());
  if (const auto* set = a[0].as<Set>()) return static_cast<std::int64_t>(set->items->size());
  if (const std::optional<Value> method = a.interpreter.special(a[0], "__len__"))
    return a.interpreter.call(*method, std::vector<Value>{}, a.place);
  const auto* tensor = a[0].as<TypedTensor>();
  if (!tensor || tensor->tensor.rank() == 0) a.refuse(0, "a_list_a_tuple_a_text_or_a_tensor");
  return std::int64_t{tensor->tensor.shape()[0]};
}

// Of a tensor: the same operation of PyTorch.
Value by_tensor_function(const Arguments& a, std::string_view name, std::vector<Value> arguments) {
  const Builtin* function = find_tensor_function(name);
  if (!function) a.refuse(0, "a_number");
  return a.interpreter.call(Value(function), std::move(arguments), a.place);
}

// sum(items, start), and sum(x, dim) of a tensor.
Value total_of(const Arguments& a) {
  if (a[0].is<TypedTensor>()) return by_tensor_function(a, "sum", {a[0], a[1], a[2]});
  if (a.is_none(3)) return sum_of_items(a);
  const Arguments with_start(a.interpreter, a.callee, a.place, {a[0], a[3]});
  return sum_of_items(with_start);
}

// Whether all items are true, or any is; without a look at the rest.
Value quantified(const Arguments& a, bool of_all) {
  if (a[0].is<TypedTensor>()) return by_tensor_function(a, a.callee.name, {a[0]});
  for (const Value& each : a.interpreter.items(a[0], a.place))
    if (a.interpreter.truth(each, a.place) != of_all) return !of_all;
  return of_all;
}
Value all_hold(const Arguments& a) { return quantified(a, true); }
Value any_holds(const Arguments& a) { return quantified(a, false); }

// max(items, key=…, default=…), max(a, b, …), and of one tensor its largest value.
Value extreme(const Arguments& a, bool is_largest) {
  std::vector<Value> all = a.values(0);
  if (all.size() == 1 && all[0].is<TypedTensor>()) return by_tensor_function(a, is_largest ? "amax" : "amin", {all[0]});
  if (all.size() == 1) all = a.interpreter.items(Value(all[0]), a.place);
  const Dictionary& options = **a[2].as<Dict>();
  const Value* fallback = options.find("default");
  if (options.size() > (fallback ? 1u : 0u))
    fail_at(a.place, "no_such_parameter", a.callee.name, *options.keys().back().as<std::string>(),
            std::vector<std::string>{"key", "default"});
  if (all.empty() && fallback) return *fallback;
  if (all.empty()) fail_at(a.place, "extreme_of_nothing", a.callee.name);
  a.count_items(all.size());
  const auto key_of = [&](const Value& item) {
    return a.is_none(1) ? item : a.interpreter.call(a[1], {item}, a.place);
  };
  std::size_t best = 0;
  Value best_key = key_of(all[0]);
  for (std::size_t i = 1; i < all.size(); ++i) {
    Value key = key_of(all[i]);
    if (is_largest ? is_less(a.interpreter, best_key, key, a.place) : is_less(a.interpreter, key, best_key, a.place))
      best = i, best_key = std::move(key);
  }
  return all[best];
}
Value largest_value(const Arguments& a) { return extreme(a, true); }
Value smallest_value(const Arguments& a) { return extreme(a, false); }

// By a method of an instance; of a tensor by PyTorch's function of this name.
std::optional<Value> by_method(const Arguments& a, const char* method) {
  if (a[0].is<TypedTensor>()) return by_tensor_function(a, a.callee.name, {a[0]});
  if (const std::optional<Value> found = a.interpreter.special(a[0], method))
    return a.interpreter.call(*found, std::vector<Value>{}, a.place);
  if (!is_number(a[0])) a.refuse(0, "a_number");
  return std::nullopt;
}

Value absolute_value(const Arguments& a) {
  if (const std::optional<Value> result = by_method(a, "__abs__")) return *result;
  if (!is_whole(a[0])) return std::abs(a.number(0));
  return whole_of(a[0]) < 0 ? combine_numbers(Operator::subtract, std::int64_t{0}, a[0], a.place)
                            : Value(whole_of(a[0]));
}

Value rounded_value(const Arguments& a) {
  if (const std::optional<Value> result = by_method(a, "__round__")) return *result;
  const int decimals = a.is_none(1) ? 0 : std::clamp(a.index(1), -400, 400);
  if (is_whole(a[0]) && decimals >= 0) return whole_of(a[0]);
  const double result = rounded_to(number_of(a[0]), decimals);
  if (!a.is_none(1) && !is_whole(a[0])) return result;
  if (!(std::abs(result) < 9e18)) a.refuse(0, "a_finite_number");
  return static_cast<std::int64_t>(result);
}

Value power_of(const Arguments& a) {
  const Value power = combine_unnamed(a, Operator::power, a[0], a[1]);
  return a.is_none(2) ? power : combine_unnamed(a, Operator::remainder, power, a[2]);
}

Value quotient_and_rest(const Arguments& a) {
  return tuple_of(
      {combine_unnamed(a, Operator::floor_divide, a[0], a[1]), combine_unnamed(a, Operator::remainder, a[0], a[1])});
}

Value character_with_code(const Arguments& a) {
  return formatted(a.interpreter, std::int64_t{a.index(0)}, "c", a.place);
}

// UTF-8: the first byte says how many follow, of which each has six bits.
Value code_of_character(const Arguments& a) {
  const std::string& text = a.text(0);
  if (characters_in(text) != 1) a.refuse(0, "a_text_of_one_character");
  const auto first = static_cast<unsigned char>(text[0]);
  std::int64_t code = first < 0x80 ? first : first < 0xe0 ? first & 0x1f : first < 0xf0 ? first & 0x0f : first & 0x07;
  for (std::size_t i = 1; i < text.size(); ++i) code = code << 6 | (text[i] & 0x3f);
  return code;
}

Value in_base(const Arguments& a, int base, const char* prefix) {
  if (!is_whole(a[0])) a.refuse(0, "a_whole_number");
  std::string text = whole_text(whole_of(a[0]), base);
  return text.insert(text[0] == '-' ? 1 : 0, prefix);
}
Value in_base_2(const Arguments& a) { return in_base(a, 2, "0b"); }
Value in_base_8(const Arguments& a) { return in_base(a, 8, "0o"); }
Value in_base_16(const Arguments& a) { return in_base(a, 16, "0x"); }

Value representation_of(const Arguments& a) { return repr_of(a.interpreter, a[0], a.place); }
Value formatted_value(const Arguments& a) { return formatted(a.interpreter, a[0], a.text(1), a.place); }

// Values are shown at their line, so that nothing has to be printed.
Value printed(const Arguments&) { return None{}; }

// A parameter of the model. Calls with the same name return the same parameter.
Value parameter(const Arguments& a) {
  a.interpreter.account().operation(a.place);
  return TypedTensor{.tensor = a.interpreter.parameter(a.text(0), a.shape(1), a.text(2), a.place), .is_given = true};
}

// ── By name ──────────────────────────────────────────────────────────────────────────────────────────────────────────

void add_all(Library& library, std::initializer_list<std::span<const Builtin>> parts) {
  for (const std::span<const Builtin> part : parts)
    for (const Builtin& each : part) library.try_emplace(each.name, &each);
}

Library make_tensor_functions() {
  Library all;
  add_all(all, {tensor_functions(), math_functions_of_tensors(), comparison_functions(), reduction_functions(),
                order_functions(), product_functions(), gather_functions(), creation_functions(), drawing_functions(),
                arranging_functions(), shape_functions(), view_functions(), part_functions(), gradient_functions(),
                type_functions_of_tensors()});
  return all;
}

Library make_functions() {
  Library all;
  add_all(all, {python_functions(), call_functions(), sequence_functions(), object_functions(), type_functions()});
  all.insert(tensor_functions_by_name().begin(), tensor_functions_by_name().end());
  return all;
}

// Functions whose first parameter is a tensor are methods, too. A method comes before a function of the same name:
// x.float() is not float(x).
Library make_methods() {
  Library all;
  add_all(all, {type_methods(), creation_methods(), arranging_methods(), shape_methods(), view_methods(),
                inplace_methods(), random_methods(), gradient_methods()});
  for (const auto& [name, builtin] : tensor_functions_by_name())
    if (builtin->parameters == "x" || builtin->parameters.starts_with("x,")) all.try_emplace(name, builtin);
  return all;
}

}  // namespace

Value combine_unnamed(const Arguments& a, Operator operation, const Value& left, const Value& right) {
  const Expression unnamed{a.place, Constant{}};
  return combine(a.interpreter, operation, left, right, {a.place, unnamed, unnamed});
}

Value sum_of_items(const Arguments& a) {
  Value total = a.is_none(1) ? Value(std::int64_t{0}) : a[1];
  if (total.is<std::string>()) a.refuse(1, "no_text");
  for (const Value& each : a.interpreter.items(a[0], a.place)) total = combine_unnamed(a, Operator::add, total, each);
  return total;
}

std::span<const Builtin> python_functions() {
  static constexpr Builtin all[] = {
      {"len", "x", length_of, "how many items there are"},
      {"sum", "x, dim=None, keepdim=False, start=None", total_of, "the sum of all items or values, or along some axes"},
      {"all", "items", all_hold, "whether all items are true"},
      {"any", "items", any_holds, "whether any item is true"},
      {"max", "*values, key=None, **options", largest_value, "the largest of several values, or of a tensor"},
      {"min", "*values, key=None, **options", smallest_value, "the smallest of several values, or of a tensor"},
      {"abs", "x", absolute_value, "a number without its sign, or each value of a tensor"},
      {"round", "x, ndigits=None", rounded_value, "the nearest number with so many decimals, and of two the even one"},
      {"pow", "x, exponent, mod=None", power_of, "x to the power of another number, or of each value"},
      {"divmod", "x, y", quotient_and_rest, "x // y and x % y"},
      {"chr", "code", character_with_code, "the character with this number"},
      {"ord", "text", code_of_character, "the number of a character"},
      {"bin", "x", in_base_2, "a whole number in base 2"},
      {"oct", "x", in_base_8, "a whole number in base 8"},
      {"hex", "x", in_base_16, "a whole number in base 16"},
      {"repr", "x", representation_of, "a value as it is written in a program"},
      {"ascii", "x", representation_of, "a value as it is written in a program"},
      {"format", "x, spec=\"\"", formatted_value, "a value as a text in this form"},
      {"print", "*values, **options", printed, "does nothing: values are shown without it"},
      {"parameter", "name, shape, init=\"xavier\"", parameter, "a parameter of the model, which training changes"},
  };
  return all;
}

std::optional<Value> find_constant(std::string_view name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "pi") return std::numbers::pi;
  if (name == "__name__") return std::string("program");  // not "__main__": what follows is no part of a model
  if (name == "NotImplemented") return word_of(Word::Kind::other, std::string(name));
  return std::nullopt;
}

const Builtin* find_in(const Library& library, std::string_view name) {
  const auto found = library.find(name);
  return found == library.end() ? nullptr : found->second;
}

const Builtin* find_in(std::span<const Builtin> part, std::string_view name) {
  const auto found = std::ranges::find(part, name, &Builtin::name);
  return found == part.end() ? nullptr : &*found;
}

const Library& functions() {
  static const Library all = make_functions();
  return all;
}

const Library& methods() {
  static const Library all = make_methods();
  return all;
}

const Library& tensor_functions_by_name() {
  static const Library all = make_tensor_functions();
  return all;
}

const Builtin* find_function(std::string_view name) { return find_in(functions(), name); }
const Builtin* find_method(std::string_view name) { return find_in(methods(), name); }
const Builtin* find_tensor_function(std::string_view name) { return find_in(tensor_functions_by_name(), name); }

std::vector<std::string> names_of(const Library& library) {
  std::vector<std::string> names;
  for (const auto& [name, builtin] : library) names.emplace_back(name);
  return names;
}

}  // namespace unroll::program
