// What a tensor has of itself, and what concerns its gradient: Parameter, detach, requires_grad, .data.
#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/library.h"
#include "engine/program/mutation.h"
#include "engine/program/packages.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

// The values of x without a gradient: recorded only if x is, so that the tape shows it.
TypedTensor cut_off(const TypedTensor& x, const Place& place) {
  const Tensor y = is_recorded(x.tensor) ? detach({x.tensor, site_of(place)}) : x.tensor.reshaped(x.tensor.shape());
  return detached(x, y);
}

Value detached_of(const Arguments& a) {
  a.interpreter.account().values(a.typed(0).tensor.shape(), a.place);
  a.interpreter.account().operation(a.place);
  return cut_off(a.typed(0), a.place);
}

Value detached_in_place(const Arguments& a) {
  TypedTensor& x = tensor_in(a[0], a.place);
  if (x.view) fail_at(a.place, "view_is_not_detached");
  x.tensor = detach(a.tensor(0));
  x.takes_gradient = x.asks_gradient = x.storage->takes_gradient = false;
  return a[0];
}

bool is_leaf(const TypedTensor& x) { return !x.takes_gradient || x.is_parameter || x.is_given || x.asks_gradient; }

void set_takes_gradient(TypedTensor& x, bool takes_gradient, const Place& place) {
  if (takes_gradient && x.type != Type::real) fail_at(place, "gradient_of_whole_numbers", name_of(x.type));
  if (!takes_gradient && !is_leaf(x)) fail_at(place, "gradient_of_result");
  x.asks_gradient = is_leaf(x) && takes_gradient;
  x.takes_gradient = takes_gradient;
  if (!takes_gradient) x.storage->of_leaf = false;
}

Value gradient_asked(const Arguments& a) {
  set_takes_gradient(tensor_in(a[0], a.place), a.flag(1), a.place);
  return a[0];
}

Value refused(const Arguments& a) { fail_at(a.place, "gradients_are_always_computed", a.callee.name); }

Value word_of(Interpreter& interpreter, const char* name) {
  const std::optional<Value> package = find_package("torch");
  const std::optional<Value> word = find_member(interpreter, *package->as<Package>(), name);
  return word.value_or(Value());
}

const char* type_word(Type type) { return type == Type::real ? "float32" : type == Type::integer ? "int64" : "bool"; }

Value transposed(Interpreter& interpreter, const TypedTensor& x, const Value& itself, const Place& place) {
  const int rank = x.tensor.rank();
  if (rank < 2) return itself;
  std::vector<int> order;
  for (int axis = 0; axis < rank; ++axis) order.push_back(axis);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return permuted(interpreter, x, order, place);
}

}  // namespace

std::optional<Value> tensor_attribute(Interpreter& interpreter, const Value& object, const std::string& name,
                                      const Place& place) {
  if (!object.is<TypedTensor>()) return std::nullopt;
  refresh(object, place);
  const TypedTensor& x = *object.as<TypedTensor>();
  const Shape& shape = x.tensor.shape();
  if (name == "shape") return sizes_as_tuple(shape);
  if (name == "ndim") return std::int64_t{shape.rank()};
  if ((name == "T" || name == "H") && shape.rank() > 2) fail_at(place, "transpose_is_for_matrices", shape.rank());
  if (name == "mT" && shape.rank() < 2) fail_at(place, "swap_needs_two_axes", shape.rank());
  if (name == "T" || name == "mT" || name == "H") return transposed(interpreter, x, object, place);
  if (name == "data") return Value(cut_off(x, place));
  if (name == "requires_grad") return x.takes_gradient;
  if (name == "is_leaf") return is_leaf(x);
  if (name == "grad") return Value();
  if (name == "dtype") return word_of(interpreter, type_word(x.type));
  if (name == "device") return Word{Word::Kind::device, "cpu"};
  if (name == "is_cuda") return false;
  return std::nullopt;
}

bool set_tensor_attribute(Interpreter& interpreter, const Value& object, const std::string& name, const Value& value,
                          const Place& place) {
  if (!object.is<TypedTensor>()) return false;
  TypedTensor& x = tensor_in(object, place);
  if (name == "requires_grad") {
    if (!value.is<bool>()) fail_at(place, "requires_grad_is_truth", described(value));
    set_takes_gradient(x, *value.as<bool>(), place);
    return true;
  }
  if (name == "grad") {
    if (!value.is<None>()) fail_at(place, "gradients_are_always_computed", std::string_view("grad"));
    return true;
  }
  if (name != "data") return false;
  refresh(value, place);
  const auto* from = value.as<TypedTensor>();
  if (!from) fail_at(place, "data_is_tensor", described(value));
  if (from->type != x.type)
    fail_at(place, "tensor_changes_type", operand_name(""), name_of(x.type), name_of(from->type));
  if (x.is_given) fail_at(place, "input_is_not_changeable");
  if (needs_gradient(x.tensor)) fail_at(place, "recorded_values_are_not_changeable");
  interpreter.account().values(from->tensor.shape(), place);
  const TypedTensor same = detached(*from, from->tensor.reshaped(from->tensor.shape()));
  x.tensor = same.tensor;
  x.storage = same.storage;
  x.view = same.view;
  x.version = same.version;
  return true;
}

std::span<const Builtin> gradient_functions() {
  static constexpr Builtin all[] = {
      {"detach", "x", detached_of, "the values, without a gradient"},
  };
  return all;
}

std::span<const Builtin> gradient_methods() {
  static constexpr Builtin all[] = {
      {"detach_", "x", detached_in_place, "x itself, without a gradient from here on"},
      {"requires_grad_", "x, requires_grad=True", gradient_asked, "says whether x takes a gradient"},
      {"backward", "x", refused, "gradients are computed without it"},
  };
  return all;
}

}  // namespace unroll::program
