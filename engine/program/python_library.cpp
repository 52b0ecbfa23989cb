// The functions of Python itself, parameter(…), and the search for all functions by name.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/library.h"
#include "engine/program/unknown_names.h"

namespace unroll::program {
namespace {

constexpr std::int64_t longest_range = 1'000'000;

// Not bytes: UTF-8 has up to four for a character, all but the first from 10000000 to 10111111.
std::int64_t characters_in(const std::string& text) {
  return std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; });
}

Value length_of(const Arguments& a) {
  if (const std::vector<Value>* items = items_of(a[0])) return static_cast<std::int64_t>(items->size());
  if (const auto* text = a[0].as<std::string>()) return characters_in(*text);
  const auto* tensor = a[0].as<TypedTensor>();
  if (!tensor || tensor->tensor.rank() == 0) a.refuse(0, "a_list_a_tuple_a_text_or_a_tensor");
  return std::int64_t{tensor->tensor.shape()[0]};
}

// range(n), range(start, stop) or range(start, stop, step).
Value range_of(const Arguments& a) {
  const Bounds bounds = bounds_of(a, &Arguments::index);
  const std::int64_t stop = bounds.stop, step = bounds.step;
  std::vector<Value> all;
  for (std::int64_t i = bounds.start; step > 0 ? i < stop : i > stop; i += step) {
    if (static_cast<std::int64_t>(all.size()) >= longest_range)
      a.refuse(bounds.place_of_stop, "a_range_of_at_most_a_million");
    all.push_back(i);
  }
  a.count_items(all.size());
  return program::range_of(std::move(all));
}

Value zipped(const Arguments& a) {
  std::vector<std::vector<Value>> lists;
  std::size_t shortest = std::numeric_limits<std::size_t>::max();
  for (const Value& each : *items_of(a[0])) {
    lists.push_back(a.interpreter.items(each, a.place));
    shortest = std::min(shortest, lists.back().size());
  }
  std::vector<Value> all;
  a.count_items(lists.empty() ? 0 : shortest * lists.size());
  for (std::size_t i = 0; i < (lists.empty() ? 0 : shortest); ++i) {
    std::vector<Value> row;
    for (const std::vector<Value>& list : lists) row.push_back(list[i]);
    all.push_back(tuple_of(std::move(row)));
  }
  return iterator_of(std::move(all));
}

Value enumerated(const Arguments& a) {
  std::int64_t i = a.index(1);
  std::vector<Value> all;
  for (Value& each : a.interpreter.items(a[0], a.place)) all.push_back(tuple_of({i++, std::move(each)}));
  return iterator_of(std::move(all));
}

Value as_whole(const Arguments& a) {
  const double number = a.only_number(0);
  if (!(std::abs(number) < 9e18)) a.refuse(0, "a_finite_number");
  return static_cast<std::int64_t>(number);
}
// float("-inf") is how most programs write -∞.
Value as_number(const Arguments& a) {
  const auto* text = a[0].as<std::string>();
  if (!text) return a.only_number(0);
  const bool is_negative = text->starts_with('-');
  const std::string_view size = std::string_view(*text).substr(is_negative || text->starts_with('+') ? 1 : 0);
  if (size != "inf" && size != "infinity") a.refuse(0, "a_number_inf_or_inf");
  return is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}
Value as_truth(const Arguments& a) { return is_true(a[0], a.place); }
Value as_list(const Arguments& a) { return list_of(a.interpreter.items(a[0], a.place)); }
Value as_tuple(const Arguments& a) { return tuple_of(a.interpreter.items(a[0], a.place)); }

// max and min of numbers, of a list of numbers, or of a tensor.
Value extreme(const Arguments& a, Relation relation, std::string_view of_tensor) {
  const std::string_view by_place = relation == Relation::greater ? "maximum" : "minimum";
  std::vector<Value> all = *items_of(a[0]);
  if (all.size() == 1 && all[0].is<TypedTensor>())
    return a.interpreter.call(Value(find_function(of_tensor)), {all[0]}, a.place);
  if (all.size() == 1) all = a.interpreter.items(Value(all[0]), a.place);
  a.count_items(all.size());
  if (all.empty()) fail_at(a.place, "extreme_of_nothing", a.callee.name);
  for (const Value& each : all)
    if (!is_number(each))
      fail_at(a.place, "extreme_of_other_than_numbers", a.callee.name, described(each), of_tensor, by_place);
  return *std::max_element(all.begin(), all.end(),
                           [&](const Value& x, const Value& y) { return compare_numbers(relation, y, x); });
}
Value largest_value(const Arguments& a) { return extreme(a, Relation::greater, "amax"); }
Value smallest_value(const Arguments& a) { return extreme(a, Relation::less, "amin"); }

Value append(const Arguments& a) {
  const List& list = *a[0].as<List>();
  a.interpreter.refuse_itself(list, a[1], a.place);
  list->append(a[1]);
  return None{};
}

