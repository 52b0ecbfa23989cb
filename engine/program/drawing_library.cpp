// Random tensors, by the names of PyTorch, from the stream of the run, which is the same in each: value by value in
// row-major order. Uniform and whole numbers, probabilities and the places of multinomial take one draw each, normal
// numbers two (kernels/random.h).
#include <algorithm>
#include <numeric>

#include "engine/autograd/tape.h"
#include "engine/kernels/random.h"
#include "engine/ops/ops.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/tensor_types.h"

#define DRAWN_OPTIONS \
  "dtype=None, device=None, requires_grad=False, layout=None, pin_memory=False, generator=None, out=None"
#define DRAWN_LIKE_OPTIONS "dtype=None, device=None, requires_grad=False, layout=None, memory_format=None"

namespace unroll::program {
namespace {

// A random number takes as long as several values.
Tensor drawn(const Arguments& a, const Shape& shape, const auto& draw) {
  Tensor y(shape);
  a.interpreter.account().values(16 * y.size(), a.place);
  Random& random = a.interpreter.random();
  std::size_t i = 0;
  for (Scalar& each : y.values()) each = static_cast<Scalar>(draw(random, i++));
  return y;
}

constexpr auto one_normal = [](Random& random, std::size_t) { return random.normal(); };
constexpr auto one_uniform = [](Random& random, std::size_t) { return random.uniform(); };

Value normal_numbers(const Arguments& a) { return made(a, drawn(a, a.shape(0), one_normal), Type::real, 1); }
Value uniform_numbers(const Arguments& a) { return made(a, drawn(a, a.shape(0), one_uniform), Type::real, 1); }
Value normal_numbers_like(const Arguments& a) {
  return made(a, drawn(a, a.typed(0).tensor.shape(), one_normal), Type::real, 1);
}
Value uniform_numbers_like(const Arguments& a) {
  return made(a, drawn(a, a.typed(0).tensor.shape(), one_uniform), Type::real, 1);
}

Tensor whole_numbers_between(const Arguments& a, int low, int high, const Shape& shape, int place_of_high) {
  if (high <= low) a.refuse(place_of_high, "a_number_above_low");
  return drawn(a, shape, [=](Random& random, std::size_t) { return low + random.below(high - low); });
}
// randint(high, size), randint(low, high, size), and both by name.
Value whole_numbers(const Arguments& a) {
  const bool has_high = !a.is_none(1) && !items_of(a[1]);
  const int size = !a.is_none(2) ? 2 : 1;
  if (a.is_none(size) || (has_high && size == 1))
    fail_at(a.place, "operation_needs_value", a.callee.name, a.callee.parameters, std::string_view("size"));
  const int low = has_high && !a.is_none(0) ? a.whole(0) : 0, place_of_high = has_high ? 1 : 0;
  return made(a, whole_numbers_between(a, low, a.whole(place_of_high), a.shape(size), place_of_high), Type::integer, 3);
}
Value whole_numbers_like(const Arguments& a) {
  const int place_of_high = a.is_none(2) ? 1 : 2, low = a.is_none(2) ? 0 : a.whole(1);
  const Shape& shape = a.typed(0).tensor.shape();
  return made(a, whole_numbers_between(a, low, a.whole(place_of_high), shape, place_of_high), a.typed(0).type, 3);
}

// From the last place down, each changes with one at or before it (Durstenfeld 1964).
Value permutation(const Arguments& a) {
  const int n = a.whole(0);
  if (n < 0) a.refuse(0, "a_number_of_at_least_0");
  const Tensor y({n});
  a.interpreter.account().values(16 * y.size(), a.place);
  std::iota(y.data(), y.data() + n, Scalar(0));
  for (int i = n - 1; i > 0; --i) std::swap(y.data()[i], y.data()[a.interpreter.random().below(i + 1)]);
  return made(a, y, Type::integer, 1);
}

// normal(mean, std, size), or with a tensor for the mean, for the deviation, or for both.
Value normal_around(const Arguments& a) {
  const RecordingGuard pause(nullptr);
  const Operand mean = a.tensor(0), deviation = a.tensor(1);
  if (std::ranges::any_of(deviation.values(), [](Scalar each) { return !(each >= 0); }))
    a.refuse(1, "a_number_of_at_least_0");
  const Shape shape = a.is_none(2) ? broadcast("normal", mean.shape(), deviation.shape()) : a.shape(2);
  const Tensor off = multiply(drawn(a, shape, one_normal), forward_operand(deviation));
  return made(a, add(forward_operand(mean), off), Type::real, 3);
}

// 1 with the probability that x has there, or with p everywhere.
Value bernoulli_of(const Arguments& a) {
  require_float(a, 0);
  const Tensor& x = a.typed(0).tensor;
  const double same = a.is_none(1) ? 0 : a.number(1);
  const auto is_probability = [](double p) { return p >= 0 && p <= 1; };
  if (!is_probability(same)) a.refuse(1, "a_probability");
  for (const Scalar each : x.values())
    if (a.is_none(1) && !is_probability(static_cast<double>(each)))
      fail_at(a.place, "probabilities_out_of_range", a.callee.name, each);
  return a.result(drawn(a, x.shape(), [&](Random& random, std::size_t i) {
    return random.uniform() < (a.is_none(1) ? x.data()[i] : static_cast<Scalar>(same)) ? 1 : 0;
  }));
}

// The place at which the sum of the weights first exceeds a share of the whole.
std::size_t place_of_share(std::span<const double> weights, double share) {
  const double wanted = share * std::accumulate(weights.begin(), weights.end(), 0.0);
  double so_far = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i, so_far += weights[i];
    if (so_far > wanted) return i;
  }
  return last;
}

// Places drawn by the weights of each row; without replacement, each place at most once.
Value multinomial_of(const Arguments& a) {
  require_float(a, 0);
  const Tensor& x = a.typed(0).tensor;
  const int count = a.whole(1);
  const bool replaces = a.flag(2);
  if (x.rank() < 1 || x.rank() > 2) a.refuse(0, "a_vector_or_a_matrix");
  const int length = x.shape()[-1];
  if (count < 1 || (!replaces && count > length)) fail_at(a.place, "multinomial_count", length, count);
  const Tensor y(x.shape().with(-1, count));
  const std::size_t rows = x.size() / static_cast<std::size_t>(std::max(length, 1));
  a.interpreter.account().values(2 * x.size() * static_cast<std::size_t>(count) + 16 * y.size(), a.place);
  for (std::size_t row = 0; row < rows; ++row) {
    const Scalar* from = x.data() + row * static_cast<std::size_t>(length);
    std::vector<double> weights(from, from + length);
    for (const double each : weights)
      if (!(each >= 0) || !(each < 1e30)) fail_at(a.place, "weights_out_of_range", a.callee.name, each);
    const auto positive = std::ranges::count_if(weights, [](double each) { return each > 0; });
    if (positive < (replaces ? 1 : count)) fail_at(a.place, "multinomial_lacks_weights", positive, count);
    for (int i = 0; i < count; ++i) {
      const std::size_t place = place_of_share(weights, static_cast<double>(a.interpreter.random().uniform()));
      y.data()[row * static_cast<std::size_t>(count) + static_cast<std::size_t>(i)] = static_cast<Scalar>(place);
      if (!replaces) weights[place] = 0;
    }
  }
  return a.result(y, Type::integer);
}

}  // namespace

