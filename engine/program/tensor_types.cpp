// torch.Tensor, torch.LongTensor, nn.Parameter, torch.device: what can be called, and asked for with isinstance.
#include <algorithm>

#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/mutation.h"
#include "engine/program/packages.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

Value called(const Arguments& a, const Builtin* callee, std::vector<Value> arguments) {
  return a.interpreter.call(Value(callee), std::move(arguments), a.place);
}

// Tensor(2, 3) has these sizes, and Tensor([[1, 2], [3, 4]]) these values.
Value tensor_as(const Arguments& a, const char* method) {
  const std::vector<Value>& given = a.values(0);
  if (given.size() == 1 && given[0].is<TypedTensor>()) return called(a, find_method(method), given);
  const bool are_sizes = !given.empty() && std::ranges::all_of(given, is_whole);
  const Value made = are_sizes ? called(a, find_tensor_function("zeros"), given)
                               : called(a, find_tensor_function("tensor"), {given.empty() ? list_of({}) : given[0]});
  return called(a, find_method(method), {made});
}
Value float_tensor(const Arguments& a) { return tensor_as(a, "float"); }
Value long_tensor(const Arguments& a) { return tensor_as(a, "long"); }
Value bool_tensor(const Arguments& a) { return tensor_as(a, "bool"); }

// As in PyTorch, a parameter shares the values of the tensor that it is made of.
Value parameter_of(const Arguments& a) {
  if (a.is_none(0)) return parameter_of({a.interpreter, a.callee, a.place, {TypedTensor{Tensor(Shape{0})}, a[1]}});
  const TypedTensor& x = a.typed(0);
  const bool takes_gradient = a.flag(1);
  if (takes_gradient && x.type != Type::real) fail_at(a.place, "gradient_of_whole_numbers", name_of(x.type));
  a.interpreter.account().values(x.tensor.shape(), a.place);
  a.interpreter.account().operation(a.place);
  const Tensor values = x.tensor.reshaped(x.tensor.shape());
  TypedTensor parameter = x.view ? TypedTensor{values, x.type} : detached(x, values);
  parameter.is_parameter = true;
  parameter.takes_gradient = takes_gradient;
  return parameter;
}

Value sizes_of_items(const Arguments& a) {
  const std::vector<Value>& given = a.values(0);
  return tuple_of(given.empty() ? given : a.interpreter.items(Value(given[0]), a.place));
}

// Everything is computed in this page, whatever the device is called.
Value device_of(const Arguments& a) {
  if (const auto* word = a[0].as<Word>(); word && word->kind == Word::Kind::device) return a[0];
  const bool is_number_of_gpu = is_whole(a[0]);
  const std::string name = is_number_of_gpu ? "cuda:" + std::to_string(a.index(0))
                                            : a.text(0) + (a.is_none(1) ? "" : ":" + std::to_string(a.index(1)));
  const std::string kind = name.substr(0, name.find(':'));
  constexpr std::string_view known[] = {"cpu", "cuda", "mps", "meta", "xpu", "xla"};
  const std::string number = kind.size() < name.size() ? name.substr(kind.size() + 1) : "0";
  const bool is_count =
      !number.empty() && number.size() <= 2 && number.find_first_not_of("0123456789") == std::string::npos;
  if (std::ranges::find(known, kind) == std::end(known) || !is_count) a.refuse(0, "a_device_such_as_cpu");
  return word_of(Word::Kind::device, name);
}

Value no_call(const Arguments& a) { fail_at(a.place, "value_is_not_callable", described(Value(&a.callee))); }

}  // namespace

std::span<const Builtin> tensor_types() {
  static constexpr Builtin all[] = {
      {"Tensor", "*data", float_tensor, "a float tensor of these sizes, or with the numbers of a list"},
      {"FloatTensor", "*data", float_tensor, "a float tensor of these sizes, or with the numbers of a list"},
      {"LongTensor", "*data", long_tensor, "an int tensor of these sizes, or with the numbers of a list"},
      {"BoolTensor", "*data", bool_tensor, "a bool tensor of these sizes, or with the values of a list"},
      {"Parameter", "data=None, requires_grad=True", parameter_of, "a tensor that training changes"},
      {"Size", "*sizes", sizes_of_items, "the sizes of a tensor"},
      {"device", "type, index=None", device_of, "where tensors are: here always in this page"},
      {"dtype", "", no_call, "the type of a tensor's values"},
  };
  return all;
}

}  // namespace unroll::program
