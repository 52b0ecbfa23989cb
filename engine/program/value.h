// What a variable of a program holds.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/program/place.h"
#include "engine/tensor/tensor.h"

namespace unroll::program {

struct Function;  // defined by the program: syntax.h
struct Builtin;   // of the language: library.h
class Value;

struct None {};

// All tensors store floating-point numbers; how they behave is their type's.
enum class Type { real, integer, boolean };
const char* name_of(Type type);  // "float", "int" or "bool"

// Two tensors with the same storage share their values in PyTorch: one is a view of the other.
using Storage = std::shared_ptr<const char>;

struct TypedTensor {
  Tensor tensor;
  Type type = Type::real;
  Storage storage = std::make_shared<const char>();
  bool is_given = false;  // an input or a parameter, which a program may not change
};

// Whether these can be ids: whole numbers of type int, or of an input, whose type nobody has said.
bool are_ids(const TypedTensor& tensor);

// Lists are shared by all who hold them, as in Python; tuples cannot change.
using List = std::shared_ptr<std::vector<Value>>;
struct Tuple {
  std::shared_ptr<const std::vector<Value>> items;
};

class Value {
 public:
  using Content = std::variant<None, bool, std::int64_t, double, std::string, TypedTensor, List, Tuple, const Function*,
                               const Builtin*>;

  Value() = default;
  template <typename T>
  Value(T content) : content_(std::move(content)) {}

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&content_);
  }
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(content_);
  }
  const Content& content() const { return content_; }

 private:
  Content content_;
};

Value list_of(std::vector<Value> items);
Value tuple_of(std::vector<Value> items);

// The items of a list or tuple, or nullptr.
const std::vector<Value>* items_of(const Value& value);

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
std::string described(const Value& value);
// "4 × 3"; of a scalar, "one value".
std::string sizes(const Shape& shape);

}  // namespace unroll::program
