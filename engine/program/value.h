// What a variable of a program holds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/program/budget.h"
#include "engine/program/place.h"

namespace unroll::program {

struct Function;  // defined by the program: syntax.h
struct Builtin;   // of the language: library.h
class Value;
class Items;

struct None {};

// All tensors store floating-point numbers; their type decides how they behave.
enum class Type { real, integer, boolean };
std::string_view name_of(Type type);  // "float", "int" or "bool"

// Two tensors with the same storage share their values in PyTorch: one is a view of the other.
using Storage = std::shared_ptr<const char>;

struct TypedTensor {
  Tensor tensor;
  Type type = Type::real;
  Storage storage = std::make_shared<const char>();
  bool is_given = false;  // an input or a parameter, which a program may not change
};

// Whether these can be ids: whole numbers of type int, or an input, whose type is not declared.
bool are_ids(const TypedTensor& tensor);

// Variables share a text, since it cannot change.
struct Letters {
  explicit Letters(std::string letters) : text(std::move(letters)) { hold(0, text.size()); }
  ~Letters() { let_go(0, text.size()); }
  Letters(const Letters&) = delete;
  const std::string text;
};
struct Text {
  std::shared_ptr<const Letters> letters;
};
// Variables share a list, as in Python; tuples cannot change.
using List = std::shared_ptr<Items>;
struct Tuple {
  std::shared_ptr<const Items> items;
};

// The result of range: it has the items of a list, but is equal to no list.
struct WholeRange {
  std::shared_ptr<const Items> items;
};
// The result of zip and enumerate: each item can be taken once, in order.
struct Iterator {
  struct Remaining;
  std::shared_ptr<Remaining> remaining;
};

class Value {
 public:
  using Content = std::variant<None, bool, std::int64_t, double, Text, TypedTensor, List, Tuple, WholeRange, Iterator,
                               const Function*, const Builtin*>;

  Value() = default;
  template <typename T>
  Value(T content) : content_(std::move(content)) {}
  Value(std::string text) : content_(Text{std::make_shared<const Letters>(std::move(text))}) {}

  // The content if it is a T, else nullptr. A text is read as a std::string.
  template <typename T>
  const T* as() const {
    if constexpr (std::is_same_v<T, std::string>) {
      const Text* text = std::get_if<Text>(&content_);
      return text ? &text->letters->text : nullptr;
    } else {
      return std::get_if<T>(&content_);
    }
  }
  template <typename T>
  bool is() const {
    return as<T>() != nullptr;
  }
  const Content& content() const { return content_; }

 private:
  Content content_;
};

// The items of a list or tuple. They are freed without recursion, however deep lists are nested.
class Items {
 public:
  explicit Items(std::vector<Value> all) : all_(std::move(all)) { hold(all_.size() + 1, 0); }
  ~Items();
  Items(const Items&) = delete;

  const std::vector<Value>& all() const { return all_; }
  void append(Value item) {
    all_.push_back(std::move(item));
    hold(1, 0);
  }
  void replace(std::size_t at, Value item) { all_[at] = std::move(item); }
  void replace_all(std::vector<Value> items) {
    let_go(all_.size(), 0);
    all_ = std::move(items);
    hold(all_.size(), 0);
  }

 private:
  std::vector<Value> all_;
};

struct Iterator::Remaining {
  Items items;
  std::size_t next = 0;
};

Value list_of(std::vector<Value> items);
Value tuple_of(std::vector<Value> items);
Value range_of(std::vector<Value> items);
Value iterator_of(std::vector<Value> items);

// The items of a list, tuple or range, or nullptr.
const std::vector<Value>* items_of(const Value& value);

// Whether `found` holds for the value or for anything in it. Each list and tuple is looked into once, without
// recursion: they may be nested deeply, and contain one list in many places.
bool any_within(const Value& value, const std::function<bool(const Value&)>& found);

// A number of Python: a bool, an int or a float.
bool is_number(const Value& value);
double number_of(const Value& value);
// An int or a bool, as an index.
bool is_whole(const Value& value);
std::int64_t whole_of(const Value& value);

// Whether a condition holds: a value of one element, a number, or a text, list or tuple that is not empty. Throws
// Error(program) for several values.
bool is_true(const Value& value, const Place& place);

// What it is, for messages: "None", "the number 3", "a list of 4", "a tensor 4 × 3", "the function attend".
Message described(const Value& value);
// "4 × 3", "5 values" or "one value", for messages.
Message sizes(const Shape& shape);

}  // namespace unroll::program
