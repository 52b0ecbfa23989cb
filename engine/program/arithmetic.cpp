#include "engine/program/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "engine/ops/ops.h"
#include "engine/program/numbers.h"
#include "engine/tensor/error.h"

namespace unroll::program {
namespace {

constexpr const char* operators[] = {"+", "-", "*", "/", "//", "%", "**", "@"};
const char* symbol_of(Operator operation) { return operators[static_cast<int>(operation)]; }

Type type_of(const Value& value) {
  if (const auto* tensor = value.as<TypedTensor>()) return tensor->type;
  return value.is<bool>() ? Type::boolean : value.is<std::int64_t>() ? Type::integer : Type::real;
}

// Also the empty Shape of a number.
Shape shape_of(const Value& value) {
  const auto* tensor = value.as<TypedTensor>();
  return tensor ? tensor->tensor.shape() : Shape();
}

bool is_operand(const Value& value) { return value.is<TypedTensor>() || is_number(value); }

void check_broadcast(const char* symbol, const Shape& a, const Shape& b, const Between& at, Interpreter& interpreter) {
  if (const int axis = clash_of(a, b))
    fail_at(at.place, interpreter.spelled(at.left), " is ", sizes(a), " and ", interpreter.spelled(at.right), " is ",
            sizes(b), ": ", symbol, " needs sizes that are equal or 1, from the last to the first, and ", a[axis],
            " and ", b[axis], " are neither.");
}

// "Did you mean K.mT?", or of K.mT just K, if that would fit.
std::string transposed_hint(const Shape& a, const Shape& b, const std::string& right) {
  if (b.rank() < 2 || a[-1] != b[-1]) return "";
  const std::size_t end = right.ends_with(".mT") ? 3 : right.ends_with(".T") ? 2 : 0;
  if (end > 0) return " Did you mean " + right.substr(0, right.size() - end) + "?";
  return " Did you mean " + right + (b.rank() == 2 ? ".T?" : ".mT?");
}

Value matrix_product(Interpreter& interpreter, const Value& left, const Value& right, const Between& at) {
  const Shape a = shape_of(left), b = shape_of(right);
  const std::string left_name = interpreter.spelled(at.left), right_name = interpreter.spelled(at.right);
  if (a.rank() == 0 || b.rank() == 0)
    fail_at(at.place, "@ multiplies tensors of at least one axis, and ", a.rank() == 0 ? left_name : right_name,
            " is one value: use *.");
  const int inner = b.rank() == 1 ? b[0] : b[-2];
  if (a[-1] != inner)
    fail_at(at.place, left_name, " is ", sizes(a), " and ", right_name, " is ", sizes(b), ": @ needs ", a[-1], " = ",
            inner, ".", transposed_hint(a, b, right_name));
  const double rows = static_cast<double>(a.size()) / std::max(a[-1], 1);
  interpreter.count_multiply_adds(std::max(rows * static_cast<double>(b.size()), static_cast<double>(a.size())),
                                  at.place);
  return result_of(interpreter, matmul(operand_of(left, at.place), operand_of(right, at.place)), Type::real, at.place);
}

// x ** 2 is a product; other whole powers are products, too, so that they hold for negative x.
Tensor powered(const Operand& x, double exponent, const Place& place) {
  const CallSite site = site_of(place);
  if (exponent == 0.5) return sqrt({x, site});
  if (exponent != std::floor(exponent) || std::abs(exponent) > 64)
    return exp({multiply({exponent, site}, {log({x, site}), site}), site});
  Tensor result = exponent == 0 ? Tensor::full(x.shape(), 1) : Tensor(x);
  for (int i = 1; i < std::abs(exponent); ++i) result = multiply({result, site}, {x, site});
  return exponent < 0 ? divide({1, site}, {result, site}) : result;
}

void refuse_type(Operator operation, const Between& at, const std::string& name, Type type) {
  if (type == Type::boolean && operation == Operator::subtract)
    fail_at(at.place, name, " is a bool tensor, which cannot be subtracted: write ", name, ".float(), or ", name,
            " == 0 for its opposite.");
}

// As in PyTorch, it has the sign of b, and the quotient in it has no gradient.
Tensor remainder(const Operand& a, const Operand& b) {
  const Tensor times = floor_divide(forward_operand(a), forward_operand(b));
  const Tensor multiple = multiply({times, a.where}, forward_operand(b));
  return subtract(forward_operand(a), {multiple, a.where});
}

Tensor combined(Operator operation, const Operand& a, const Operand& b, const Value& right, const Between& at) {
  switch (operation) {
    case Operator::add:
      return add(forward_operand(a), forward_operand(b));
    case Operator::subtract:
      return subtract(forward_operand(a), forward_operand(b));
    case Operator::multiply:
      return multiply(forward_operand(a), forward_operand(b));
    case Operator::divide:
      return divide(forward_operand(a), forward_operand(b));
    case Operator::floor_divide:
      return floor_divide(forward_operand(a), forward_operand(b));
    case Operator::remainder:
      return remainder(a, b);
    case Operator::power:
      if (!is_number(right)) return exp({multiply(forward_operand(b), {log(forward_operand(a)), a.where}), a.where});
      return powered(a, number_of(right), at.place);
    default:
      fail(ErrorCode::internal, symbol_of(operation), " goes place by place.");
  }
}

Value combine_tensors(Interpreter& interpreter, Operator operation, const Value& left, const Value& right,
                      const Between& at) {
  if (operation == Operator::matmul) return matrix_product(interpreter, left, right, at);
  check_broadcast(symbol_of(operation), shape_of(left), shape_of(right), at, interpreter);
  refuse_type(operation, at, interpreter.spelled(at.left), type_of(left));
  refuse_type(operation, at, interpreter.spelled(at.right), type_of(right));
  const Type type = operation == Operator::divide ? Type::real : common_type(left, right);
  const Operand a = operand_of(left, at.place), b = operand_of(right, at.place);
  return result_of(interpreter, combined(operation, a, b, right, at), type, at.place);
}

Value joined_lists(const std::vector<Value>& left, const std::vector<Value>& right, bool is_tuple) {
  std::vector<Value> all = left;
  all.insert(all.end(), right.begin(), right.end());
  return is_tuple ? tuple_of(std::move(all)) : list_of(std::move(all));
}

// [0] * 3 is [0, 0, 0].
Value repeated(const std::vector<Value>& items, std::int64_t times, bool is_tuple, const Place& place) {
  constexpr std::int64_t longest = 1'000'000;
  if (times > longest / std::max<std::int64_t>(static_cast<std::int64_t>(items.size()), 1))
    fail_at(place, "a list has at most a million items here: repeat it fewer times.");
  std::vector<Value> all;
  for (std::int64_t i = 0; i < times; ++i) all.insert(all.end(), items.begin(), items.end());
  return is_tuple ? tuple_of(std::move(all)) : list_of(std::move(all));
}

}  // namespace

int clash_of(const Shape& a, const Shape& b) {
  for (int axis = -1; axis >= -std::min(a.rank(), b.rank()); --axis)
    if (a[axis] != b[axis] && a[axis] != 1 && b[axis] != 1) return axis;
  return 0;
}

CallSite site_of(const Place& place) {
  constexpr int most = (1 << 13) - 1;
  return {program_file, place.line, std::min(place.column, most)};
}

Operand operand_of(const Value& value, const Place& place) {
  if (const auto* tensor = value.as<TypedTensor>()) return {tensor->tensor, site_of(place)};
  if (is_number(value)) return {number_of(value), site_of(place)};
  fail_at(place, "a tensor or a number belongs here, and this is ", described(value), ".");
}

Type common_type(const Value& left, const Value& right) { return std::min(type_of(left), type_of(right)); }

// An int tensor is exact up to 2²⁴, since it is stored in single precision.
Value result_of(Interpreter& interpreter, Tensor tensor, Type type, const Place& place) {
  interpreter.count_operation(place);
  if (type == Type::integer)
    for (const Scalar value : tensor.values())
      if (std::abs(value) > 16'777'216)
        fail_at(place, "an int tensor holds whole numbers up to 2^24 = 16,777,216, and this would be ", value,
                ": use smaller numbers or .float().");
  return TypedTensor{std::move(tensor), type};
}

Value combine(Interpreter& interpreter, Operator operation, const Value& left, const Value& right, const Between& at) {
  if (is_number(left) && is_number(right) && operation != Operator::matmul)
    return combine_numbers(operation, left, right, at.place);
  if (is_operand(left) && is_operand(right)) return combine_tensors(interpreter, operation, left, right, at);
  if (operation == Operator::add) {
    if (left.is<List>() && right.is<List>()) return joined_lists(*items_of(left), *items_of(right), false);
    if (left.is<Tuple>() && right.is<Tuple>()) return joined_lists(*items_of(left), *items_of(right), true);
    if (left.is<std::string>() && right.is<std::string>()) return *left.as<std::string>() + *right.as<std::string>();
  }
  if (operation == Operator::multiply && items_of(left) && is_whole(right))
    return repeated(*items_of(left), whole_of(right), left.is<Tuple>(), at.place);
  fail_at(at.place, described(left), " ", symbol_of(operation), " ", described(right), " has no meaning.");
}

namespace {

Tensor compared(Relation relation, const Operand& a, const Operand& b) {
  const auto opposite = [&](const Tensor& x) { return equal({x, a.where}, {0, a.where}); };
  // Of two relations that exclude each other. (With NaN neither holds.)
  const auto either = [&](const Tensor& x, const Tensor& y) { return add({x, a.where}, {y, a.where}); };
  switch (relation) {
    case Relation::equal:
      return equal(forward_operand(a), forward_operand(b));
    case Relation::not_equal:
      return opposite(equal(forward_operand(a), forward_operand(b)));
    case Relation::less:
      return greater(forward_operand(b), forward_operand(a));
    case Relation::less_or_equal:
      return either(greater(forward_operand(b), forward_operand(a)), equal(forward_operand(a), forward_operand(b)));
    case Relation::greater:
      return greater(forward_operand(a), forward_operand(b));
    default:
      return either(greater(forward_operand(a), forward_operand(b)), equal(forward_operand(a), forward_operand(b)));
  }
}

// Of numbers, texts and None. Of two lists or tuples, whether they may be equal: their items are compared next.
bool may_be_equal(const Value& left, const Value& right) {
  if (is_number(left) && is_number(right)) return number_of(left) == number_of(right);
  if (left.content().index() != right.content().index()) return false;
  if (const auto* text = left.as<std::string>()) return *text == *right.as<std::string>();
  if (items_of(left)) return items_of(left)->size() == items_of(right)->size();
  return left.is<None>();
}

// Of numbers, texts, None, and lists and tuples of these. As in Python, a list equals itself without a look at its
// items.
bool are_equal(const Value& left, const Value& right) {
  using Pair = std::pair<const std::vector<Value>*, const std::vector<Value>*>;
  if (!may_be_equal(left, right)) return false;
  std::vector<Pair> left_over;
  const auto put_off = [&](const Value& a, const Value& b) {
    if (items_of(a) && items_of(a) != items_of(b)) left_over.emplace_back(items_of(a), items_of(b));
  };
  put_off(left, right);
  while (!left_over.empty()) {
    const auto [a, b] = left_over.back();
    left_over.pop_back();
    for (std::size_t i = 0; i < a->size(); ++i) {
      if (!may_be_equal((*a)[i], (*b)[i])) return false;
      put_off((*a)[i], (*b)[i]);
    }
  }
  return true;
}

bool contains(const Value& items, const Value& item, const Place& place) {
  if (items.is<std::string>() && item.is<std::string>())
    return items.as<std::string>()->find(*item.as<std::string>()) != std::string::npos;
  const std::vector<Value>* all = items_of(items);
  if (!all) fail_at(place, described(items), " has no items to look in.");
  return std::any_of(all->begin(), all->end(), [&](const Value& each) { return are_equal(each, item); });
}

}  // namespace

Value compare(Interpreter& interpreter, Relation relation, const Value& left, const Value& right, const Between& at) {
  if (relation == Relation::in || relation == Relation::not_in)
    return contains(right, left, at.place) == (relation == Relation::in);
  if (relation == Relation::is || relation == Relation::is_not) {
    if (!left.is<None>() && !right.is<None>()) fail_at(at.place, "is compares with None only: write ==.");
    return (left.is<None>() && right.is<None>()) == (relation == Relation::is);
  }
  if (is_number(left) && is_number(right)) return compare_numbers(relation, number_of(left), number_of(right));
  if (is_operand(left) && is_operand(right)) {
    check_broadcast("a comparison", shape_of(left), shape_of(right), at, interpreter);
    const Operand a = operand_of(left, at.place), b = operand_of(right, at.place);
    return result_of(interpreter, compared(relation, a, b), Type::boolean, at.place);
  }
  if (relation == Relation::equal || relation == Relation::not_equal)
    return are_equal(left, right) == (relation == Relation::equal);
  fail_at(at.place, described(left), " and ", described(right), " have no order.");
}

Value negative(Interpreter& interpreter, const Value& value, const Place& place) {
  if (const double* number = value.as<double>()) return -*number;
  if (is_whole(value)) return combine_numbers(Operator::subtract, std::int64_t{0}, value, place);
  const auto* tensor = value.as<TypedTensor>();
  if (!tensor) fail_at(place, described(value), " has no negative.");
  if (tensor->type == Type::boolean) fail_at(place, "a bool tensor has no negative: write x == 0 for its opposite.");
  return result_of(interpreter, negate(operand_of(value, place)), tensor->type, place);
}

}  // namespace unroll::program