std::span<const Builtin> drawing_functions() {
  static constexpr Builtin all[] = {
      {"randn", "*size, " DRAWN_OPTIONS, normal_numbers, "random numbers from a normal distribution"},
      {"rand", "*size, " DRAWN_OPTIONS, uniform_numbers, "random numbers from 0 to 1"},
      {"randn_like", "x, *, " DRAWN_LIKE_OPTIONS, normal_numbers_like, "normal random numbers in the shape of x"},
      {"rand_like", "x, *, " DRAWN_LIKE_OPTIONS, uniform_numbers_like, "random numbers from 0 to 1 in the shape of x"},
      {"randint", "low=None, high=None, size=None, *, " DRAWN_OPTIONS, whole_numbers,
       "random whole numbers from low to below high"},
      {"randint_like", "x, low, high=None, *, " DRAWN_LIKE_OPTIONS, whole_numbers_like,
       "random whole numbers in the shape of x"},
      {"randperm", "n, *, " DRAWN_OPTIONS, permutation, "the numbers 0 to n - 1 in a random order"},
      {"normal", "mean=0.0, std=1.0, size=None, *, " DRAWN_OPTIONS, normal_around,
       "normal random numbers with this mean and standard deviation"},
      {"bernoulli", "x, p=None, *, generator=None, out=None", bernoulli_of,
       "1 with the probability that x says, else 0"},
      {"multinomial", "x, num_samples, replacement=False, *, generator=None, out=None", multinomial_of,
       "places drawn at random by the weights of each row"},
  };
  return all;
}

}  // namespace unroll::program
