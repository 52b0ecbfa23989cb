// Methods that fill a tensor with random numbers: one draw for each value, row by row, from the stream of the run.
#include <cmath>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/program/library.h"
#include "engine/program/mutation.h"

namespace unroll::program {
namespace {

// A random number takes as long as several values.
Value drawn(const Arguments& a, const auto& draw) {
  const TypedTensor& x = a.typed(0);
  Tensor y(x.tensor.shape());
  a.interpreter.account().values(16 * y.size(), a.place);
  Random& random = a.interpreter.random();
  std::size_t i = 0;
  for (Scalar& each : y.values()) each = static_cast<Scalar>(draw(random, i++));
  write(a.interpreter, a[0], TypedTensor{y, x.type}, a.place);
  return a[0];
}

Value uniform(const Arguments& a) {
  require_float(a, 0);
  const double low = a.number(1), high = a.number(2);
  if (!(low <= high)) a.refuse(2, "a_number_of_at_least_from");
  return drawn(a, [&](Random& random, std::size_t) {
    return random.uniform(static_cast<Scalar>(low), static_cast<Scalar>(high));
  });
}

Value normal(const Arguments& a) {
  require_float(a, 0);
  const auto mean = static_cast<Scalar>(a.number(1)), deviation = static_cast<Scalar>(a.number(2));
  if (!(deviation >= 0)) a.refuse(2, "a_number_of_at_least_0");
  return drawn(a, [&](Random& random, std::size_t) { return mean + deviation * random.normal(); });
}

// 1 with this probability, or with one of its own for each value.
Value bernoulli(const Arguments& a) {
  const auto* each = a[1].as<TypedTensor>();
  if (each && each->tensor.shape() != a.typed(0).tensor.shape()) a.refuse(1, "a_tensor_of_the_same_sizes");
  const double same = each ? 0 : a.number(1);
  if (!each && !(same >= 0 && same <= 1)) a.refuse(1, "a_probability");
  return drawn(a, [&](Random& random, std::size_t i) {
    const double p = each ? static_cast<double>(each->tensor.data()[i]) : same;
    return static_cast<double>(random.uniform()) < p ? 1 : 0;
  });
}

// −log(1 − u) / λ
Value exponential(const Arguments& a) {
  require_float(a, 0);
  const double rate = a.number(1);
  if (!(rate > 0)) a.refuse(1, "a_number_above_0");
  Tensor u(a.typed(0).tensor.shape());
  a.interpreter.account().values(16 * u.size(), a.place);
  for (Scalar& each : u.values()) each = a.interpreter.random().uniform();
  const RecordingGuard pause(nullptr);
  const Tensor logarithm = log(1 - u);
  write(a.interpreter, a[0], TypedTensor{logarithm / -rate, Type::real}, a.place);
  return a[0];
}

Value random_whole_numbers(const Arguments& a) {
  const bool has_one = a.is_none(2);
  const int low = has_one ? 0 : a.whole(1), high = a.whole(has_one ? 1 : 2);
  if (high <= low) a.refuse(has_one ? 1 : 2, "a_number_above_low");
  return drawn(a, [&](Random& random, std::size_t) { return low + random.below(high - low); });
}

}  // namespace

std::span<const Builtin> random_methods() {
  static constexpr Builtin all[] = {
      {"uniform_", "x, from=0.0, to=1.0", uniform, "fills x with random numbers of a range"},
      {"normal_", "x, mean=0.0, std=1.0", normal, "fills x with random numbers from a normal distribution"},
      {"bernoulli_", "x, p=0.5", bernoulli, "fills x with 1 and 0, 1 with this probability"},
      {"exponential_", "x, lambd=1.0", exponential, "fills x with random numbers from an exponential distribution"},
      {"random_", "x, from, to=None", random_whole_numbers, "fills x with random whole numbers"},
  };
  return all;
}

}  // namespace unroll::program
