// Products of vectors and matrices, by their names in PyTorch: bmm, mm, dot, outer, einsum, tensordot.
#include <algorithm>
#include <cmath>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

const Shape& shape_at(const Arguments& a, int i) { return a.typed(i).tensor.shape(); }

Value product_of_two(const Arguments& a, const Value& left, const Value& right) {
  return combine_unnamed(a, Operator::matmul, left, right);
}

// Refuses operands of other ranks than the operation is for.
void check_ranks(const Arguments& a, int first, int rank_of_first, int rank_of_second) {
  if (shape_at(a, first).rank() == rank_of_first && shape_at(a, first + 1).rank() == rank_of_second) return;
  fail_at(a.place, "product_of_other_ranks", a.callee.name, rank_of_first, rank_of_second, sizes(shape_at(a, first)),
          sizes(shape_at(a, first + 1)));
}

template <int rank_of_first, int rank_of_second>
Value product_of_ranks(const Arguments& a) {
  check_ranks(a, 0, rank_of_first, rank_of_second);
  if (rank_of_first == 3 && shape_at(a, 0)[0] != shape_at(a, 1)[0])
    fail_at(a.place, "product_of_other_batches", a.callee.name, sizes(shape_at(a, 0)), sizes(shape_at(a, 1)));
  return product_of_two(a, a[0], a[1]);
}

Value scaled(const Arguments& a, const Value& x, int factor) {
  const bool is_one = is_whole(a[factor]) && whole_of(a[factor]) == 1;
  return is_one ? x : combine_unnamed(a, Operator::multiply, a[factor], x);
}

// beta · x + alpha · (first @ second); with beta 0 x does not matter, whatever it is.
template <int rank_of_first, int rank_of_second>
Value added_to_product(const Arguments& a) {
  check_ranks(a, 1, rank_of_first, rank_of_second);
  const Value product = scaled(a, product_of_two(a, a[1], a[2]), 4);
  if (a.number(3) == 0) return product;
  return combine_unnamed(a, Operator::add, scaled(a, a[0], 3), product);
}

// Of vectors (n) and (m): (n, m).
Value outer_product(const Arguments& a) {
  check_ranks(a, 0, 1, 1);
  const int n = shape_at(a, 0)[0];
  const Tensor column = reshape(a.tensor(0), {n, 1});
  a.interpreter.account().multiply_adds(static_cast<double>(n) * shape_at(a, 1)[0], a.place);
  return a.result(multiply(at_call(column, a), a.tensor(1)), common_type(a[0], a[1]));
}

// Σ over the last axes of both.
Value inner_product(const Arguments& a) {
  if (shape_at(a, 0).rank() == 0 || shape_at(a, 1).rank() == 0)
    return combine_unnamed(a, Operator::multiply, a[0], a[1]);
  if (shape_at(a, 1).rank() == 1) return product_of_two(a, a[0], a[1]);
  const Operand x = a.tensor(0), other = a.tensor(1);
  const int size = x.shape()[-1];
  if (size != other.shape()[-1])
    fail_at(a.place, "product_inner_sizes", operand_name(""), sizes(x.shape()), operand_name(""), sizes(other.shape()),
            size, other.shape()[-1]);
  a.interpreter.account().multiply_adds(
      static_cast<double>(x.size()) * static_cast<double>(other.size()) / std::max(size, 1), a.place);
  const auto rows = [&](const Operand& each) {
    return reshape(forward_operand(each), {static_cast<int>(each.size()) / std::max(size, 1), size});
  };
  const Tensor left = rows(x), right = rows(other);
  std::vector<int> shape(x.shape().begin(), x.shape().end() - 1);
  shape.insert(shape.end(), other.shape().begin(), other.shape().end() - 1);
  const Tensor y = matmul(at_call(left, a), at_call(right, a), Transposed::b);
  return a.result(reshape(at_call(y, a), Shape(std::span<const int>(shape))), common_type(a[0], a[1]));
}

// einsum("ij,jk->ik", x, y), or with the operands in a list.
Value einsum_of(const Arguments& a) {
  std::vector<Value> given = a.values(1);
  if (given.size() == 1 && items_of(given[0])) given = std::vector<Value>(*items_of(given[0]));
  std::vector<Operand> operands;
  std::vector<Shape> shapes;
  Type type = Type::boolean;
  for (const Value& each : given) {
    if (!each.is<TypedTensor>()) a.refuse(1, "tensors");
    operands.push_back(operand_of(each, a.place));
    shapes.push_back(operands.back().shape());
    type = std::min(type, common_type(each, each));
  }
  for (const Value& each : given)
    if (common_type(each, each) != type)
      fail_at(a.place, "tensors_of_two_types", a.callee.name, name_of(type), name_of(common_type(each, each)));
  a.interpreter.account().multiply_adds(einsum_multiply_adds(a.text(0), shapes), a.place);
  return a.result(einsum(a.text(0), operands, a.where()), type);
}

