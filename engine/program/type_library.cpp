// The type of a tensor, and tensors as values of Python: to, float, tolist, item.
#include <algorithm>
#include <cmath>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/packages.h"
#include "engine/program/tensor_types.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

// By the last word of a name: "torch.cuda.LongTensor", "int".
std::optional<Type> type_of_word(std::string_view text) {
  const std::string_view last = text.substr(text.find_last_of('.') + 1);
  for (const std::string_view name :
       {"float", "float32", "float64", "float16", "FloatTensor", "DoubleTensor", "HalfTensor", "Tensor"})
    if (last == name) return Type::real;
  for (const std::string_view name :
       {"int", "int64", "int32", "uint8", "LongTensor", "IntTensor", "ShortTensor", "ByteTensor"})
    if (last == name) return Type::integer;
  if (last == "bool" || last == "BoolTensor") return Type::boolean;
  return std::nullopt;
}

bool is_device(const Value& value) {
  const auto* word = value.as<Word>();
  const auto* text = value.as<std::string>();
  const std::string_view kind = text ? std::string_view(*text).substr(0, text->find(':')) : "";
  return (word && word->kind == Word::Kind::device) || kind == "cpu" || kind == "cuda" || kind == "mps" ||
         kind == "meta";
}

template <Type type>
Value as_this_type(const Arguments& a) {
  return as_type(a, a[0], type);
}

// x.to(torch.float32), x.to(device), x.to(other), or several of these by name.
Value moved_to(const Arguments& a) {
  std::vector<Value> all = a.values(1);
  bool is_copy = false;
  for (const auto& [name, value] : (*a[2].as<Dict>())->entries()) {
    if (*name.as<std::string>() == "copy") is_copy = value.is<bool>() && *value.as<bool>();
    all.push_back(value);
  }
  Type type = a.typed(0).type;
  for (const Value& each : all) {
    if (const std::optional<Type> named = type_named(each))
      type = *named;
    else if (const auto* other = each.as<TypedTensor>())
      type = other->type;
    else if (!is_device(each) && !is_whole(each) && !each.is<None>() && !each.is<Word>())
      fail_at(a.place, "to_takes_type_or_device", described(each));
  }
  const Value y = as_type(a, a[0], type);
  return is_copy && type == a.typed(0).type ? copied(a.interpreter, a.typed(0), a.place) : y;
}

Value type_or_its_name(const Arguments& a) {
  const TypedTensor& x = a.typed(0);
  if (!a.is_none(1)) return as_type(a, a[0], type_given(a, 1, x.type));
  constexpr const char* names[] = {"torch.FloatTensor", "torch.LongTensor", "torch.BoolTensor"};
  return std::string(names[static_cast<int>(x.type)]);
}
// As NumPy calls it.
Value typed_as_given(const Arguments& a) { return as_type(a, a[0], type_given(a, 1, a.typed(0).type)); }
Value typed_as_other(const Arguments& a) { return as_type(a, a[0], a.typed(1).type); }

Value number_of_type(Scalar value, Type type) {
  if (type == Type::real) return static_cast<double>(value);
  if (type == Type::boolean) return value != 0;
  return static_cast<std::int64_t>(value);
}

Value item_of(const Arguments& a) {
  const TypedTensor& x = a.typed(0);
  if (x.tensor.size() != 1) fail_at(a.place, "item_of_several_values", described(a[0]));
  return number_of_type(x.tensor.item(), x.type);
}

// Lists within lists, one for each axis from `axis` on.
Value listed_from(const TypedTensor& x, int axis, std::size_t& next) {
  if (axis == x.tensor.rank()) return number_of_type(x.tensor.data()[next++], x.type);
  std::vector<Value> items;
  for (int i = 0; i < x.tensor.shape()[axis]; ++i) items.push_back(listed_from(x, axis + 1, next));
  return list_of(std::move(items));
}
Value listed(const Arguments& a) {
  const TypedTensor& x = a.typed(0);
  constexpr std::size_t most = 1'000'000;
  if (x.tensor.size() > most) a.refuse(0, "a_tensor_of_at_most_a_million");
  a.count_items(2 * x.tensor.size() + 1);
  std::size_t next = 0;
  return listed_from(x, 0, next);
}

Value size_of(const Arguments& a) {
  const Operand x = a.tensor(0);
  if (!a.is_none(1)) return std::int64_t{x.shape()[a.axis(1, x.rank())]};
  return sizes_as_tuple(x.shape());
}
Value rank_of(const Arguments& a) { return std::int64_t{a.tensor(0).rank()}; }
Value count_of(const Arguments& a) { return static_cast<std::int64_t>(a.typed(0).tensor.size()); }
Value bytes_of_value(const Arguments& a) {
  constexpr std::int64_t bytes[] = {4, 8, 1};
  return bytes[static_cast<int>(a.typed(0).type)];
}
Value bytes_of(const Arguments& a) { return whole_of(count_of(a)) * whole_of(bytes_of_value(a)); }
Value is_real(const Arguments& a) { return a.typed(0).type == Type::real; }
Value is_never(const Arguments& a) {
  a.typed(0);
  return false;
}
Value is_tensor(const Arguments& a) { return a[0].is<TypedTensor>(); }
Value itself(const Arguments& a) {
  a.typed(0);
  return a[0];
}

}  // namespace