// A parameter of the model. Calls with the same name return the same parameter.
Value parameter(const Arguments& a) {
  a.interpreter.account().operation(a.place);
  return TypedTensor{.tensor = a.interpreter.parameter(a.text(0), a.shape(1), a.text(2), a.place), .is_given = true};
}

Value refuse_print(const Arguments& a) { fail_at(a.place, "no_print"); }

const Builtin* find_in(const Library& library, std::string_view name) {
  const auto found = library.find(name);
  return found == library.end() ? nullptr : found->second;
}

Library make_functions() {
  Library all;
  for (const std::span<const Builtin> part :
       {tensor_functions(), reduction_functions(), creation_functions(), shape_functions(), python_functions()})
    for (const Builtin& each : part) all.try_emplace(each.name, &each);
  return all;
}

// Functions whose first parameter is a tensor are methods, too. A method comes before a function of the same name:
// x.float() is not float(x).
Library make_methods() {
  Library all;
  for (const std::span<const Builtin> part :
       {shape_methods(), tensor_functions(), reduction_functions(), shape_functions()})
    for (const Builtin& each : part) {
      const std::string_view parameters = each.parameters;
      if (parameters == "x" || parameters.starts_with("x,")) all.try_emplace(each.name, &each);
    }
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
      {"range", "start, stop=None, step=1", range_of, "whole numbers from start to below stop"},
      {"zip", "*lists", zipped, "the first items of several lists, then the second, …"},
      {"enumerate", "items, start=0", enumerated, "each item with its number"},
      {"int", "x", as_whole, "a number or one value, cut at the point"},
      {"float", "x", as_number, "a number or one value as a float"},
      {"bool", "x", as_truth, "whether a condition holds"},
      {"list", "items", as_list, "a list of the items"},
      {"tuple", "items", as_tuple, "a tuple of the items"},
      {"max", "*values", largest_value, "the largest of several numbers, or of a tensor"},
      {"min", "*values", smallest_value, "the smallest of several numbers, or of a tensor"},
      {"parameter", "name, shape, init=\"xavier\"", parameter, "a parameter of the model, which training changes"},
      {"print", "*values", refuse_print, "values are shown without it"},
  };
  return all;
}

std::optional<Value> find_constant(std::string_view name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "pi") return std::numbers::pi;
  return std::nullopt;
}

const Library& functions() {
  static const Library all = make_functions();
  return all;
}

const Library& methods() {
  static const Library all = make_methods();
  return all;
}

const Builtin* find_function(std::string_view name) { return find_in(functions(), name); }
const Builtin* find_method(std::string_view name) { return find_in(methods(), name); }

std::vector<std::string> names_of(const Library& library) {
  std::vector<std::string> names;
  for (const auto& [name, builtin] : library) names.emplace_back(name);
  return names;
}

const Builtin* method_of(const Value& object, const std::string& name, const Place& place) {
  if (object.is<List>()) {
    static constexpr Builtin only = {"append", "list, item", append, "puts an item at the end"};
    if (name == only.name) return &only;
    fail_at(place, "no_such_method_of_list", name);
  }
  if (!object.is<TypedTensor>()) return nullptr;
  if (const Builtin* found = find_method(name)) return found;
  if (name == "T" || name == "mT" || name == "shape") fail_at(place, "attribute_with_parentheses", name);
  if (name == "backward" || name == "zero_grad" || name == "requires_grad_")
    fail_at(place, "gradients_are_always_computed", name);
  if (const char* instead = instead_of(name)) fail_at(place, "method_not_here_use_instead", name, phrase(instead));
  const std::string nearest = nearest_of(name, names_of(methods()));
  if (nearest.empty()) fail_at(place, "no_such_method_of_tensor", name);
  fail_at(place, "no_such_method_of_tensor_but_similar", name, nearest);
}

Value attribute_of(Interpreter& interpreter, const Value& object, const std::string& name, const Place& place) {
  const auto* x = object.as<TypedTensor>();
  if (!x) fail_at(place, "value_has_no_attribute", described(object), name);
  const Shape& shape = x->tensor.shape();
  if (name == "shape") return sizes_as_tuple(shape);
  if (name == "dtype") fail_at(place, "types_change_by_methods");
  if (name == "T" && shape.rank() > 2) fail_at(place, "transpose_is_for_matrices", shape.rank());
  if (name == "mT" && shape.rank() < 2) fail_at(place, "swap_needs_two_axes", shape.rank());
  if (name != "T" && name != "mT") {
    if (find_method(name)) fail_at(place, "method_without_parentheses", name);
    fail_at(place, "no_such_attribute_of_tensor", name);
  }
  if (shape.rank() < 2) return object;
  interpreter.account().values(shape.size(), place);
  interpreter.account().operation(place);
  return TypedTensor{transpose({x->tensor, site_of(place)}), x->type, x->storage, x->is_given};
}

}  // namespace unroll::program
