// The package random, whose numbers come from the run's own generator: the same in every run.
#include <algorithm>
#include <cmath>

#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"
#include "engine/program/packages.h"

namespace unroll::program {
namespace {

// From 0 to below 1, a multiple of 2⁻⁵³.
double uniform_double(const Arguments& a) {
  Random& random = a.interpreter.random();
  const double high = random.bits() >> 5, low = random.bits() >> 6;
  return (high * 67108864 + low) / 9007199254740992;
}

int below(const Arguments& a, std::size_t count) { return a.interpreter.random().below(static_cast<int>(count)); }

Value random_number(const Arguments& a) { return uniform_double(a); }

Value random_between(const Arguments& a) {
  const double low = a.only_number(0), high = a.only_number(1);
  return low + (high - low) * uniform_double(a);
}

Value random_normal(const Arguments& a) {
  return a.only_number(0) + a.only_number(1) * static_cast<double>(a.interpreter.random().normal());
}

// From low to high, both included.
Value random_whole(const Arguments& a) {
  const int low = a.index(0), high = a.index(1);
  if (high < low) a.refuse(1, "a_number_of_at_least_low");
  return std::int64_t{low} + below(a, static_cast<std::size_t>(high - low) + 1);
}

Value random_of_range(const Arguments& a) {
  const Bounds bounds = bounds_of(a, &Arguments::index);
  const std::int64_t span = std::int64_t{bounds.stop} - bounds.start, step = bounds.step;
  const std::int64_t count = (span + step + (step > 0 ? -1 : 1)) / step;
  if (count <= 0) a.refuse(bounds.place_of_stop, "a_number_above_start");
  return bounds.start + step * below(a, static_cast<std::size_t>(count));
}

std::vector<Value> population(const Arguments& a) {
  std::vector<Value> all = a.interpreter.items(a[0], a.place);
  if (all.empty()) a.interpreter.raise("IndexError", "Cannot choose from an empty sequence", a.place);
  return all;
}

Value random_choice(const Arguments& a) {
  const std::vector<Value> all = population(a);
  return all[static_cast<std::size_t>(below(a, all.size()))];
}

// With repetition, and with weights if there are any.
Value random_choices(const Arguments& a) {
  const std::vector<Value> all = population(a);
  std::vector<double> sums(all.size(), 1);
  if (!a.is_none(1)) {
    const std::vector<Value> weights = a.interpreter.items(a[1], a.place);
    if (weights.size() != all.size() || !std::ranges::all_of(weights, is_number)) a.refuse(1, "a_number_for_each");
    std::ranges::transform(weights, sums.begin(), number_of);
  }
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  std::vector<Value> chosen;
  a.count_items(static_cast<std::size_t>(std::max(a.index(2), 0)));
  for (int i = 0; i < a.index(2); ++i) {
    const double at = uniform_double(a) * sums.back();
    const auto found = std::ranges::upper_bound(sums, at);
    chosen.push_back(all[static_cast<std::size_t>(std::min(found - sums.begin(), std::ssize(sums) - 1))]);
  }
  return list_of(std::move(chosen));
}

void shuffle_all(const Arguments& a, std::vector<Value>& all) {
  for (std::size_t left = all.size(); left > 1; --left)
    std::swap(all[left - 1], all[static_cast<std::size_t>(below(a, left))]);
}

Value shuffle(const Arguments& a) {
  const auto* list = a[0].as<List>();
  if (!list) a.refuse(0, "a_list");
  std::vector<Value> all = (*list)->all();
  a.count_items(all.size());
  shuffle_all(a, all);
  (*list)->replace_all(std::move(all));
  return None{};
}

Value random_sample(const Arguments& a) {
  std::vector<Value> all = a.interpreter.items(a[0], a.place);
  const int count = a.index(1);
  if (count < 0 || static_cast<std::size_t>(count) > all.size())
    a.interpreter.raise("ValueError", "Sample larger than population or is negative", a.place);
  shuffle_all(a, all);
  all.resize(static_cast<std::size_t>(count));
  return list_of(std::move(all));
}

// The lab chooses the seed, so that a run can be repeated.
Value keep_seed(const Arguments&) { return None{}; }

}  // namespace

std::span<const Builtin> random_functions() {
  static constexpr Builtin all[] = {
      {"random", "", random_number, "a random number from 0 to below 1"},
      {"uniform", "a, b", random_between, "a random number from a to b"},
      {"gauss", "mu=0.0, sigma=1.0", random_normal, "a random number from a normal distribution"},
      {"normalvariate", "mu=0.0, sigma=1.0", random_normal, "a random number from a normal distribution"},
      {"randint", "a, b", random_whole, "a random whole number from a to b"},
      {"randrange", "start, stop=None, step=1", random_of_range, "a random number of a range"},
      {"choice", "items", random_choice, "one of the items"},
      {"choices", "items, weights=None, k=1", random_choices, "k of the items, which may repeat"},
      {"sample", "items, k", random_sample, "k different items"},
      {"shuffle", "list", shuffle, "puts a list in a random order"},
      {"seed", "*seed", keep_seed, "does nothing: random numbers are the same in every run"},
  };
  return all;
}

}  // namespace unroll::program
