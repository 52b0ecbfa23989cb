// The order of values, by PyTorch's names: max and min with their places, sort, topk, median, quantile. NaN counts as
// the largest value, and of equal values the first comes first.
#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/kernels/order.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

Operand negated_at(const Arguments& a, const Operand& x, Tensor& kept) {
  kept = negate(forward_operand(x));
  return at_call(kept, a);
}

// Where the largest or smallest value along the axis is, with the axis as one of size 1.
Tensor extreme_places(const Arguments& a, const Operand& x, int axis, bool largest) {
  Tensor negated;
  const Tensor ids = argmax(largest ? forward_operand(x) : negated_at(a, x, negated), axis);
  return reshape(at_call(ids, a), x.shape().with(axis, 1));
}

Tensor without_axis(const Arguments& a, const Tensor& x, int axis) {
  return reshape(at_call(x, a), x.shape().without(axis));
}

Value values_and_indices(const Arguments& a, const Tensor& values, const Tensor& indices) {
  Value both = tuple_of({a.result(values, a.typed(0).type), a.result(indices, Type::integer)});
  return Tuple{both.as<Tuple>()->items, "values indices"};
}

// The values at ids (…, k, …) along the axis, and the ids; without the axis unless `keep`.
Value picked_at(const Arguments& a, const Tensor& ids, int axis, bool keep) {
  const Tensor values = take_along(a.tensor(0), at_call(ids, a), axis);
  if (keep) return values_and_indices(a, values, ids);
  const Tensor shorter = without_axis(a, values, axis);
  return values_and_indices(a, shorter, without_axis(a, ids, axis));
}

void check_not_empty(const Arguments& a, const Shape& shape, int axis) {
  if (shape[axis] == 0) fail_at(a.place, "extreme_of_empty_axis", a.callee.name, axis, sizes(shape));
}

// max(x), max(x, dim) and max(x, other).
template <bool largest>
Value extreme_of(const Arguments& a) {
  if (a.is_none(1)) {
    const Builtin* of_all = find_tensor_function(largest ? "amax" : "amin");
    return a.interpreter.call(Value(of_all), {a[0]}, a.place);
  }
  if (a[1].is<TypedTensor>() && (a.typed(1).tensor.rank() > 0 || a.typed(1).type == Type::real)) {
    const Tensor y = largest ? maximum(a.tensor(0), a.tensor(1)) : minimum(a.tensor(0), a.tensor(1));
    return a.result(y, common_type(a[0], a[1]));
  }
  const Operand x = a.tensor(0);
  const int axis = a.axis(1, x.rank());
  check_not_empty(a, x.shape(), axis);
  return picked_at(a, extreme_places(a, x, axis, largest), axis, a.flag(2));
}

// Without an axis, among all values in their order.
template <bool largest>
Value place_of_extreme(const Arguments& a) {
  refuse_bool(a, a.typed(0).type);
  const Operand x = a.tensor(0);
  if (!a.is_none(1)) {
    const int axis = a.axis(1, x.rank());
    check_not_empty(a, x.shape(), axis);
    const Tensor ids = extreme_places(a, x, axis, largest);
    return a.result(a.flag(2) ? ids : without_axis(a, ids, axis), Type::integer);
  }
  if (x.size() == 0) fail_at(a.place, "extreme_of_empty_axis", a.callee.name, 0, sizes(x.shape()));
  const Tensor line = reshape(forward_operand(x), {static_cast<int>(x.size())});
  const Tensor ids = extreme_places(a, at_call(line, a), 0, largest);
  const Shape shape =
      a.flag(2) ? Shape(std::span<const int>(std::vector<int>(static_cast<std::size_t>(x.rank()), 1))) : Shape();
  return a.result(reshape(at_call(ids, a), shape), Type::integer);
}

// Sorting passes over the values about so many times.
void count_sorting(const Arguments& a) {
  constexpr std::size_t passes = 16;
  a.interpreter.account().values(passes * a.typed(0).tensor.size(), a.place);
}

Tensor order_along(const Arguments& a, int axis, bool descending) {
  count_sorting(a);
  return argsort(a.tensor(0), axis, descending);
}

Value sorted_values(const Arguments& a) {
  const int axis = a.axis(1, a.typed(0).tensor.rank());
  return picked_at(a, order_along(a, axis, a.flag(2)), axis, true);
}
Value sorted_places(const Arguments& a) {
  return a.result(order_along(a, a.axis(1, a.typed(0).tensor.rank()), a.flag(2)), Type::integer);
}
Value sorted_along_first(const Arguments& a) {
  const Tensor ids = order_along(a, 0, false);
  return a.result(take_along(a.tensor(0), at_call(ids, a), 0), a.typed(0).type);
}

