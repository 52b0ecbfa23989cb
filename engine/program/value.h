// What a variable of a program holds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/program/budget.h"
#include "engine/program/place.h"

namespace unroll::program {

struct Function;         // the text of a def or a lambda: syntax.h
struct ClassDefinition;  // the text of a class: syntax.h
struct Builtin;          // of the language: library.h
class Value;
class Items;
class Dictionary;   // dictionary.h
class Environment;  // environment.h

struct None {};

// All tensors store floating-point numbers; their type decides how they behave.
enum class Type { real, integer, boolean };
std::string_view name_of(Type type);  // "float", "int" or "bool"

// What several tensors share in PyTorch: a tensor and its views. `version` counts what was written into it.
// See mutation.h.
struct Storage {
  Tensor values;  // as of the latest version; empty as long as one tensor alone has them
  int version = 0;
  const char* kept_by = nullptr;  // an operation that needs these values for its gradient, so that none may change them
  std::uint64_t kept_on = 0;      // the tape that has recorded this operation
  bool takes_gradient = false;    // of what was written
  bool of_leaf = false;           // whether its tensor is a leaf that takes a gradient
  // The storages of a tensor and of what detach() and .data made of it: one memory, apart for gradients.
  std::shared_ptr<std::vector<std::weak_ptr<Storage>>> twins{};
};

// Variables share a tensor, as in Python: what one writes into it, all see.
struct TypedTensor {
  Tensor tensor;
  Type type = Type::real;
  std::shared_ptr<Storage> storage = std::make_shared<Storage>();
  bool is_given = false;        // an input, or a parameter of the lab's models, which a program may not change
  bool is_parameter = false;    // nn.Parameter
  bool takes_gradient = false;  // requires_grad
  // Of a view: where its values lie in the storage. PyTorch's own offset and strides; empty of a tensor that fills its
  // storage row by row.
  struct View {
    std::size_t offset = 0;
    std::vector<std::ptrdiff_t> strides;
    Shape whole;  // of the tensor that fills the storage
  };
  std::optional<View> view{};
  int version = 0;             // of the storage, that `tensor` has the values of
  bool asks_gradient = false;  // a leaf by requires_grad_()
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
  const char* names = nullptr;  // of its items, with spaces between them, as topk(…).values
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

// A dictionary, whose keys keep the order in which they came, and a set, which is one without values.
using Dict = std::shared_ptr<Dictionary>;
struct Set {
  Dict items;
};

// A function and the names around it.
struct ClosureBody;
using Closure = std::shared_ptr<const ClosureBody>;
// object.method, or a function of the library with some arguments.
struct BoundBody;
using Bound = std::shared_ptr<const BoundBody>;
struct ClassBody;
using Class = std::shared_ptr<ClassBody>;
struct InstanceBody;
using Instance = std::shared_ptr<InstanceBody>;
// super(): the attributes of the classes after `after`, for `self`.
struct SuperBody;
using Super = std::shared_ptr<const SuperBody>;
// property, staticmethod or classmethod, of the function below it.
struct DescriptorBody;
using Descriptor = std::shared_ptr<const DescriptorBody>;

// A package: torch, torch.nn. It is the same wherever it is imported.
struct Package {
  const std::string* name;  // "torch.nn.functional", kept by packages.cpp
};
// A word of PyTorch that is passed on: torch.float32, torch.device("cpu"), a name of typing.
struct Word {
  enum class Kind { type, device, other };
  Kind kind = Kind::other;
  const char* text = "";
  Type type = Type::real;  // of a type
};

class Value {
 public:
  using Tensors = std::shared_ptr<TypedTensor>;
  using Content = std::variant<None, bool, std::int64_t, double, Text, Tensors, List, Tuple, WholeRange, Iterator, Dict,
                               Set, Closure, const Builtin*, Bound, Class, Instance, Super, Descriptor, Package, Word>;

  Value() = default;
  template <typename T>
  Value(T content) : content_(std::move(content)) {}
  Value(std::string text) : content_(Text{std::make_shared<const Letters>(std::move(text))}) {}
  Value(TypedTensor tensor) : content_(std::make_shared<TypedTensor>(std::move(tensor))) {}

  // The content if it is a T, else nullptr. A text is read as a std::string, a tensor as a TypedTensor.
  template <typename T>
  const T* as() const {
    if constexpr (std::is_same_v<T, std::string>) {
      const Text* text = std::get_if<Text>(&content_);
      return text ? &text->letters->text : nullptr;
    } else if constexpr (std::is_same_v<T, TypedTensor>) {
      const Tensors* tensor = std::get_if<Tensors>(&content_);
      return tensor ? tensor->get() : nullptr;
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

// Frees values that a container held without recursion, however deep they are nested: see value.cpp.
void release(std::vector<Value> values);

// The items of a list or tuple.
class Items {
 public:
  explicit Items(std::vector<Value> all) : all_(std::move(all)) { hold(all_.size() + 1, 0); }
  ~Items() {
    let_go(all_.size() + 1, 0);
    release(std::move(all_));
  }
  Items(const Items&) = delete;

  const std::vector<Value>& all() const { return all_; }
  void append(Value item) {
    all_.push_back(std::move(item));
    hold(1, 0);
  }
  void replace(std::size_t at, Value item) { all_[at] = std::move(item); }
  Value take_last() {
    Value last = std::move(all_.back());
    all_.pop_back();
    let_go(1, 0);
    return last;
  }
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
std::vector<Value> characters_of(const std::string& text);
Value dict_of(std::vector<std::pair<Value, Value>> entries);
Value set_of(std::vector<Value> items);

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
