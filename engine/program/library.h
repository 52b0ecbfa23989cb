// The operations and functions of the language, under their names in PyTorch and Python.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/program/place.h"
#include "engine/program/syntax.h"
#include "engine/program/value.h"

namespace unroll::program {

class Interpreter;

// The arguments of a call, one for each parameter, in their order. Reading one throws Error(program) if it is of the
// wrong kind.
class Arguments {
 public:
  Arguments(Interpreter& interpreter, const Builtin& callee, Place place, std::vector<Value> values)
      : interpreter(interpreter), callee(callee), place(place), values_(std::move(values)) {}

  const Value& operator[](int i) const { return values_[static_cast<std::size_t>(i)]; }
  // Of *rest: all of them. Of **entries: a dictionary.
  const std::vector<Value>& values(int i) const { return *items_of((*this)[i]); }
  const std::vector<Value>& all() const { return values_; }
  bool is_none(int i) const { return (*this)[i].is<None>(); }

  // A tensor, or a number as one.
  const TypedTensor& typed(int i) const;
  Operand tensor(int i) const;
  int whole(int i) const;
  int index(int i) const;  // also of True and tensor([1]), as Python's own functions take them
  double number(int i) const;
  double only_number(int i) const;  // also of tensor([0.5]), as Python's own functions take it
  bool flag(int i) const;
  const std::string& text(int i) const;
  // One number, or several in a list or tuple.
  std::vector<int> integers(int i) const;
  Shape shape(int i) const;
  // The arguments from i on as sizes or axes: x.reshape(2, 3) or x.reshape((2, 3)).
  std::vector<int> rest(int i) const;
  // An axis of a tensor of that rank, counted from the first.
  int axis(int i, int rank) const;
  // Of one axis or several in a list or tuple, the last first.
  std::vector<int> axes(int i, int rank) const;
  CallSite where() const;
  Value result(const Tensor& tensor, Type type = Type::real) const;
  // Counts the values of all tensors among the arguments.
  void count_values() const;
  // Counts so many list items as read.
  void count_items(std::size_t items) const;

  // Throws Error(program): the argument should be `wanted`, a phrase.
  [[noreturn]] void refuse(int i, const char* wanted, const char* id = "argument_is_not_wanted") const;

  Interpreter& interpreter;
  const Builtin& callee;
  const Place place;

 private:
  int counted_from_first(int axis, int rank) const;