std::optional<Type> type_named(const Value& value) {
  if (const auto* word = value.as<Word>(); word && word->kind == Word::Kind::type) return word->type;
  if (const auto* builtin = value.as<const Builtin*>()) return type_of_word((*builtin)->name);
  if (const auto* text = value.as<std::string>(); text && text->starts_with("torch.")) return type_of_word(*text);
  return std::nullopt;
}

Type type_given(const Arguments& a, int i, Type otherwise) {
  if (a.is_none(i)) return otherwise;
  const std::optional<Type> named = type_named(a[i]);
  if (!named) a.refuse(i, "a_type_such_as_float32");
  return *named;
}

Value as_type(const Arguments& a, const Value& value, Type type) {
  const TypedTensor& x = *value.as<TypedTensor>();
  if (x.type == type) return value;
  if (type == Type::real || x.type == Type::boolean) return a.result(x.tensor, type);
  const Tensor y(x.tensor.shape());
  for (std::size_t i = 0; i < y.size(); ++i)
    y.data()[i] = type == Type::boolean ? x.tensor.data()[i] != 0 : std::trunc(x.tensor.data()[i]);
  return a.result(y, type);
}

Operand as_given_type(const Arguments& a, int dtype) {
  if (a.is_none(dtype)) return a.tensor(0);
  const Value x = as_type(a, a[0], type_given(a, dtype, a.typed(0).type));
  return operand_of(x, a.place);
}

Value in_place_of(const Arguments& a, const Value& y, int i) {
  return a.flag(i) ? a.interpreter.call(Value(find_method("copy_")), {a[0], y}, a.place) : y;
}

Value made(const Arguments& a, const Tensor& y, Type natural, int options) {
  const Value value = as_type(a, a.result(y, natural), type_given(a, options, natural));
  if (!a.flag(options + 2)) return value;
  return a.interpreter.call(Value(find_method("requires_grad_")), {value}, a.place);
}

std::span<const Builtin> type_functions_of_tensors() {
  static constexpr Builtin all[] = {
      {"numel", "x", count_of, "how many values there are"},
      {"is_tensor", "value", is_tensor, "whether a value is a tensor"},
      {"is_floating_point", "x", is_real, "whether the values are floats"},
      {"is_complex", "x", is_never, "whether the values are complex: never here"},
  };
  return all;
}

std::span<const Builtin> type_methods() {
  static constexpr Builtin all[] = {
      {"to", "x, *args, **options", moved_to, "x as another type; a device makes no difference here"},
      {"type", "x, dtype=None, non_blocking=False", type_or_its_name, "x as another type, or the name of its type"},
      {"astype", "x, dtype", typed_as_given, "x as another type, as NumPy calls it"},
      {"type_as", "x, other", typed_as_other, "x as the type of another tensor"},
      {"float", "x", as_this_type<Type::real>, "the same values as floats"},
      {"double", "x", as_this_type<Type::real>, "the same values as floats"},
      {"half", "x", as_this_type<Type::real>, "the same values as floats"},
      {"bfloat16", "x", as_this_type<Type::real>, "the same values as floats"},
      {"long", "x", as_this_type<Type::integer>, "the values as whole numbers, cut at the point"},
      {"int", "x", as_this_type<Type::integer>, "the values as whole numbers, cut at the point"},
      {"short", "x", as_this_type<Type::integer>, "the values as whole numbers, cut at the point"},
      {"byte", "x", as_this_type<Type::integer>, "the values as whole numbers, cut at the point"},
      {"bool", "x", as_this_type<Type::boolean>, "whether each value is not 0"},
      {"cpu", "x", itself, "x itself"},
      {"cuda", "x, device=None, non_blocking=False", itself, "x itself: everything is computed here"},
      {"numpy", "x", itself, "x itself"},
      {"tolist", "x", listed, "the values as lists of Python"},
      {"item", "x", item_of, "the only value, as a number of Python"},
      {"size", "x, dim=None", size_of, "the sizes, or one of them"},
      {"dim", "x", rank_of, "how many axes there are"},
      {"ndimension", "x", rank_of, "how many axes there are"},
      {"nelement", "x", count_of, "how many values there are"},
      {"element_size", "x", bytes_of_value, "the bytes of one value in PyTorch"},
      {"nbytes", "x", bytes_of, "the bytes of all values in PyTorch"},
  };
  return all;
}

}  // namespace unroll::program
