// Making tensors of given numbers, by the names of PyTorch.
#include <algorithm>
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/tensor_types.h"

// What every function that makes a tensor takes besides: see made().
#define TENSOR_OPTIONS "dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, out=None"
#define LIKE_OPTIONS "dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, memory_format=None"

namespace unroll::program {
namespace {

// One value everywhere, as the type that is asked for, else as `natural`.
Value filled_with(const Arguments& a, const Shape& shape, double value, Type natural, int options) {
  const Type type = type_given(a, options, natural);
  const double cut = type == Type::real ? value : type == Type::integer ? std::trunc(value) : value != 0 ? 1 : 0;
  return made(a, Tensor::full(shape, static_cast<Scalar>(cut)), type, options);
}

template <int value>
Value all_equal(const Arguments& a) {
  return filled_with(a, a.shape(0), value, Type::real, 1);
}
template <int value>
Value all_equal_like(const Arguments& a) {
  return filled_with(a, a.typed(0).tensor.shape(), value, a.typed(0).type, 1);
}
// x.new_zeros(2, 3), of the type of x.
template <int value>
Value all_equal_as(const Arguments& a) {
  return filled_with(a, a.shape(1), value, a.typed(0).type, 2);
}

double fill_value(const Arguments& a, int i) { return a.number(i); }
Value full_of(const Arguments& a) { return filled_with(a, a.shape(0), fill_value(a, 1), common_type(a[1], a[1]), 2); }
Value full_like(const Arguments& a) {
  return filled_with(a, a.typed(0).tensor.shape(), fill_value(a, 1), a.typed(0).type, 2);
}
Value full_as(const Arguments& a) { return filled_with(a, a.shape(1), fill_value(a, 2), a.typed(0).type, 3); }

Value identity(const Arguments& a) {
  const int rows = a.whole(0), columns = a.is_none(1) ? rows : a.whole(1);
  const Tensor y = Tensor::full({rows, columns}, 0);
  for (int i = 0; i < std::min(rows, columns); ++i) y.data()[i * columns + i] = 1;
  return made(a, y, Type::real, 2);
}

// arange(n) is 0 … n − 1, arange(a, b) is a … b − 1.
Value arange_of(const Arguments& a) {
  const auto [start, stop, step, place_of_stop] = bounds_of(a, &Arguments::number);
  const double count = std::ceil((stop - start) / step);
  if (step > 0 ? stop < start : stop > start)  // the quotient is -0 if the step is inf
    fail_at(a.place, "arange_leads_away", start, stop, step);
  if (!(count <= (1 << 24))) a.refuse(place_of_stop, "a_range_of_at_most_2_to_24_values");
  Tensor y({static_cast<int>(count)});
  for (int i = 0; i < static_cast<int>(count); ++i) y.data()[i] = static_cast<Scalar>(start + i * step);
  return made(a, y, std::min({common_type(a[0], a[place_of_stop]), common_type(a[2], a[2]), Type::integer}), 3);
}

// So many numbers from the start to the end, counted from the nearer of both.
Tensor evenly_spaced(const Arguments& a) {
  const auto start = static_cast<Scalar>(a.number(0)), end = static_cast<Scalar>(a.number(1));
  const int count = a.whole(2);
  if (count < 0) a.refuse(2, "a_number_of_at_least_0");
  const Tensor y({count});
  const Scalar step = count > 1 ? (end - start) / static_cast<Scalar>(count - 1) : 0;
  for (int i = 0; i < count; ++i)
    y.data()[i] = i < count / 2 || count == 1 ? start + step * static_cast<Scalar>(i)
                                              : end - step * static_cast<Scalar>(count - 1 - i);
  return y;
}
Value linspace_of(const Arguments& a) { return made(a, evenly_spaced(a), Type::real, 3); }
Value logspace_of(const Arguments& a) {
  const RecordingGuard pause(nullptr);
  return made(a, power(a.number(3), evenly_spaced(a)), Type::real, 4);
}

// PyTorch leaves out all numbers if a list is empty that gives the tensor its shape.
[[noreturn]] void refuse_lengths(const Arguments& a, const std::vector<int>& shape) {
  if (std::count(shape.begin(), shape.end(), 0)) fail_at(a.place, "tensor_of_some_empty_lists");
  a.refuse(0, "numbers_in_lists_of_equal_lengths");
}

// A tensor of numbers in lists within lists.
void collect(const Arguments& a, const Value& value, std::size_t depth, std::vector<int>& shape,
             std::vector<Scalar>& values, Type& type) {
  const std::vector<Value>* items = items_of(value);
  if (!items) {
    if (const auto* tensor = value.as<TypedTensor>(); tensor && tensor->tensor.rank() > 0)
      fail_at(a.place, "tensor_of_tensors");
    if (!is_number(value) && !value.is<TypedTensor>()) a.refuse(0, "numbers_in_lists_of_equal_lengths");
    if (depth != shape.size()) refuse_lengths(a, shape);
    type = std::min(type, common_type(value, value));
    return values.push_back(operand_of(value, a.place).item());
  }
  if (depth >= Shape::max_rank) fail_at(a.place, "tensor_of_lists_too_deep", Shape::max_rank);
  const int length = static_cast<int>(items->size());
  if (values.empty() && depth == shape.size()) shape.push_back(length);
  if (depth >= shape.size() || shape[depth] != length) refuse_lengths(a, shape);
  a.count_items(items->size());
  for (const Value& each : *items) collect(a, each, depth + 1, shape, values, type);
}

// Of the numbers in argument `data`.
Value tensor_of_data(const Arguments& a, int data, int options) {
  std::vector<int> shape;
  std::vector<Scalar> values;
  Type type = Type::boolean;
  collect(a, a[data], 0, shape, values, type);
  return made(a, Tensor(Shape(std::span<const int>(shape)), std::span<const Scalar>(values)),
              values.empty() ? Type::real : type, options);
}

// Of a tensor a copy, without a gradient.
Value tensor_of(const Arguments& a) {
  return a[0].is<TypedTensor>() ? made(a, detach(a.tensor(0)), a.typed(0).type, 1) : tensor_of_data(a, 0, 1);
}
Value as_tensor(const Arguments& a) {
  return a[0].is<TypedTensor>() ? as_type(a, a[0], type_given(a, 1, a.typed(0).type)) : tensor_of_data(a, 0, 1);
}
Value new_tensor(const Arguments& a) {
  if (a[1].is<TypedTensor>()) return made(a, detach(a.tensor(1)), a.typed(1).type, 2);
  const Value made_of_data = tensor_of_data(a, 1, 2);
  return a.is_none(2) ? as_type(a, made_of_data, a.typed(0).type) : made_of_data;
}

// The rows and the columns of a triangle of a matrix, row by row: (2, n).
template <bool is_lower>
Value indices_of_triangle(const Arguments& a) {
  const int rows = a.whole(0), columns = a.whole(1), diagonal = a.whole(2);
  if (rows < 0 || columns < 0) a.refuse(rows < 0 ? 0 : 1, "a_number_of_at_least_0");
  a.interpreter.account().values({rows, columns}, a.place);
  const auto is_inside = [=](int i, int j) { return is_lower ? j - i <= diagonal : j - i >= diagonal; };
  int count = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) count += is_inside(i, j);
  const Tensor y({2, count});
  Scalar *row = y.data(), *column = row + count;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      if (is_inside(i, j)) *row++ = static_cast<Scalar>(i), *column++ = static_cast<Scalar>(j);
  return made(a, y, Type::integer, 3);
}

}  // namespace