// The k largest values along an axis in descending order, or the smallest in ascending order.
Value topk_of(const Arguments& a) {
  refuse_bool(a, a.typed(0).type);
  const Shape& shape = a.typed(0).tensor.shape();
  const int k = a.whole(1), axis = a.axis(2, shape.rank());
  if (k < 0 || k > shape[axis]) fail_at(a.place, "topk_count_out_of_range", shape[axis], k);
  const Tensor order = order_along(a, axis, a.flag(3));
  return picked_at(a, slice(at_call(order, a), axis, 0, k), axis, true);
}

// The value that comes k-th along the axis, from the smallest on.
Value value_in_order(const Arguments& a, int k, int axis, bool keep) {
  const Tensor order = order_along(a, axis, false);
  return picked_at(a, slice(at_call(order, a), axis, k, 1), axis, keep);
}
Value kth_value(const Arguments& a) {
  const Shape& shape = a.typed(0).tensor.shape();
  const int k = a.whole(1), axis = a.axis(2, shape.rank());
  if (k < 1 || k > shape[axis]) fail_at(a.place, "topk_count_out_of_range", shape[axis], k);
  return value_in_order(a, k - 1, axis, a.flag(3));
}

// Of an even number of values, the lower of both in the middle.
Value median_of(const Arguments& a) {
  const Shape& shape = a.typed(0).tensor.shape();
  if (!a.is_none(1)) {
    const int axis = a.axis(1, shape.rank());
    check_not_empty(a, shape, axis);
    return value_in_order(a, (shape[axis] - 1) / 2, axis, a.flag(2));
  }
  const int count = static_cast<int>(shape.size());
  check_not_empty(a, {count}, 0);
  const Tensor line = reshape(a.tensor(0), {count});
  count_sorting(a);
  const Tensor order = argsort(at_call(line, a), 0);
  const Tensor place = slice(at_call(order, a), 0, (count - 1) / 2, 1);
  const Tensor value = take(at_call(line, a), at_call(place, a));
  return a.result(reshape(at_call(value, a), Shape()), a.typed(0).type);
}

// Between the two values around q · (n − 1) in their order.
Value quantile_of(const Arguments& a) {
  require_float(a, 0);
  const double q = a.only_number(1);
  if (!(q >= 0 && q <= 1)) a.refuse(1, "a_probability");
  if (a.text(4) != "linear") a.refuse(4, "linear");
  const Shape shape = a.typed(0).tensor.shape();
  const bool of_all = a.is_none(2);
  const Tensor x = of_all ? reshape(a.tensor(0), {static_cast<int>(shape.size())}) : Tensor(a.tensor(0));
  const int axis = of_all ? 0 : a.axis(2, shape.rank()), n = x.shape()[axis];
  check_not_empty(a, x.shape(), axis);
  count_sorting(a);
  const Tensor order = argsort(at_call(x, a), axis);
  const double place = q * (n - 1), lower = std::floor(place);
  const auto value_at = [&](double at) {
    const Tensor ids = slice(at_call(order, a), axis, static_cast<int>(at), 1);
    return take_along(at_call(x, a), at_call(ids, a), axis);
  };
  const Tensor below = value_at(lower), above = value_at(std::ceil(place));
  const Tensor way = subtract(at_call(above, a), at_call(below, a));
  const Tensor part = multiply({place - lower, a.where()}, at_call(way, a));
  const Tensor y = add(at_call(below, a), at_call(part, a));
  if (of_all) return a.result(reshape(at_call(y, a), Shape()));
  return a.result(a.flag(3) ? y : without_axis(a, y, axis));
}

// For each value, the largest or smallest of all up to it, and where that is: of equal ones the last.
template <bool largest>
Value running_extreme(const Arguments& a) {
  const Tensor& x = a.typed(0).tensor;
  const int axis = a.axis(1, x.rank());
  const AxisSplit parts = split_at(x.shape(), axis);
  const Tensor ids(x.shape());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t along = i / parts.inner % parts.length, first = i - along * parts.inner;
    const Scalar value = x.data()[i];
    const std::size_t best = along == 0 ? 0 : static_cast<std::size_t>(ids.data()[i - parts.inner]);
    const Scalar so_far = x.data()[first + best * parts.inner];
    const bool is_next = std::isnan(value) || (!std::isnan(so_far) && (largest ? value >= so_far : value <= so_far));
    ids.data()[i] = static_cast<Scalar>(is_next ? along : best);
  }
  return picked_at(a, ids, axis, true);
}

