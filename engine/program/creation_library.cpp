// Making tensors, by the names of PyTorch.
#include <algorithm>
#include <cmath>

#include "engine/kernels/random.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

Value full_of(const Arguments& a) {
  const Shape shape = Shape(std::span<const int>(a.integers(0)));
  return a.result(Tensor::full(shape, static_cast<Scalar>(a.number(1))), common_type(a[1], a[1]));
}

template <int value>
Value all_equal(const Arguments& a) {
  return a.result(Tensor::full(a.shape(0), value));
}

template <int value>
Value all_equal_like(const Arguments& a) {
  return a.result(Tensor::full(a.tensor(0).shape(), value), a.typed(0).type);
}

Value identity(const Arguments& a) {
  const int n = a.whole(0);
  Tensor y = Tensor::full({n, n}, 0);
  for (int i = 0; i < n; ++i) y.data()[i * n + i] = 1;
  return a.result(y);
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
  return a.result(y, std::min({common_type(a[0], a[place_of_stop]), common_type(a[2], a[2]), Type::integer}));
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
    if (value.is<TypedTensor>()) fail_at(a.place, "tensor_of_tensors");
    if (!is_number(value)) a.refuse(0, "numbers_in_lists_of_equal_lengths");
    if (depth != shape.size()) refuse_lengths(a, shape);
    type = std::min(type, common_type(value, value));
    return values.push_back(static_cast<Scalar>(number_of(value)));
  }
  if (depth >= Shape::max_rank) fail_at(a.place, "tensor_of_lists_too_deep", Shape::max_rank);
  const int length = static_cast<int>(items->size());
  if (values.empty() && depth == shape.size()) shape.push_back(length);
  if (depth >= shape.size() || shape[depth] != length) refuse_lengths(a, shape);
  a.count_items(items->size());
  for (const Value& each : *items) collect(a, each, depth + 1, shape, values, type);
}

Value tensor_of(const Arguments& a) {
  if (a[0].is<TypedTensor>()) return a.result(detach(a.tensor(0)), a.typed(0).type);  // a copy, without a gradient
  std::vector<int> shape;
  std::vector<Scalar> values;
  Type type = Type::boolean;
  collect(a, a[0], 0, shape, values, type);
  return a.result(Tensor(Shape(std::span<const int>(shape)), std::span<const Scalar>(values)),
                  values.empty() ? Type::real : type);
}

// From a stream that is the same in every run. A random number takes as long as several values.
Value drawn(const Arguments& a, const Shape& shape, Type type, const auto& draw) {
  Tensor y(shape);
  a.interpreter.account().values(16 * y.size(), a.place);
  for (Scalar& each : y.values()) each = static_cast<Scalar>(draw(a.interpreter.random()));
  return a.result(y, type);
}

Value normal_numbers(const Arguments& a) {
  return drawn(a, a.shape(0), Type::real, [](Random& random) { return random.normal(); });
}
Value uniform_numbers(const Arguments& a) {
  return drawn(a, a.shape(0), Type::real, [](Random& random) { return random.uniform(); });
}
Value whole_numbers(const Arguments& a) {
  const int low = a.whole(0), high = a.whole(1);
  if (high <= low) a.refuse(1, "a_number_above_low");
  return drawn(a, a.shape(2), Type::integer, [=](Random& random) { return low + random.below(high - low); });
}

}  // namespace

std::span<const Builtin> creation_functions() {
  static constexpr Builtin all[] = {
      {"tensor", "data", tensor_of, "a tensor of numbers in lists"},
      {"zeros", "*size", all_equal<0>, "a tensor of zeros"},
      {"ones", "*size", all_equal<1>, "a tensor of ones"},
      {"full", "size, fill_value", full_of, "a tensor with one value everywhere"},
      {"zeros_like", "x", all_equal_like<0>, "zeros in the shape of x"},
      {"ones_like", "x", all_equal_like<1>, "ones in the shape of x"},
      {"eye", "n", identity, "the identity matrix"},
      {"arange", "start, end=None, step=1", arange_of, "the numbers of a range"},
      {"randn", "*size", normal_numbers, "random numbers from a normal distribution"},
      {"rand", "*size", uniform_numbers, "random numbers from 0 to 1"},
      {"randint", "low, high, size", whole_numbers, "random whole numbers from low to below high"},
  };
  return all;
}

}  // namespace unroll::program
