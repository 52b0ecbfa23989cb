#include "engine/program/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "engine/ops/ops.h"
#include "engine/program/formatting.h"
#include "engine/program/mutation.h"
#include "engine/tensor/error.h"

namespace unroll::program {

std::string_view symbol_of(Operator operation) {
  constexpr std::string_view operators[] = {"+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>"};
  return operators[static_cast<int>(operation)];
}

namespace {

Type type_of(const Value& value) {
  if (const auto* tensor = value.as<TypedTensor>()) return tensor->type;
  return value.is<bool>() ? Type::boolean : value.is<std::int64_t>() ? Type::integer : Type::real;
}

// Also the empty Shape of a number.
Shape operand_shape(const Value& value) {
  const auto* tensor = value.as<TypedTensor>();
  return tensor ? tensor->tensor.shape() : Shape();
}

bool is_operand(const Value& value) { return value.is<TypedTensor>() || is_number(value); }

void check_broadcast(const MessageArgument& symbol, const Shape& a, const Shape& b, const Between& at,
                     Interpreter& interpreter) {
  if (const int axis = clash_of(a, b))
    fail_at(at.place, "operands_do_not_broadcast", operand_name(interpreter.spelled(at.left)), sizes(a),
            operand_name(interpreter.spelled(at.right)), sizes(b), symbol, a[axis], b[axis]);
}

// K.mT, or of K.mT just K.
std::string transposed(const std::string& name, int rank) {
  const std::size_t end = name.ends_with(".mT") ? 3 : name.ends_with(".T") ? 2 : 0;
  return end > 0 ? name.substr(0, name.size() - end) : name + (rank == 2 ? ".T" : ".mT");
}

// PyTorch multiplies matrices of one type, and bool is none of these.
void check_product_types(const Value& left, const Value& right, std::pair<std::string, std::string> names,
                         const Place& place) {
  const Type a = type_of(left), b = type_of(right);
  if (a == b && a != Type::boolean) return;
  const std::string& name = a == Type::real ? names.second : names.first;
  fail_at(place, "product_of_two_types", operand_name(names.first), name_of(a), operand_name(names.second), name_of(b),
          name.empty() ? phrase("as_is", name) : operand_name(name));
}

int inner_size(const Shape& right) { return right.rank() == 1 ? right[0] : right[-2]; }

[[noreturn]] void refuse_inner_sizes(const Shape& a, const Shape& b, const std::string& left, const std::string& right,
                                     const Place& place) {
  if (b.rank() >= 2 && a[-1] == b[-1])
    fail_at(place, "product_inner_sizes_but_transposed_fits", operand_name(left), sizes(a), operand_name(right),
            sizes(b), a[-1], inner_size(b), operand_name(transposed(right, b.rank())));
  fail_at(place, "product_inner_sizes", operand_name(left), sizes(a), operand_name(right), sizes(b), a[-1],
          inner_size(b));
}

Value matrix_product(Interpreter& interpreter, const Value& left, const Value& right, const Between& at) {
  const Shape a = operand_shape(left), b = operand_shape(right);
  const std::string left_name = interpreter.spelled(at.left), right_name = interpreter.spelled(at.right);
  check_product_types(left, right, {left_name, right_name}, at.place);
  if (a.rank() == 0 || b.rank() == 0)
    fail_at(at.place, "product_with_one_value", operand_name(a.rank() == 0 ? left_name : right_name));
  if (a[-1] != inner_size(b)) refuse_inner_sizes(a, b, left_name, right_name, at.place);
  const double rows = static_cast<double>(a.size()) / std::max(a[-1], 1);
  interpreter.account().multiply_adds(std::max(rows * static_cast<double>(b.size()), static_cast<double>(a.size())),
                                      at.place);
  const Value result =
      result_of(interpreter, matmul(operand_of(left, at.place), operand_of(right, at.place)), type_of(left), at.place);
  note_operands(interpreter, Operator::matmul, left, right, result);
  return result;
}

// x ** 2 is a product, as other small whole powers are; 1 / x is a quotient.
Tensor powered(const Operand& x, double exponent, const Place& place) {
  const CallSite site = site_of(place);
  if (exponent == 0.5) return sqrt({x, site});
  if (exponent == -1) return divide({1, site}, {x, site});
  if (exponent == -0.5) return divide({1, site}, {sqrt({x, site}), site});
  if (exponent != std::floor(exponent) || exponent < 1 || exponent > 64) return power({x, site}, {exponent, site});
  Tensor result = x;
  for (int i = 1; i < exponent; ++i) result = multiply({result, site}, {x, site});
  return result;
}

void refuse_bool(Operator operation, const Between& at, const std::string& name, const Value& value) {
  if (type_of(value) == Type::boolean && operation == Operator::subtract)
    fail_at(at.place, "bool_is_not_subtracted", operand_name(name));
}

bool any_value(const Operand& x, bool (*holds)(Scalar)) { return std::ranges::any_of(x.values(), holds); }

// What PyTorch refuses between whole numbers and truth values.
void refuse_whole(Operator operation, Type type, const Operand& b, const Between& at, const std::string& divisor) {
  const bool divides = operation == Operator::floor_divide || operation == Operator::remainder;
  if (type == Type::boolean && (divides || operation == Operator::power))
    fail_at(at.place, "bool_without_operation", symbol_of(operation));
  if (type != Type::integer) return;
  if (divides && any_value(b, [](Scalar value) { return value == 0; }))
    fail_at(at.place, "whole_divided_by_zero", operand_name(divisor));
  if (operation == Operator::power && any_value(b, [](Scalar value) { return value < 0; }))
    fail_at(at.place, "int_negative_power");
}

// True where one of two truth values is.
Tensor either(const Operand& a, const Operand& b) {
  return greater({add(forward_operand(a), forward_operand(b)), a.where}, {0, a.where});
}

Tensor combined(Operator operation, const Operand& a, const Operand& b, const Value& right, const Between& at) {
  // In the order of Operator, but for the matrix product, which does not go by place.
  constexpr Tensor (*by_place[])(Operand, Operand) = {add, subtract, multiply, divide, floor_divide, remainder, power};
  if (operation == Operator::matmul) fail(ErrorCode::internal, "operation_goes_by_place", symbol_of(operation));
  if (operation == Operator::power && is_number(right)) return powered(a, number_of(right), at.place);
  return by_place[static_cast<int>(operation)](forward_operand(a), forward_operand(b));
}

Value combine_tensors(Interpreter& interpreter, Operator operation, const Value& left, const Value& right,
                      const Between& at) {
  if (operation == Operator::matmul) return matrix_product(interpreter, left, right, at);
  check_broadcast(symbol_of(operation), operand_shape(left), operand_shape(right), at, interpreter);
  refuse_bool(operation, at, interpreter.spelled(at.left), left);
  refuse_bool(operation, at, interpreter.spelled(at.right), right);
  if (operation >= Operator::bit_and) return combine_bits(interpreter, operation, left, right, at);
  const Type type = operation == Operator::divide ? Type::real : common_type(left, right);
  if (operation == Operator::power && right.is<TypedTensor>() && type_of(right) == Type::boolean)
    fail_at(at.place, "bool_exponent", operand_name(interpreter.spelled(at.right)));
  const Operand a = operand_of(left, at.place), b = operand_of(right, at.place);
  refuse_whole(operation, type, b, at, interpreter.spelled(at.right));
  const bool is_or = operation == Operator::add && type == Type::boolean;
  const double times = operation == Operator::power && is_number(right) ? std::abs(number_of(right)) : 1;
  interpreter.account().values(static_cast<std::size_t>(std::clamp(times, 1.0, 64.0)) * (a.size() + b.size()),
                               at.place);
  const Value result =
      result_of(interpreter, is_or ? either(a, b) : combined(operation, a, b, right, at), type, at.place);
  note_operands(interpreter, operation, left, right, result);
  return result;
}

Value joined_lists(Interpreter& interpreter, const Value& first, const Value& second, const Place& place) {
  const std::vector<Value>&left = *items_of(first), &right = *items_of(second);
  interpreter.account().items(left.size() + right.size(), place);
  std::vector<Value> all = left;
  all.insert(all.end(), right.begin(), right.end());
  return first.is<Tuple>() ? tuple_of(std::move(all)) : list_of(std::move(all));
}

Value joined_texts(Interpreter& interpreter, const Value& first, const Value& second, const Place& place) {
  const std::string &left = *first.as<std::string>(), &right = *second.as<std::string>();
  interpreter.account().items(left.size() + right.size(), place);
  return left + right;
}

void check_repeated(std::int64_t length, std::int64_t times, const Place& place) {
  constexpr std::int64_t longest = 1'000'000;
  if (times > longest / std::max<std::int64_t>(length, 1)) fail_at(place, "list_repeated_too_often");
}

Value repeated_text(Interpreter& interpreter, const std::string& text, std::int64_t times, const Place& place) {
  check_repeated(static_cast<std::int64_t>(text.size()), times, place);
  times = text.empty() ? 0 : std::max<std::int64_t>(times, 0);
  interpreter.account().items(text.size() * static_cast<std::size_t>(times), place);
  std::string all;
  for (std::int64_t i = 0; i < times; ++i) all += text;
  return all;
}

// [0] * 3 is [0, 0, 0].
Value repeated(Interpreter& interpreter, const Value& value, std::int64_t times, const Place& place) {
  if (const auto* text = value.as<std::string>()) return repeated_text(interpreter, *text, times, place);
  const std::vector<Value>& items = *items_of(value);
  check_repeated(static_cast<std::int64_t>(items.size()), times, place);
  std::vector<Value> all;
  times = items.empty() ? 0 : times;
  interpreter.account().items(items.size() * static_cast<std::size_t>(std::max<std::int64_t>(times, 0)), place);
  for (std::int64_t i = 0; i < times; ++i) all.insert(all.end(), items.begin(), items.end());
  return value.is<Tuple>() ? tuple_of(std::move(all)) : list_of(std::move(all));
}

}  // namespace

int clash_of(const Shape& a, const Shape& b) {
  for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis)
    if (a[axis] != b[axis] && a[axis] != 1 && b[axis] != 1) return axis;
  return 0;
}

