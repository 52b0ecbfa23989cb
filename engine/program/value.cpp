#include "engine/program/value.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "engine/program/library.h"
#include "engine/program/objects.h"
#include "engine/program/syntax.h"
#include "engine/tensor/error.h"

namespace unroll::program {

std::string_view name_of(Type type) {
  constexpr std::string_view names[] = {"float", "int", "bool"};
  return names[static_cast<int>(type)];
}

bool are_ids(const TypedTensor& tensor) {
  const std::span<const Scalar> values = tensor.tensor.values();
  const auto is_whole = [](Scalar value) { return value == std::floor(value); };
  return tensor.type == Type::integer ||
         (tensor.type == Type::real && tensor.is_given && std::all_of(values.begin(), values.end(), is_whole));
}

namespace {

// The items that a list, a tuple or an iterator keeps, or nullptr.
const std::vector<Value>* held_by(const Value& value) {
  const auto* iterator = value.as<Iterator>();
  return iterator ? &iterator->remaining->items.all() : items_of(value);
}

// Whether freeing it frees other values.
bool is_container(const Value& value) {
  return std::visit(
      [](const auto& content) {
        using T = std::decay_t<decltype(content)>;
        return !(std::is_same_v<T, None> || std::is_arithmetic_v<T> || std::is_same_v<T, Text> ||
                 std::is_same_v<T, Value::Tensors> || std::is_same_v<T, const Builtin*> || std::is_same_v<T, Package> ||
                 std::is_same_v<T, Word>);
      },
      value.content());
}

}  // namespace

// The outermost container frees all others: each of them only hands over what it holds. To whom is static, as a
// destructor takes no argument; programs run on one thread.
void release(std::vector<Value> values) {
  static std::vector<Value>* handed_over = nullptr;
  std::vector<Value> pending;
  const bool is_outermost = !handed_over;
  if (is_outermost) handed_over = &pending;
  for (Value& each : values)
    if (is_container(each)) handed_over->push_back(std::move(each));
  if (!is_outermost) return;
  while (!pending.empty()) {
    const Value next = std::move(pending.back());
    pending.pop_back();
  }
  handed_over = nullptr;
}

Value list_of(std::vector<Value> items) { return std::make_shared<Items>(std::move(items)); }

Value tuple_of(std::vector<Value> items) { return Tuple{std::make_shared<const Items>(std::move(items))}; }

Value range_of(std::vector<Value> items) { return WholeRange{std::make_shared<const Items>(std::move(items))}; }

Value iterator_of(std::vector<Value> items) {
  return Iterator{std::shared_ptr<Iterator::Remaining>(new Iterator::Remaining{Items(std::move(items))})};
}

Value dict_of(std::vector<std::pair<Value, Value>> entries) {
  auto dictionary = std::make_shared<Dictionary>();
  for (auto& [key, value] : entries) dictionary->set(key, std::move(value));
  return Dict(std::move(dictionary));
}

Value set_of(std::vector<Value> items) {
  auto dictionary = std::make_shared<Dictionary>();
  for (const Value& each : items) dictionary->set(each, None{});
  return Set{std::move(dictionary)};
}

const std::vector<Value>* items_of(const Value& value) {
  if (const auto* list = value.as<List>()) return &(*list)->all();
  if (const auto* tuple = value.as<Tuple>()) return &tuple->items->all();
  if (const auto* range = value.as<WholeRange>()) return &range->items->all();
  return nullptr;
}

bool any_within(const Value& value, const std::function<bool(const Value&)>& found) {
  if (found(value)) return true;
  std::unordered_set<const void*> seen;
  std::vector<const std::vector<Value>*> pending;
  const auto look_into = [&](const Value& each) {
    const std::vector<Value>* items = held_by(each);
    if (items && seen.insert(items).second) pending.push_back(items);
  };
  look_into(value);
  while (!pending.empty()) {
    const std::vector<Value>* items = pending.back();
    pending.pop_back();
    for (const Value& each : *items) {
      if (found(each)) return true;
      look_into(each);
    }
  }
  return false;
}

bool is_whole(const Value& value) { return value.is<bool>() || value.is<std::int64_t>(); }
bool is_number(const Value& value) { return is_whole(value) || value.is<double>(); }

std::int64_t whole_of(const Value& value) {
  if (const bool* truth = value.as<bool>()) return *truth;
  return *value.as<std::int64_t>();
}

double number_of(const Value& value) {
  if (const double* number = value.as<double>()) return *number;
  return static_cast<double>(whole_of(value));
}

bool is_true(const Value& value, const Place& place) {
  if (const auto* tensor = value.as<TypedTensor>()) {
    if (tensor->tensor.size() != 1) fail_at(place, "condition_of_several_values", described(value));
    return tensor->tensor.item() != 0;
  }
  if (is_number(value)) return number_of(value) != 0;
  if (const auto* text = value.as<std::string>()) return !text->empty();
  if (const std::vector<Value>* items = items_of(value)) return !items->empty();
  if (const auto* dict = value.as<Dict>()) return (*dict)->size() > 0;
  if (const auto* set = value.as<Set>()) return set->items->size() > 0;
  return !value.is<None>();
}

Message sizes(const Shape& shape) {
  if (shape.rank() == 0) return phrase("one_value");
  if (shape.rank() == 1) return phrase("some_values", shape[0]);
  std::string text;
  for (const int size : shape) text += (text.empty() ? "" : " × ") + std::to_string(size);
  return phrase("as_is", text);
}

namespace {

struct Describe {
  Message operator()(None) const { return phrase("as_is", std::string_view("None")); }
  Message operator()(bool truth) const { return phrase("as_is", std::string_view(truth ? "True" : "False")); }
  // (A number of an argument is a double, which has no room for all digits.)
  Message operator()(std::int64_t whole) const { return phrase("the_number", std::to_string(whole)); }
  Message operator()(double number) const { return phrase("the_number", number); }
  Message operator()(const Text& text) const { return phrase("the_text", text.letters->text.substr(0, 40)); }
  Message operator()(const Value::Tensors& x) const { return phrase("tensor_of", sizes(x->tensor.shape())); }
  Message operator()(const List& list) const { return phrase("list_of", list->all().size()); }
  Message operator()(const Tuple& tuple) const { return phrase("tuple_of", tuple.items->all().size()); }
  Message operator()(const WholeRange& range) const { return phrase("range_of", range.items->all().size()); }
  Message operator()(const Iterator&) const { return phrase("an_iterator"); }
  Message operator()(const Dict& dict) const { return phrase("dict_of", dict->size()); }
  Message operator()(const Set& set) const { return phrase("set_of", set.items->size()); }
  Message operator()(const Closure& closure) const { return phrase("the_function", closure->function->name); }
  Message operator()(const Builtin* builtin) const { return phrase("the_operation", builtin->name); }
  Message operator()(const Bound& bound) const { return described(bound->callee); }
  Message operator()(const Class& type) const { return phrase("the_class", type->name); }
  Message operator()(const Instance& instance) const { return phrase("an_instance", instance->type->name); }
  Message operator()(const Super&) const { return phrase("as_is", std::string_view("super()")); }
  Message operator()(const Descriptor&) const { return phrase("a_property"); }
  Message operator()(const Package& package) const { return phrase("the_package", *package.name); }
  Message operator()(const Word& word) const { return phrase("as_is", std::string_view(word.text)); }
};

}  // namespace

Message described(const Value& value) { return std::visit(Describe(), value.content()); }

}  // namespace unroll::program