// Sums over pairs of axes: over the last `dims` of a and the first of b, or over those in two lists.
Value tensor_dot(const Arguments& a) {
  const int rank_a = shape_at(a, 0).rank(), rank_b = shape_at(a, 1).rank();
  std::vector<int> of_a, of_b;
  if (const std::vector<Value>* pairs = items_of(a[2])) {
    if (pairs->size() != 2) a.refuse(2, "two_lists_of_axes");
    const Arguments each(a.interpreter, a.callee, a.place, {(*pairs)[0], (*pairs)[1]});
    of_a = each.integers(0), of_b = each.integers(1);
  } else {
    const int count = a.whole(2);
    if (count < 0 || count > std::min(rank_a, rank_b)) a.refuse(2, "axes_of_the_tensor");
    for (int i = 0; i < count; ++i) of_a.push_back(rank_a - count + i), of_b.push_back(i);
  }
  if (of_a.size() != of_b.size()) a.refuse(2, "two_lists_of_axes");
  std::string left, right, result;
  for (int i = 0; i < rank_a; ++i) left += static_cast<char>('a' + i);
  for (int i = 0; i < rank_b; ++i) right += static_cast<char>('A' + i);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const int first = of_a[i] < 0 ? of_a[i] + rank_a : of_a[i], second = of_b[i] < 0 ? of_b[i] + rank_b : of_b[i];
    if (first < 0 || first >= rank_a || second < 0 || second >= rank_b) a.refuse(2, "axes_of_the_tensor");
    right[static_cast<std::size_t>(second)] = left[static_cast<std::size_t>(first)];
  }
  for (const char letter : left + right)
    if (std::ranges::count(left + right, letter) == 1) result += letter;
  const Arguments same(a.interpreter, a.callee, a.place, {left + "," + right + "->" + result, tuple_of({a[0], a[1]})});
  return einsum_of(same);
}

Value trace_of(const Arguments& a) {
  if (shape_at(a, 0).rank() != 2) a.refuse(0, "a_matrix");
  const Tensor diagonal = einsum("ii->i", {a.tensor(0)}, a.where());
  return a.result(sum(at_call(diagonal, a)), std::min(a.typed(0).type, Type::integer));
}

// Each value of x times the whole other tensor, side by side.
Value kronecker_product(const Arguments& a) {
  const Operand x = a.tensor(0), other = a.tensor(1);
  const int rank = std::max(x.rank(), other.rank());
  if (2 * rank > Shape::max_rank) fail_at(a.place, "too_many_axes", Shape::max_rank, 2 * rank);
  std::vector<int> of_x, of_other, joined;
  for (int axis = -rank; axis < 0; ++axis) {
    const int m = axis >= -x.rank() ? x.shape()[axis] : 1, n = axis >= -other.rank() ? other.shape()[axis] : 1;
    of_x.insert(of_x.end(), {m, 1}), of_other.insert(of_other.end(), {1, n}), joined.push_back(m * n);
  }
  const Tensor left = reshape(forward_operand(x), Shape(std::span<const int>(of_x)));
  const Tensor right = reshape(forward_operand(other), Shape(std::span<const int>(of_other)));
  const Tensor y = multiply(at_call(left, a), at_call(right, a));
  return a.result(reshape(at_call(y, a), Shape(std::span<const int>(joined))), common_type(a[0], a[1]));
}

// The distances between all rows of x (…, n, d) and of other (…, m, d): (…, n, m).
Value distances(const Arguments& a) {
  for (const int i : {0, 1}) require_float(a, i);
  const Operand x = a.tensor(0), other = a.tensor(1);
  if (x.rank() < 2 || other.rank() < 2 || x.shape()[-1] != other.shape()[-1]) a.refuse(1, "rows_of_the_same_length");
  const Tensor rows = reshape(forward_operand(x), x.shape().inserted(-2));
  const Tensor columns = reshape(forward_operand(other), other.shape().inserted(-3));
  const double pairs = static_cast<double>(x.size()) * other.shape()[-2];
  a.interpreter.account().values(static_cast<std::size_t>(std::min(pairs, 1e9)), a.place);
  const Tensor apart = subtract(at_call(rows, a), at_call(columns, a));
  const Builtin* norm = find_tensor_function("norm");
  return a.interpreter.call(Value(norm), {a.result(apart), a[2], std::int64_t{-1}}, a.place);
}

}  // namespace

std::span<const Builtin> product_functions() {
  static constexpr Builtin all[] = {
      {"mm", "x, mat2", product_of_ranks<2, 2>, "the product of two matrices", "product"},
      {"mv", "x, vec", product_of_ranks<2, 1>, "the product of a matrix and a vector", "product"},
      {"bmm", "x, mat2", product_of_ranks<3, 3>, "the products of two batches of matrices", "product"},
      {"dot", "x, other", product_of_ranks<1, 1>, "the sum of the products of two vectors", "product"},
      {"vdot", "x, other", product_of_ranks<1, 1>, "the sum of the products of two vectors", "product"},
      {"inner", "x, other", inner_product, "the sums of products along both last axes", "product"},
      {"outer", "x, vec2", outer_product, "the products of each value of x and each of another vector", "product"},
      {"ger", "x, vec2", outer_product, "the products of each value of x and each of another vector", "product"},
      {"addmm", "x, mat1, mat2, beta=1, alpha=1", added_to_product<2, 2>, "beta * x + alpha * (mat1 @ mat2)",
       "mat1 mat2"},
      {"addmv", "x, mat, vec, beta=1, alpha=1", added_to_product<2, 1>, "beta * x + alpha * (mat @ vec)", "mat vec"},
      {"baddbmm", "x, batch1, batch2, beta=1, alpha=1", added_to_product<3, 3>, "beta * x + alpha * (batch1 @ batch2)",
       "batch1 batch2"},
      {"einsum", "equation, *operands", einsum_of, "sums of products by a rule such as \"ij,jk->ik\"", "product"},
      {"tensordot", "x, b, dims=2", tensor_dot, "sums of products over pairs of axes", "product"},
      {"trace", "x", trace_of, "the sum of the diagonal"},
      {"kron", "x, other", kronecker_product, "each value of x times the whole other tensor", "product"},
      {"cdist", "x, x2, p=2", distances, "the distances between all rows of two tensors", "x x2 result"},
  };
  return all;
}

}  // namespace unroll::program