CallSite site_of(const Place& place) {
  constexpr int most = (1 << 13) - 1;
  return {place.file, place.line, std::min(place.column, most)};
}

Operand operand_of(const Value& value, const Place& place) {
  refresh(value, place);
  if (const auto* tensor = value.as<TypedTensor>()) return {tensor->tensor, site_of(place)};
  if (is_number(value)) return {number_of(value), site_of(place)};
  fail_at(place, "no_operand", described(value));
}

Type common_type(const Value& left, const Value& right) { return std::min(type_of(left), type_of(right)); }

// An int tensor is exact up to 2²⁴, since it is stored in single precision, and has no −0.
Value result_of(Interpreter& interpreter, Tensor tensor, Type type, const Place& place) {
  interpreter.account().values(tensor.shape(), place);
  interpreter.account().operation(place);
  if (type == Type::integer)
    for (Scalar& value : tensor.values())
      if (value += 0; std::abs(value) > 16'777'216) fail_at(place, "int_tensor_too_large", value);
  return TypedTensor{std::move(tensor), type};
}

Value combine(Interpreter& interpreter, Operator operation, const Value& left, const Value& right, const Between& at) {
  if (is_number(left) && is_number(right) && operation != Operator::matmul)
    return operation >= Operator::bit_and ? combine_bits(interpreter, operation, left, right, at)
                                          : combine_numbers(operation, left, right, at.place);
  if (is_operand(left) && is_operand(right)) return combine_tensors(interpreter, operation, left, right, at);
  if (operation == Operator::add) {
    if ((left.is<List>() && right.is<List>()) || (left.is<Tuple>() && right.is<Tuple>()))
      return joined_lists(interpreter, left, right, at.place);
    if (left.is<std::string>() && right.is<std::string>()) return joined_texts(interpreter, left, right, at.place);
  }
  const auto is_repeated = [](const Value& items, const Value& times) {
    return (items.is<List>() || items.is<Tuple>() || items.is<std::string>()) && is_whole(times);
  };
  if (operation == Operator::multiply && is_repeated(left, right))
    return repeated(interpreter, left, whole_of(right), at.place);
  if (operation == Operator::multiply && is_repeated(right, left))
    return repeated(interpreter, right, whole_of(left), at.place);
  if (const auto* form = left.as<std::string>(); form && operation == Operator::remainder)
    return percent_formatted(interpreter, *form, right, at.place);
  if (const std::optional<Value> result = combine_containers(interpreter, operation, left, right, at.place))
    return *result;
  fail_at(at.place, "operation_has_no_meaning", described(left), symbol_of(operation), described(right));
}

Value negative(Interpreter& interpreter, const Value& value, const Place& place) {
  if (const double* number = value.as<double>()) return -*number;
  if (is_whole(value)) return combine_numbers(Operator::subtract, std::int64_t{0}, value, place);
  const auto* tensor = value.as<TypedTensor>();
  if (!tensor) fail_at(place, "value_has_no_negative", described(value));
  if (tensor->type == Type::boolean) fail_at(place, "bool_has_no_negative");
  const Value result = result_of(interpreter, negate(operand_of(value, place)), tensor->type, place);
  result.as<Value::Tensors>()->get()->takes_gradient = tensor->takes_gradient && interpreter.records();
  return result;
}

}  // namespace unroll::program