std::span<const Builtin> creation_functions() {
  static constexpr Builtin all[] = {
      {"tensor", "data, *, " TENSOR_OPTIONS, tensor_of, "a tensor of numbers in lists"},
      {"as_tensor", "data, " TENSOR_OPTIONS, as_tensor, "a tensor of numbers in lists, or the tensor itself"},
      {"asarray", "data, *, " TENSOR_OPTIONS, as_tensor, "a tensor of numbers in lists, or the tensor itself"},
      {"zeros", "*size, " TENSOR_OPTIONS, all_equal<0>, "a tensor of zeros"},
      {"ones", "*size, " TENSOR_OPTIONS, all_equal<1>, "a tensor of ones"},
      {"empty", "*size, " TENSOR_OPTIONS, all_equal<0>, "a tensor whose values do not matter: zeros here"},
      {"full", "size, fill_value, *, " TENSOR_OPTIONS, full_of, "a tensor with one value everywhere"},
      {"zeros_like", "x, *, " LIKE_OPTIONS, all_equal_like<0>, "zeros in the shape of x"},
      {"ones_like", "x, *, " LIKE_OPTIONS, all_equal_like<1>, "ones in the shape of x"},
      {"empty_like", "x, *, " LIKE_OPTIONS, all_equal_like<0>, "a tensor in the shape of x: zeros here"},
      {"full_like", "x, fill_value, *, " LIKE_OPTIONS, full_like, "one value in the shape of x"},
      {"eye", "n, m=None, *, " TENSOR_OPTIONS, identity, "the identity matrix"},
      {"arange", "start, end=None, step=1, *, " TENSOR_OPTIONS, arange_of, "the numbers of a range"},
      {"linspace", "start, end, steps, *, " TENSOR_OPTIONS, linspace_of, "so many numbers from start to end"},
      {"logspace", "start, end, steps, base=10.0, *, " TENSOR_OPTIONS, logspace_of,
       "powers of a base, whose exponents go from start to end"},
      {"tril_indices", "row, col, offset=0, *, " TENSOR_OPTIONS, indices_of_triangle<true>,
       "the rows and columns on and below the diagonal"},
      {"triu_indices", "row, col, offset=0, *, " TENSOR_OPTIONS, indices_of_triangle<false>,
       "the rows and columns on and above the diagonal"},
  };
  return all;
}

std::span<const Builtin> creation_methods() {
  static constexpr Builtin all[] = {
      {"new_zeros", "x, *size, " TENSOR_OPTIONS, all_equal_as<0>, "a tensor of zeros, of the type of x"},
      {"new_ones", "x, *size, " TENSOR_OPTIONS, all_equal_as<1>, "a tensor of ones, of the type of x"},
      {"new_empty", "x, *size, " TENSOR_OPTIONS, all_equal_as<0>, "a tensor of the type of x: zeros here"},
      {"new_full", "x, size, fill_value, *, " TENSOR_OPTIONS, full_as, "one value everywhere, of the type of x"},
      {"new_tensor", "x, data, *, " TENSOR_OPTIONS, new_tensor, "a tensor of numbers in lists"},
  };
  return all;
}

}  // namespace unroll::program
