// Reductions along axes, by their names in PyTorch: sums, means, the largest value.
#include <algorithm>

#include "engine/kernels/order.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

// The axes given as argument 1, the last first; none if it is None.
std::vector<int> axes_given(const Arguments& a, int rank) {
  return a.is_none(1) ? std::vector<int>() : a.axes(1, rank);
}

// All axes, the last first.
std::vector<int> axes_of(const Tensor& x) {
  std::vector<int> axes;
  for (int axis = x.rank(); axis-- > 0;) axes.push_back(axis);
  return axes;
}

template <Tensor (*reduce)(Operand, int, bool)>
Tensor along(Tensor x, const std::vector<int>& axes, bool keep, const Arguments& a) {
  for (const int axis : axes) x = reduce(at_call(x, a), axis, keep);
  return x;
}

// Along one axis or several, or without any over all values.
template <Tensor (*reduce)(Operand, int, bool), Tensor (*of_all)(Operand)>
Value reduced(const Arguments& a, Type type) {
  const Tensor x = a.tensor(0);
  const std::vector<int> axes = axes_given(a, x.rank());
  if (!axes.empty()) return a.result(along<reduce>(x, axes, a.flag(2), a), type);
  if (!a.flag(2) || x.rank() == 0) return a.result(of_all(at_call(x, a)), type);
  return a.result(along<reduce>(x, axes_of(x), true, a), type);
}

Type counted(Type type) { return type == Type::boolean ? Type::integer : type; }

Value sum_of(const Arguments& a) {
  if (items_of(a[0]) || a[0].is<Iterator>()) return sum_of_items(a);
  return reduced<sum, sum>(a, counted(a.typed(0).type));
}

// As a sum and a division, so that both are at the line of the program.
Tensor mean_along(Operand x, int axis, bool keep) {
  const Tensor total = sum(forward_operand(x), axis, keep);
  return divide({total, x.where}, {static_cast<double>(x.shape()[axis]), x.where});
}
Tensor mean_of_all(Operand x) {
  const Tensor total = sum(forward_operand(x));
  return divide({total, x.where}, {static_cast<double>(x.size()), x.where});
}
Value mean_of(const Arguments& a) {
  require_float(a, 0);
  return reduced<mean_along, mean_of_all>(a, Type::real);
}

Tensor in_a_row(const Operand& x) { return reshape(forward_operand(x), {static_cast<int>(x.size())}); }

Tensor largest_of_all(Operand x) { return max({in_a_row(x), x.where}, 0); }
Tensor largest(Operand x, int axis, bool keep) { return max(forward_operand(x), axis, keep); }
Tensor smallest(Operand x, int axis, bool keep) {
  const Tensor negated = negate(forward_operand(x));
  return negate({largest({negated, x.where}, axis, keep), x.where});
}
Tensor smallest_of_all(Operand x) {
  const Tensor negated = negate(forward_operand(x));
  return negate({largest_of_all({negated, x.where}), x.where});
}

Value amax_of(const Arguments& a) { return reduced<largest, largest_of_all>(a, a.typed(0).type); }
Value amin_of(const Arguments& a) { return reduced<smallest, smallest_of_all>(a, a.typed(0).type); }

// (Σ (x − mean)²) / n, or with unbiased / (n − 1); without an axis, of all values.
Tensor variance(const Arguments& a) {
  require_float(a, 0);
  const Tensor values = a.tensor(0);
  const bool keep = a.flag(3) && values.rank() > 0;
  std::vector<int> axes = axes_given(a, values.rank());
  if (axes.empty() && keep) axes = axes_of(values);
  const Tensor x = axes.empty() ? in_a_row(a.tensor(0)) : values;
  if (axes.empty()) axes = {0};
  const Tensor centre = along<mean_along>(x, axes, true, a);
  const Tensor off = subtract(at_call(x, a), at_call(centre, a));
  const Tensor squares = multiply(at_call(off, a), at_call(off, a));
  const Tensor total = along<sum>(squares, axes, keep, a);
  const std::size_t n = x.size() / std::max<std::size_t>(centre.size(), 1);
  return divide(at_call(total, a), {static_cast<double>(a.flag(2) && n ? n - 1 : n), a.where()});
}
Value variance_of(const Arguments& a) { return a.result(variance(a)); }
Value deviation_of(const Arguments& a) { return a.result(root_of_variance(at_call(variance(a), a))); }

