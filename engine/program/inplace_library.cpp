// Methods that change a tensor: x.add_(y), x.fill_(0). Most of them are the function of the same name without the
// underscore, whose result is written into x.
#include <algorithm>
#include <array>

#include "engine/ops/ops.h"
#include "engine/program/library.h"
#include "engine/program/mutation.h"
#include "engine/program/views.h"

namespace unroll::program {
namespace {

Shape shape_of(const Arguments& a) { return a.typed(0).tensor.shape(); }

// x.name_(…) by name(x, …). What the gradient of this needs of its result, it needs of x.
Value by_function(const Arguments& a) {
  const std::string_view name = a.callee.name;
  const Builtin& plain = *find_tensor_function(name.substr(0, name.size() - 1));
  const TypedTensor& x = a.typed(0);
  check_changeable(a.interpreter, x, a.place);
  const Arguments same(a.interpreter, plain, a.place, a.all());
  const Value y = keeping_nothing_of(x, [&] {
    Value result = plain.call(same);
    note_result(same, result);
    return result;
  });
  if (!y.is<TypedTensor>()) a.refuse(0, "a_tensor");
  write(a.interpreter, a[0], *y.as<TypedTensor>(), a.place);
  if (needs_result(plain) && needs_gradient(x.tensor)) keep(x, plain.name.data());
  return a[0];
}

Value by_operator(const Arguments& a, Operator operation, const Value& change) {
  const Expression unnamed{a.place, Constant{}};
  return update(a.interpreter, a[0], operation, change, {a.place, unnamed, unnamed});
}
template <Operator operation>
Value updated(const Arguments& a) {
  return by_operator(a, operation, a[1]);
}
// x + alpha · y, x − alpha · y
template <Operator operation>
Value updated_by_multiple(const Arguments& a) {
  const bool is_plain = is_whole(a[2]) && whole_of(a[2]) == 1;
  return by_operator(a, operation, is_plain ? a[1] : combine_unnamed(a, Operator::multiply, a[1], a[2]));
}
Value divided(const Arguments& a) {
  if (a.is_none(2)) return by_operator(a, Operator::divide, a[1]);
  if (a.text(2) != "floor") a.refuse(2, "floor_or_none");
  return by_operator(a, Operator::floor_divide, a[1]);
}

Value copied_into(const Arguments& a, const Value& source) {
  const TypedTensor& x = a.typed(0);
  const Shape shape = shape_of(a);
  TypedTensor values = fitted(a.interpreter, source, x.type, shape, a.place);
  if (values.tensor.shape() != shape) values.tensor = broadcast_to({values.tensor, a.where()}, shape);
  write(a.interpreter, a[0], values, a.place);
  return a[0];
}
Value copied(const Arguments& a) {
  a.typed(1);
  return copied_into(a, a[1]);
}
Value filled_with(const Arguments& a) {
  if (const auto* value = a[1].as<TypedTensor>(); value && value->tensor.rank() > 0) a.refuse(1, "one_value");
  if (!a[1].is<TypedTensor>() && !is_number(a[1])) a.refuse(1, "a_number");
  return copied_into(a, a[1]);
}
Value zeroed(const Arguments& a) { return copied_into(a, std::int64_t{0}); }

// The diagonal of a matrix; of more axes, where all indices are equal.
Value diagonal_filled(const Arguments& a) {
  const TypedTensor& x = a.typed(0);
  const Shape shape = shape_of(a);
  if (shape.rank() < 2) a.refuse(0, "a_matrix");
  if (!is_number(a[1])) a.refuse(1, "a_number");
  if (a.flag(2)) a.refuse(2, "false_of_python");
  const bool is_cube = std::adjacent_find(shape.begin(), shape.end(), std::not_equal_to()) == shape.end();
  if (shape.rank() > 2 && !is_cube) a.refuse(0, "a_tensor_of_equal_sizes");
  Tensor mask = Tensor::full(shape, 0);
  std::size_t step = 0;
  for (const std::ptrdiff_t stride : row_strides(shape)) step += static_cast<std::size_t>(stride);
  const int length = *std::min_element(shape.begin(), shape.end());
  for (int i = 0; i < length; ++i) mask.data()[static_cast<std::size_t>(i) * step] = 1;
  const TypedTensor value = converted(a.interpreter, a[1], x.type, a.place);
  const Tensor y = where({mask, a.where()}, {value.tensor, a.where()}, a.tensor(0));
  write(a.interpreter, a[0], TypedTensor{y, x.type}, a.place);
  return a[0];
}

// x.t_(): the tensor itself becomes the view.
Value by_view(const Arguments& a) {
  const std::string_view name = a.callee.name;
  const Builtin& plain = *find_tensor_function(name.substr(0, name.size() - 1));
  TypedTensor& x = tensor_in(a[0], a.place);
  check_changeable(a.interpreter, x, a.place);
  const Value y = plain.call(Arguments(a.interpreter, plain, a.place, a.all()));
  const TypedTensor& view = *y.as<TypedTensor>();
  x.tensor = view.tensor;
  x.view = view.view;
  return a[0];
}

constexpr std::string_view named[] = {
    "abs_",        "neg_",         "exp_",        "log_",         "sqrt_",           "rsqrt_",       "reciprocal_",
    "square_",     "sin_",         "cos_",        "tanh_",        "sigmoid_",        "relu_",        "silu_",
    "erf_",        "erfinv_",      "floor_",      "ceil_",        "round_",          "trunc_",       "sign_",
    "clamp_",      "clip_",        "clamp_min_",  "clamp_max_",   "lerp_",           "addmm_",       "addcmul_",
    "addcdiv_",    "tril_",        "triu_",       "masked_fill_", "masked_scatter_", "scatter_",     "scatter_add_",
    "index_fill_", "index_add_",   "index_copy_", "index_put_",   "cumsum_",         "logical_not_", "leaky_relu_",
    "fmod_",       "bitwise_not_", "log1p_",      "expm1_",       "log2_",           "elu_",         "hardtanh_",
};
constexpr std::string_view named_views[] = {"t_", "transpose_", "squeeze_", "unsqueeze_", "swapaxes_"};

// Those whose plain function is there, with its parameters.
std::vector<Builtin> made() {
  std::vector<Builtin> all = {
      {"add_", "x, other, alpha=1", updated_by_multiple<Operator::add>, "adds other to x"},
      {"sub_", "x, other, alpha=1", updated_by_multiple<Operator::subtract>, "subtracts other from x"},
      {"mul_", "x, other", updated<Operator::multiply>, "multiplies x by other"},
      {"div_", "x, other, rounding_mode=None", divided, "divides x by other"},
      {"floor_divide_", "x, other", updated<Operator::floor_divide>, "divides x by other, rounded down"},
      {"remainder_", "x, other", updated<Operator::remainder>, "makes x the remainder of a division by other"},
      {"pow_", "x, exponent", updated<Operator::power>, "raises x to a power"},
      {"copy_", "x, src, non_blocking=False", copied, "writes the values of src into x"},
      {"fill_", "x, value", filled_with, "writes one value everywhere into x"},
      {"zero_", "x", zeroed, "writes 0 everywhere into x"},
      {"fill_diagonal_", "x, fill_value, wrap=False", diagonal_filled, "writes one value along the diagonal of x"},
  };
  const auto add = [&](std::string_view name, Value (*call)(const Arguments&)) {
    const Builtin* plain = find_tensor_function(name.substr(0, name.size() - 1));
    if (plain) all.push_back({name, plain->parameters, call, plain->help});
  };
  for (const std::string_view name : named) add(name, by_function);
  for (const std::string_view name : named_views) add(name, by_view);
  return all;
}

}  // namespace

std::span<const Builtin> inplace_methods() {
  static const std::vector<Builtin> all = made();
  return all;
}

}  // namespace unroll::program
