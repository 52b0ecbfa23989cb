// The operations on tensors, by their names in PyTorch. Those whose first parameter is x are methods of tensors, too.
#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/linalg/linalg.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/tensor_types.h"

namespace unroll::program {
namespace {

using UnaryOperation = Tensor (*)(Operand);

template <UnaryOperation operation>
Value each(const Arguments& a) {
  return a.result(operation(a.tensor(0)));
}

// Of whole numbers, whole numbers.
template <UnaryOperation operation>
Value each_of_its_type(const Arguments& a) {
  refuse_bool(a, common_type(a[0], a[0]));
  return a.result(operation(a.tensor(0)), common_type(a[0], a[0]));
}

// PyTorch has these for float tensors only.
template <UnaryOperation operation>
Value each_float(const Arguments& a) {
  require_float(a, 0);
  return a.result(operation(a.tensor(0)));
}

Value absolute(const Arguments& a) {
  if (const bool* truth = a[0].as<bool>()) return std::int64_t{*truth};
  if (is_number(a[0])) return std::signbit(number_of(a[0])) ? negative(a.interpreter, a[0], a.place) : a[0];
  refuse_bool(a, a.typed(0).type);
  return a.result(abs(a.tensor(0)), a.typed(0).type);
}

Value square_root(const Arguments& a) {
  if (!is_number(a[0])) return a.result(sqrt(a.tensor(0)));
  if (number_of(a[0]) < 0) a.refuse(0, "a_number_of_at_least_0");
  return std::sqrt(number_of(a[0]));
}

// Of truth values, whole numbers.
Value squared(const Arguments& a) {
  const Operand x = a.tensor(0);
  return a.result(multiply(forward_operand(x), forward_operand(x)), std::min(common_type(a[0], a[0]), Type::integer));
}

Value rectified(const Arguments& a) { return in_place_of(a, each_of_its_type<relu>(a), 1); }
Value swished(const Arguments& a) { return in_place_of(a, each_float<silu>(a), 1); }

Value gelu_of(const Arguments& a) {
  if (a.text(1) != "none" && a.text(1) != "tanh") a.refuse(1, "none_or_tanh");
  require_float(a, 0);
  return a.result(a.text(1) == "tanh" ? gelu_tanh(a.tensor(0)) : gelu(a.tensor(0)));
}

template <Operator operation>
Value by_operator(const Arguments& a) {
  return combine_unnamed(a, operation, a[0], a[1]);
}

Value clamped(const Arguments& a) {
  if (a.is_none(1) && a.is_none(2)) fail_at(a.place, "clamp_without_limits");
  if (!a.is_none(1) && !a.is_none(2) && a[1].is<TypedTensor>() != a[2].is<TypedTensor>())
    fail_at(a.place, "clamp_limits_of_two_kinds");
  Tensor x = a.typed(0).tensor;
  Type type = a.typed(0).type;
  for (const int bound : {1, 2}) {
    if (a.is_none(bound)) continue;
    x = bound == 1 ? at_least(at_call(x, a), a.tensor(1)) : at_most(at_call(x, a), a.tensor(2));
    type = std::min(type, common_type(a[bound], a[bound]));
  }
  refuse_bool(a, type);
  return a.result(x, type);
}

// PyTorch takes a condition of type bool only.
Operand condition(const Arguments& a, int i) {
  if (a.typed(i).type != Type::boolean) fail_at(a.place, "condition_is_not_bool", a.callee.name);
  return a.tensor(i);
}

// "[:, None]" if the condition fits with an axis more there, else "".
std::string index_that_fits(const Shape& condition, const Shape& x) {
  std::string colons;
  for (int axis = 1; condition.rank() < Shape::max_rank && axis <= condition.rank(); ++axis) {
    colons += ":, ";
    if (clash_of(condition.inserted(axis), x) == 0) return "[" + colons + "None]";
  }
  return "";
}

void check_sizes(const Arguments& a, int condition, int x) {
  const Shape &of_condition = a.tensor(condition).shape(), of_x = a.tensor(x).shape();
  const std::vector<std::string>& names = signature_of(a.callee).names;
  const std::string& name = names[static_cast<std::size_t>(condition)];
  const int axis = clash_of(of_condition, of_x);
  if (axis == 0) return;
  const Message why = phrase("condition_does_not_broadcast", a.callee.name, names[static_cast<std::size_t>(x)],
                             sizes(of_x), name, sizes(of_condition), of_x[axis], of_condition[axis]);
  const std::string index = index_that_fits(of_condition, of_x);
  if (index.empty()) throw Error(ErrorCode::program, why, a.place);
  fail_at(a.place, "condition_does_not_broadcast_but_indexed", why, index, name);
}

Value chosen(const Arguments& a) {
  if (a.is_none(1) && a.is_none(2)) return places_where(a);
  check_sizes(a, 0, 1);
  check_sizes(a, 0, 2);
  return a.result(where(condition(a, 0), a.tensor(1), a.tensor(2)), common_type(a[1], a[2]));
}

Value filled(const Arguments& a) {
  check_sizes(a, 1, 0);
  const Type type = a.typed(0).type;
  if (common_type(a[0], a[2]) != type) fail_at(a.place, "fill_would_be_cut", name_of(type), described(a[2]));
  return a.result(where(condition(a, 1), a.tensor(2), a.tensor(0)), type);
}

// Drawn as weights of their scores.
Value softmax_of(const Arguments& a) {
  if (a.is_none(2)) require_float(a, 0);
  const Operand x = as_given_type(a, 2);
  const Tensor weights = softmax(forward_operand(x), a.axis(1, x.rank()));
  if (Tape* tape = Tape::live()) {
    tape->set_role(x, Role::score);
    tape->set_role(weights, Role::weight);
  }
  return a.result(weights);
}
Value log_softmax_of(const Arguments& a) {
  if (a.is_none(2)) require_float(a, 0);
  const Operand x = as_given_type(a, 2);
  return a.result(log_softmax(forward_operand(x), a.axis(1, x.rank())));
}

Value linear_of(const Arguments& a) {
  for (const int i : {0, 1}) require_float(a, i);
  const Operand x = a.tensor(0), weight = a.tensor(1);
  if (weight.rank() == 0) a.refuse(1, "a_matrix");
  a.interpreter.account().multiply_adds(static_cast<double>(x.size()) * weight.shape()[0], a.place);
  const Tensor y = matmul(forward_operand(x), forward_operand(weight), Transposed::b);
  return a.result(a.is_none(2) ? y : add(at_call(y, a), a.tensor(2)));
}

// Counted as for the largest matrices measured, whose rotations take about ten sweeps.
Value singular_values_of(const Arguments& a) {
  require_float(a, 0);
  const Operand A = a.tensor(0);
  if (A.rank() != 2) a.refuse(0, "a_matrix");
  const auto [fewer, more] = std::minmax({A.shape()[0], A.shape()[1]});
  constexpr double products = 60;
  a.interpreter.account().multiply_adds(products * fewer * fewer * more, a.place);
  return a.result(svdvals(forward_operand(A)));
}

Value embedding_of(const Arguments& a) {
  if (!are_ids(a.typed(0))) a.refuse(0, "a_tensor_of_whole_numbers");
  const Operand ids = a.tensor(0), weight = a.tensor(1);
  if (weight.rank() != 2) a.refuse(1, "a_matrix_with_a_row_for_each_id");
  const int rows = weight.shape()[0];
  for (const Scalar id : ids.values())
    if (id < 0 || id >= static_cast<Scalar>(rows)) fail_at(a.place, "embedding_id_out_of_range", id, rows, rows - 1);
  return a.result(gather(forward_operand(weight), forward_operand(ids)), a.typed(1).type);
}
Value one_hot_of(const Arguments& a) {
  if (!are_ids(a.typed(0))) a.refuse(0, "a_tensor_of_whole_numbers");
  const std::span<const Scalar> ids = a.typed(0).tensor.values();
  const int above = ids.empty() ? 0 : static_cast<int>(*std::ranges::max_element(ids)) + 1;  // the largest id
  const int given = a.whole(1), count = given == -1 ? above : given;
  if (given != -1 && given < 1) a.refuse(1, "a_number_of_at_least_1");
  if (!ids.empty() && (above > count || *std::ranges::min_element(ids) < 0)) {
    const Scalar odd = above > count ? static_cast<Scalar>(above - 1) : *std::ranges::min_element(ids);
    fail_at(a.place, "id_out_of_range", a.callee.name, odd, count, count - 1);
  }
  return a.result(one_hot(a.tensor(0), count), Type::integer);
}

Value layer_norm_of(const Arguments& a) {
  require_float(a, 0);
  const Operand x = a.tensor(0);
  const Shape shape = a.shape(1);
  const Tensor weight = a.is_none(2) ? Tensor::full(shape, 1) : Tensor(a.tensor(2));
  const Tensor bias = a.is_none(3) ? Tensor::full(shape, 0) : Tensor(a.tensor(3));
  if (weight.shape() != shape || bias.shape() != shape) a.refuse(1, "the_sizes_of_weight_and_bias");
  return a.result(layer_norm(forward_operand(x), at_call(weight, a), at_call(bias, a), a.number(4)));
}
Value rms_norm_of(const Arguments& a) {
  require_float(a, 0);
  const Tensor weight = a.is_none(2) ? Tensor::full(a.shape(1), 1) : Tensor(a.tensor(2));
  return a.result(rms_norm(a.tensor(0), at_call(weight, a), a.number(3)));
}

Value cross_entropy_of(const Arguments& a) {
  const Operand logits = a.tensor(0);
  if (logits.rank() != a.tensor(1).rank() + 1 || logits.rank() > 2)
    fail_at(a.place, "cross_entropy_shapes", sizes(logits.shape()), sizes(a.tensor(1).shape()));
  if (a.text(3) != "mean" && a.text(3) != "sum") a.refuse(3, "mean_or_sum");
  require_float(a, 0);
  if (!are_ids(a.typed(1))) a.refuse(1, "a_tensor_of_whole_numbers");
  const auto is_ignored = [ignored = static_cast<Scalar>(a.whole(2))](Scalar id) { return id == ignored; };
  if (a.text(3) == "mean" && std::ranges::all_of(a.tensor(1).values(), is_ignored))
    fail_at(a.place, "cross_entropy_ignores_all", a.whole(2));
  return a.result(cross_entropy(forward_operand(logits), a.tensor(1),
                                {a.whole(2), a.number(4), a.text(3) == "sum" ? Reduction::sum : Reduction::mean}));
}
Value mse_of(const Arguments& a) {
  for (const int i : {0, 1}) require_float(a, i);
  return a.result(mean_squared_error(a.tensor(0), a.tensor(1)));
}

template <Tensor (*operation)(Operand, Operand)>
Value of_two(const Arguments& a) {
  return a.result(operation(a.tensor(0), a.tensor(1)), common_type(a[0], a[1]));
}

}  // namespace

std::span<const Builtin> tensor_functions() {
  static constexpr Builtin all[] = {
      {"exp", "x", each<exp>, "e to the power of each value", "result"},
      {"log", "x", each<log>, "the natural logarithm of each value", "x"},
      {"sqrt", "x", square_root, "the square root of each value, or of a number", "result"},
      {"tanh", "x", each<tanh>, "the hyperbolic tangent of each value", "result"},
      {"sigmoid", "x", each<sigmoid>, "1 / (1 + e^-x) of each value", "result"},
      {"relu", "x, inplace=False", rectified, "each value, or 0 if it is negative", "result"},
      {"erf", "x", each<erf>, "the error function of each value", "x"},
      {"sin", "x", each<sin>, "the sine of each value", "x"},
      {"cos", "x", each<cos>, "the cosine of each value", "x"},
      {"floor", "x", each_of_its_type<floor>, "each value rounded down"},
      {"abs", "x", absolute, "each value without its sign", "x"},
      {"gelu", "x, approximate=\"none\"", gelu_of, "x times the normal distribution function of x", "x"},
      {"silu", "x, inplace=False", swished, "x times sigmoid(x)", "x"},
      {"softplus", "x", each_float<softplus>, "log(1 + e^x)", "x"},
      {"square", "x", squared, "each value times itself", "x"},
      {"pow", "x, exponent", by_operator<Operator::power>, "each value to the power of another"},
      {"maximum", "x, other", of_two<maximum>, "the larger of two values, place by place", "x other"},
      {"minimum", "x, other", of_two<minimum>, "the smaller of two values, place by place", "x other"},
      {"clamp", "x, min=None, max=None", clamped, "each value, moved into a range", "x"},
      {"clip", "x, min=None, max=None", clamped, "each value, moved into a range", "x"},
      {"absolute", "x", absolute, "each value without its sign", "x"},
      {"where", "condition, x=None, other=None", chosen, "x where the condition holds, other elsewhere", "condition"},
      {"masked_fill", "x, mask, value", filled, "x, with a value where the mask holds", "mask"},
      {"softmax", "x, dim, dtype=None", softmax_of, "positive weights that sum to 1 along an axis", "result"},
      {"log_softmax", "x, dim, dtype=None", log_softmax_of, "the logarithm of softmax", "result"},
      {"matmul", "x, other", by_operator<Operator::matmul>, "the matrix product, x @ other", "product"},
      {"svdvals", "A", singular_values_of, "the singular values of a matrix, the largest first", "A"},
      {"linear", "x, weight, bias=None", linear_of, "x @ weight.T + bias", "product"},
      {"embedding", "ids, weight", embedding_of, "the rows of weight with these ids", "ids"},
      {"one_hot", "ids, num_classes=-1", one_hot_of, "a 1 at the place of each id, 0 elsewhere"},
      {"layer_norm", "x, normalized_shape, weight=None, bias=None, eps=1e-5", layer_norm_of,
       "mean 0 and variance 1 along the last axes, then scaled and moved", "x weight"},
      {"rms_norm", "x, normalized_shape, weight=None, eps=1e-5", rms_norm_of,
       "root mean square 1 along the last axis, then scaled", "x weight"},
      {"cross_entropy", "logits, target, ignore_index=-100, reduction=\"mean\", label_smoothing=0.0", cross_entropy_of,
       "-log softmax(logits) of the targets", "target"},
      {"mse_loss", "x, target", mse_of, "the mean of the squared differences", "product"},
  };
  return all;
}

}  // namespace unroll::program
