// Reductions along axes, by their names in PyTorch: sums, means, the largest value.
#include <algorithm>
#include <cmath>

#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/tensor_types.h"

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
Value reduced(const Arguments& a, const Tensor& x, Type type) {
  const std::vector<int> axes = axes_given(a, x.rank());
  if (!axes.empty()) return a.result(along<reduce>(x, axes, a.flag(2), a), type);
  if (!a.flag(2) || x.rank() == 0) return a.result(of_all(at_call(x, a)), type);
  return a.result(along<reduce>(x, axes_of(x), true, a), type);
}

// Of a sum or a product without a type: truth values are counted.
Type type_of_sum(const Arguments& a, int dtype) {
  return type_given(a, dtype, std::min(a.typed(0).type, Type::integer));
}

Value sum_of(const Arguments& a) {
  if (items_of(a[0]) || a[0].is<Iterator>()) return sum_of_items(a);
  return reduced<sum, sum>(a, as_given_type(a, 3), type_of_sum(a, 3));
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
  if (a.is_none(3)) require_float(a, 0);
  return reduced<mean_along, mean_of_all>(a, as_given_type(a, 3), Type::real);
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

Value amax_of(const Arguments& a) { return reduced<largest, largest_of_all>(a, a.tensor(0), a.typed(0).type); }
Value amin_of(const Arguments& a) { return reduced<smallest, smallest_of_all>(a, a.tensor(0), a.typed(0).type); }

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
  const double n = static_cast<double>(x.size() / std::max<std::size_t>(centre.size(), 1));
  const double lost = !a.is_none(4) ? a.number(4) : a.flag(2) ? 1 : 0;
  return divide(at_call(total, a), {std::max(n - lost, 0.0), a.where()});
}
Value variance_of(const Arguments& a) { return a.result(variance(a)); }
Value deviation_of(const Arguments& a) { return a.result(root_of_variance(at_call(variance(a), a))); }

Value logsumexp_of(const Arguments& a) {
  const Tensor x = a.tensor(0);
  const std::vector<int> axes = a.axes(1, x.rank());
  return a.result(along<logsumexp>(x, axes.empty() ? axes_of(x) : axes, a.flag(2), a));
}
Value cumsum_of(const Arguments& a) {
  const Operand x = as_given_type(a, 2);
  return a.result(cumsum(forward_operand(x), a.axis(1, x.rank())), type_of_sum(a, 2));
}

// Of all values, or along one axis.
Tensor product_of_all(Operand x) { return prod({in_a_row(x), x.where}, 0); }
Tensor product_along(Operand x, int axis, bool keep) { return prod(forward_operand(x), axis, keep); }
Value product_of(const Arguments& a) {
  const Operand x = as_given_type(a, 3);
  if (!a.is_none(1))
    return a.result(product_along(forward_operand(x), a.axis(1, x.rank()), a.flag(2)), type_of_sum(a, 3));
  return a.result(product_of_all(forward_operand(x)), type_of_sum(a, 3));
}
Value running_product(const Arguments& a) {
  const Operand x = as_given_type(a, 2);
  return a.result(cumprod(forward_operand(x), a.axis(1, x.rank())), type_of_sum(a, 2));
}

// (Σ |x|^p)^(1/p); the length for 2, the largest and the smallest for inf and -inf, how many are not 0 for 0.
Tensor norm_along(const Arguments& a, const Tensor& x, double p, const std::vector<int>& axes, bool keep) {
  if (p == 2) {
    const Tensor total = along<sum>(multiply(at_call(x, a), at_call(x, a)), axes, keep, a);
    return root_of_variance(at_call(total, a));
  }
  const Tensor size = abs(at_call(x, a));
  if (p == 1) return along<sum>(size, axes, keep, a);
  if (std::isinf(p)) return p > 0 ? along<largest>(size, axes, keep, a) : along<smallest>(size, axes, keep, a);
  if (p == 0) return along<sum>(greater(at_call(size, a), {0, a.where()}), axes, keep, a);
  const Tensor total = along<sum>(power(at_call(size, a), {p, a.where()}), axes, keep, a);
  return power(at_call(total, a), {1 / p, a.where()});
}
Value norm_of(const Arguments& a) {
  require_float(a, 0);
  const bool is_text = a[1].is<std::string>();
  if (is_text && a.text(1) != "fro") a.refuse(1, "a_number_or_fro");
  const double p = is_text || a.is_none(1) ? 2 : a.number(1);
  const Tensor x = as_given_type(a, 4);
  const std::vector<int> axes = a.is_none(2) ? axes_of(x) : a.axes(2, x.rank());
  return a.result(norm_along(a, x, p, axes, a.flag(3)));
}

// The variance or the deviation, and the mean.
template <Value (*spread)(const Arguments&)>
Value with_mean(const Arguments& a) {
  const Value first = spread(a);
  return tuple_of({first, mean_of(Arguments(a.interpreter, a.callee, a.place, {a[0], a[1], a[3], Value()}))});
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
      {"sum", "x, dim=None, keepdim=False, dtype=None", sum_of, "the sum of all values, or along some axes"},
      {"mean", "x, dim=None, keepdim=False, dtype=None", mean_of, "the mean of all values, or along some axes"},
      {"prod", "x, dim=None, keepdim=False, dtype=None", product_of, "the product of all values, or along an axis",
       "x result"},
      {"amax", "x, dim=None, keepdim=False", amax_of, "the largest of all values, or along some axes", "x result"},
      {"amin", "x, dim=None, keepdim=False", amin_of, "the smallest of all values, or along some axes", "x result"},
      {"var", "x, dim=None, unbiased=True, keepdim=False, correction=None", variance_of,
       "the variance of all values, or along some axes", "x"},
      {"std", "x, dim=None, unbiased=True, keepdim=False, correction=None", deviation_of,
       "the standard deviation of all values, or along some axes", "x result"},
      {"var_mean", "x, dim=None, unbiased=True, keepdim=False, correction=None", with_mean<variance_of>,
       "the variance and the mean", "x"},
      {"std_mean", "x, dim=None, unbiased=True, keepdim=False, correction=None", with_mean<deviation_of>,
       "the standard deviation and the mean", "x"},
      {"norm", "x, p=\"fro\", dim=None, keepdim=False, dtype=None", norm_of,
       "the length of x as one vector, or along some axes", "x result"},
      {"cumsum", "x, dim, dtype=None", cumsum_of, "the sums of all values up to each, along an axis"},
      {"cumprod", "x, dim, dtype=None", running_product, "the products of all values up to each, along an axis",
       "x result"},
      {"logsumexp", "x, dim, keepdim=False", logsumexp_of, "log of the sum of e^x along some axes", "x result"},
  };
  return all;
}

}  // namespace unroll::program