// The different values in order; with return_inverse, for each value of x which of them it is; with return_counts, how
// often each comes.
Value unique_values(const Arguments& a) {
  if (!a.is_none(4)) a.refuse(4, "none_of_python");
  const TypedTensor& x = a.typed(0);
  const std::span<const Scalar> values = x.tensor.values();
  count_sorting(a);
  const auto order = stable_order(values.size(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::size_t different = 0;
  const Tensor inverse(x.tensor.shape()), of_all(Shape{static_cast<int>(values.size())}), times(of_all.shape());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_new = i == 0 || values[order[i]] != values[order[i - 1]];
    if (is_new) of_all.data()[different] = values[order[i]], times.data()[different++] = 0;
    inverse.data()[order[i]] = static_cast<Scalar>(different - 1);
    times.data()[different - 1] += 1;
  }
  const RecordingGuard pause(nullptr);
  const int count = static_cast<int>(different);
  std::vector<Value> results{a.result(slice(of_all, 0, 0, count), x.type)};
  if (a.flag(2)) results.push_back(a.result(inverse, Type::integer));
  if (a.flag(3)) results.push_back(a.result(slice(times, 0, 0, count), Type::integer));
  return results.size() == 1 ? results[0] : tuple_of(std::move(results));
}

// How often each whole number from 0 on comes.
Value counts_of_numbers(const Arguments& a) {
  if (!are_ids(a.typed(0)) || a.typed(0).tensor.rank() > 1) a.refuse(0, "a_tensor_of_whole_numbers");
  const int least = a.whole(2);
  if (least < 0) a.refuse(2, "a_number_of_at_least_0");
  const std::span<const Scalar> values = a.typed(0).tensor.values();
  if (std::ranges::any_of(values, [](Scalar each) { return each < 0; })) a.refuse(0, "numbers_of_at_least_0");
  const int above = values.empty() ? 0 : static_cast<int>(*std::ranges::max_element(values)) + 1;
  const Shape shape{std::max(above, least)};
  const Operand ids = a.tensor(0);
  if (!a.is_none(1)) return a.result(add_at(a.tensor(1), forward_operand(ids), shape), a.typed(1).type);
  const Tensor ones = Tensor::full(ids.shape(), 1);
  return a.result(add_at(at_call(ones, a), forward_operand(ids), shape), Type::integer);
}

}  // namespace

std::span<const Builtin> order_functions() {
  static constexpr Builtin all[] = {
      {"max", "x, dim=None, keepdim=False", extreme_of<true>,
       "the largest value, of all or along an axis with its place"},
      {"min", "x, dim=None, keepdim=False", extreme_of<false>,
       "the smallest value, of all or along an axis with its place"},
      {"argmax", "x, dim=None, keepdim=False", place_of_extreme<true>,
       "where the largest value is, of all or along an axis"},
      {"argmin", "x, dim=None, keepdim=False", place_of_extreme<false>,
       "where the smallest value is, of all or along an axis"},
      {"sort", "x, dim=-1, descending=False, stable=False", sorted_values,
       "the values in order along an axis, and where they were"},
      {"argsort", "x, dim=-1, descending=False, stable=False", sorted_places,
       "where the values in order along an axis are"},
      {"msort", "x", sorted_along_first, "the values in order along the first axis"},
      {"topk", "x, k, dim=-1, largest=True, sorted=True", topk_of,
       "the k largest values along an axis, and where they are"},
      {"kthvalue", "x, k, dim=-1, keepdim=False", kth_value, "the k-th smallest value along an axis, and where it is"},
      {"median", "x, dim=None, keepdim=False", median_of,
       "the value in the middle, of all or along an axis with its place"},
      {"quantile", "x, q, dim=None, keepdim=False, interpolation=\"linear\"", quantile_of,
       "the value below which this share of the values is"},
      {"unique", "x, sorted=True, return_inverse=False, return_counts=False, dim=None", unique_values,
       "the different values in order"},
      {"bincount", "x, weights=None, minlength=0", counts_of_numbers, "how often each whole number from 0 on comes"},
      {"cummax", "x, dim", running_extreme<true>, "the largest of all values up to each, and where it is"},
      {"cummin", "x, dim", running_extreme<false>, "the smallest of all values up to each, and where it is"},
  };
  return all;
}

}  // namespace unroll::program