// Without an axis, among all values in their order.
Value argmax_of(const Arguments& a) {
  refuse_bool(a, a.typed(0).type);
  const Operand x = a.tensor(0);
  if (a.is_none(1)) return a.result(argmax(at_call(in_a_row(x), a)), Type::integer);
  if (a.axis(1, x.rank()) != x.rank() - 1) fail_at(a.place, "argmax_of_other_axis");
  return a.result(argmax(forward_operand(x)), Type::integer);
}

Value logsumexp_of(const Arguments& a) {
  const Tensor x = a.tensor(0);
  const std::vector<int> axes = a.axes(1, x.rank());
  return a.result(along<logsumexp>(x, axes.empty() ? axes_of(x) : axes, a.flag(2), a));
}
Value cumsum_of(const Arguments& a) {
  const Operand x = a.tensor(0);
  return a.result(cumsum(forward_operand(x), a.axis(1, x.rank())), counted(a.typed(0).type));
}

// The k largest values of each row and where they are, in descending order; the first of equal ones first.
Value topk_of(const Arguments& a) {
  refuse_bool(a, a.typed(0).type);
  const Operand x = a.tensor(0);
  const int k = a.whole(1), last = x.rank() - 1;
  if (a.axis(2, x.rank()) != last) fail_at(a.place, "topk_of_other_axis");
  const int length = x.shape()[last];
  if (k < 1 || k > length) fail_at(a.place, "topk_count_out_of_range", length, k);
  const Shape rows = x.shape().without(last);
  constexpr std::size_t passes = 16;  // of sorting
  Account& account = a.interpreter.account();
  account.values(passes * x.size() + static_cast<std::size_t>(k) * rows.size(), a.place);
  std::vector<Tensor> ids;
  for (int i = 0; i < k; ++i) {
    account.operation(a.place);
    ids.emplace_back(rows);
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Scalar* values = x.data() + row * static_cast<std::size_t>(length);
    const auto order = stable_order(static_cast<std::size_t>(length),
                                    [&](std::size_t i, std::size_t j) { return values[i] > values[j]; });
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i].data()[row] = static_cast<Scalar>(order[i]);
  }
  std::vector<Operand> picked, places;
  for (const Tensor& each : ids) {
    account.check_memory(a.place);
    const Tensor value = pick(forward_operand(x), at_call(each, a));
    picked.push_back(at_call(reshape(at_call(value, a), value.shape().inserted(-1)), a));
    places.push_back(at_call(each.reshaped(each.shape().inserted(-1)), a));
  }
  return tuple_of({a.result(concat(picked, -1, a.where()), a.typed(0).type),
                   a.result(concat(places, -1, a.where()), Type::integer)});
}

}  // namespace

void require_float(const Arguments& a, int i) {
  if (const Type type = a.typed(i).type; type != Type::real)
    fail_at(a.place, "float_tensor_needed", a.callee.name, name_of(type));
}

void refuse_bool(const Arguments& a, Type type) {
  if (type == Type::boolean) fail_at(a.place, "number_tensor_needed", a.callee.name);
}

std::span<const Builtin> reduction_functions() {
  static constexpr Builtin all[] = {
      {"sum", "x, dim=None, keepdim=False", sum_of, "the sum of all values, or along some axes"},
      {"mean", "x, dim=None, keepdim=False", mean_of, "the mean of all values, or along some axes"},
      {"amax", "x, dim=None, keepdim=False", amax_of, "the largest of all values, or along some axes"},
      {"amin", "x, dim=None, keepdim=False", amin_of, "the smallest of all values, or along some axes"},
      {"var", "x, dim=None, unbiased=True, keepdim=False", variance_of,
       "the variance of all values, or along some axes"},
      {"std", "x, dim=None, unbiased=True, keepdim=False", deviation_of,
       "the standard deviation of all values, or along some axes"},
      {"argmax", "x, dim=None", argmax_of, "where the largest value is, of all or along the last axis"},
      {"topk", "x, k, dim=-1", topk_of, "the k largest values of each row, and where they are"},
      {"cumsum", "x, dim", cumsum_of, "the sums of all values up to each, along an axis"},
      {"logsumexp", "x, dim, keepdim=False", logsumexp_of, "log of the sum of e^x along some axes"},
  };
  return all;
}

}  // namespace unroll::program
