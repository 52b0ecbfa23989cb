// Comparing the engine's numbers with the expected ones.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "engine/tensor/error.h"
#include "tests/conform/case.h"

namespace unroll::conform {
namespace {

// The error of a value in multiples of its tolerance; NaN matches only NaN.
double excess(double actual, double expected, const Tolerance& tolerance) {
  if (std::isnan(expected)) return std::isnan(actual) ? 0 : HUGE_VAL;
  if (actual == expected) return 0;
  const double away = std::abs(actual - expected) / tolerance(expected);
  return std::isnan(away) ? HUGE_VAL : away;
}

std::string place(const Shape& shape, std::size_t flat) {
  std::string text;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    text = std::to_string(flat % size) + (text.empty() ? "" : ", ") + text;
    flat /= size;
  }
  return text.empty() ? "" : "[" + text + "]";
}

void report(const std::string& what, double actual, double expected, const Tolerance& tolerance, Findings& findings) {
  std::ostringstream text;
  text.precision(9);
  text << what << " is " << actual << ", expected " << expected << " ± " << tolerance(expected);
  findings.push_back(text.str());
}

}  // namespace

Tolerance absolute(double atol) {
  return [atol](double) { return atol; };
}

Tolerance of_float32(double float32_error) {
  return [=](double value) { return std::max(10 * float32_error, 1e-6 * (1 + std::abs(value))); };
}

Tolerance stated_tolerance(const Json& test, const std::string& group, const std::string& name) {
  if (test.contains("atol")) return absolute(test.at("atol").get<double>());
  if (test.contains("op_type")) return [](double value) { return 1e-7 + 1e-3 * std::abs(value); };
  const Json& group_errors = part_of(part_of(test, "f32_err"), group);
  return of_float32(group_errors.is_number() ? group_errors.get<double>() : group_errors.value(name, 0.0));
}

void compare(const std::string& name, double actual, double expected, const Tolerance& tolerance, Findings& findings) {
  if (!(excess(actual, expected, tolerance) <= 1)) report(name, actual, expected, tolerance, findings);
}

void compare(const std::string& name, const Tensor& actual, const Json& expected, const Tolerance& tolerance,
             Findings& findings) {
  const Tensor shape_of_expected = read_tensor(expected);
  if (actual.shape() != shape_of_expected.shape()) {
    findings.push_back(name + " has the shape " + text_of(actual.shape()) + ", expected " +
                       text_of(shape_of_expected.shape()));
    return;
  }
  const std::vector<double> values = read_values(expected);
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double each = excess(static_cast<double>(actual.data()[i]), values[i], tolerance);
    if (each > largest) largest = each, worst = i;
  }
  if (!(largest <= 1))
    report(name + place(actual.shape(), worst), static_cast<double>(actual.data()[worst]), values[worst], tolerance,
           findings);
}

void compare_outputs(const Json& test, const Results& results, Findings& findings) {
  for (const auto& [name, expected] : test.at("outputs").items()) {
    const auto result = results.find(name);
    if (result == results.end())
      findings.push_back("output \"" + name + "\" is not computed");
    else
      compare(name, result->second, expected, stated_tolerance(test, "outputs", name), findings);
  }
}

}  // namespace unroll::conform