  std::vector<Value> values_;
};

struct Builtin {
  std::string_view name;
  // As in Python: "x, dim=-1". A method's first is its object. "*sizes" takes the remaining arguments.
  std::string_view parameters;
  Value (*call)(const Arguments& arguments);
  const char* help;  // one line
  // What its gradient needs besides keeping.cpp's list, so that nobody may change it afterwards: names of parameters,
  // "result", or "product" if each tensor among the arguments is needed where another takes a gradient.
  std::string_view keeps = "";
};

// The parameters of an operation, read from their text.
struct Signature {
  std::vector<std::string> names;
  std::vector<std::optional<Value>> fallbacks;
  // Which of them takes the remaining arguments, "*sizes", and which those with other names, "**options"; −1: none.
  // What stands after "*sizes" or "*" is passed by name only.
  int rest = -1, entries = -1, by_position = 0;
};
const Signature& signature_of(const Builtin& callee);

// inf and pi.
std::optional<Value> find_constant(std::string_view name);

// x.T, x.mT, x.shape and the like, of what is no instance; nothing if it has no such attribute.
std::optional<Value> attribute_of(Interpreter& interpreter, const Value& object, const std::string& name,
                                  const Place& place);
// The method of a tensor, a list, a dictionary, a set, a text or a tuple of that name; nullptr if there is none.
const Builtin* method_of(const Value& object, std::string_view name);
// Throws Error(program): says what to write instead.
[[noreturn]] void refuse_attribute(const Value& object, const std::string& name, const Place& place);

// What a tensor has of itself: x.T, x.shape, x.data, x.requires_grad; nothing if it has no such attribute.
std::optional<Value> tensor_attribute(Interpreter& interpreter, const Value& object, const std::string& name,
                                      const Place& place);
// x.data = y, x.requires_grad = False; false if a tensor has no such attribute.
bool set_tensor_attribute(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                          const Place& place);

// An operator between containers that are no lists: a | b of dictionaries and sets; nothing if it has no meaning.
std::optional<Value> combine_containers(Interpreter& interpreter, Operator operation, const Value& left,
                                        const Value& right, const Place& place);

// By its name, or nullptr. A function of Python itself comes before PyTorch's of the same name: max, sum.
const Builtin* find_function(std::string_view name);
const Builtin* find_method(std::string_view name);
// A function on tensors: torch.max, not max.
const Builtin* find_tensor_function(std::string_view name);
// All functions, and all methods of tensors, by name.
using Library = std::map<std::string_view, const Builtin*>;
const Library& functions();
const Library& methods();
const Library& tensor_functions_by_name();
std::vector<std::string> names_of(const Library& library);
const Builtin* find_in(const Library& library, std::string_view name);
const Builtin* find_in(std::span<const Builtin> part, std::string_view name);

// ── The library is defined in parts, one for each kind of operation ──────────────────────────────────────────────────

std::span<const Builtin> tensor_functions();
std::span<const Builtin> reduction_functions();
std::span<const Builtin> math_functions_of_tensors();  // log1p, round, lerp, …
std::span<const Builtin> comparison_functions();
std::span<const Builtin> gather_functions();
std::span<const Builtin> order_functions();
std::span<const Builtin> product_functions();
std::span<const Builtin> arranging_functions();
std::span<const Builtin> arranging_methods();
std::span<const Builtin> type_functions_of_tensors();
std::span<const Builtin> type_methods();
std::span<const Builtin> creation_functions();
std::span<const Builtin> creation_methods();
std::span<const Builtin> drawing_functions();  // randn, multinomial, …
std::span<const Builtin> shape_functions();
std::span<const Builtin> shape_methods();
std::span<const Builtin> view_functions();
std::span<const Builtin> view_methods();
std::span<const Builtin> part_functions();
std::span<const Builtin> inplace_methods();
std::span<const Builtin> random_methods();
std::span<const Builtin> gradient_functions();
std::span<const Builtin> gradient_methods();
std::span<const Builtin> python_functions();
std::span<const Builtin> call_functions();      // super, slice
std::span<const Builtin> sequence_functions();  // sorted, zip, map, …
std::span<const Builtin> object_functions();    // getattr, isinstance, property, …
std::span<const Builtin> dataclass_functions();
std::span<const Builtin> type_functions();  // int, list, …, which are types
std::span<const Builtin> tensor_types();    // torch.Tensor, nn.Parameter
std::span<const Builtin> list_methods();
std::span<const Builtin> tuple_methods();
std::span<const Builtin> dictionary_methods();
std::span<const Builtin> set_methods();
std::span<const Builtin> text_methods();
std::span<const Builtin> math_functions();
std::span<const Builtin> random_functions();
std::span<const Builtin> engine_functions();  // what only files of the library call

// The sizes of a tensor as a tuple of whole numbers.
Value sizes_as_tuple(const Shape& shape);

// What range and arange take: (stop), (start, stop) or (start, stop, step).
template <typename Number>
struct Bounds {
  Number start, stop, step;
  int place_of_stop;  // among the arguments
};
template <typename Number>
Bounds<Number> bounds_of(const Arguments& a, Number (Arguments::*read)(int) const) {
  const int stop = a.is_none(1) ? 0 : 1;
  const Bounds<Number> bounds{stop == 0 ? Number(0) : (a.*read)(0), (a.*read)(stop), (a.*read)(2), stop};
  if (bounds.step == 0) a.refuse(2, "a_step_other_than_0");
  return bounds;
}

// A tensor as an operand at the place of the call.
inline Operand at_call(const Tensor& tensor, const Arguments& a) { return {tensor, a.where()}; }

// Throws Error(program) for a tensor of another type.
void require_float(const Arguments& a, int i);
// Throws Error(program) for bool: PyTorch has no such operation on truth values.
void refuse_bool(const Arguments& a, Type type);

// An operator between values that are no expressions of the program.
Value combine_unnamed(const Arguments& a, Operator operation, const Value& left, const Value& right);

// Sets the keys of `added` in a dictionary: of another one, or of pairs.
void add_entries(const Arguments& a, Dictionary& entries, const Value& added);

// where(condition): the indices of the values that are not 0, one tensor for each axis.
Value places_where(const Arguments& a);

// sum(items) of a list or tuple.
Value sum_of_items(const Arguments& a);

}  // namespace unroll::program
