#include "tests/conform/case.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll::conform {
namespace {

double read_number(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (!value.is_string()) return value.get<double>();
  const std::string text = value.get<std::string>();
  if (text == "nan" || text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf" || text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-inf" || text == "-Infinity") return -std::numeric_limits<double>::infinity();
  throw std::runtime_error("\"" + text + "\" is not a number");
}

std::map<std::string, Tensor> read_tensors(const Json& test, const char* group) {
  std::map<std::string, Tensor> tensors;
  for (const auto& [name, value] : part_of(test, group).items()) tensors.emplace(name, read_tensor(value));
  return tensors;
}

const Tensor& require(const std::map<std::string, Tensor>& tensors, const char* group, const std::string& name) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw std::runtime_error(std::string("it has no ") + group + " \"" + name + '"');
  return found->second;
}

}  // namespace

const Json& part_of(const Json& object, const std::string& name) {
  static const Json nothing = Json::object();
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nothing : *found;
}

std::vector<double> read_values(const Json& value) {
  const Json& data = value.is_object() ? value.at("data") : value;
  if (!data.is_array()) return {read_number(data)};
  std::vector<double> values;
  for (const Json& each : data) values.push_back(read_number(each));
  return values;
}

Tensor read_tensor(const Json& value) {
  const std::vector<double> values = read_values(value);
  const std::vector<int> sizes = value.is_object() ? value.at("shape").get<std::vector<int>>() : std::vector<int>();
  return Tensor(Shape(std::span<const int>(sizes)), std::vector<Scalar>(values.begin(), values.end()));
}

bool is_tensor_of(const Json& value, std::string_view dtype_prefix) {
  return value.is_object() && value.value("dtype", "").starts_with(dtype_prefix);
}

Arguments::Arguments(const Json& test)
    : config_(part_of(test, "config")), params_(read_tensors(test, "params")), inputs_(read_tensors(test, "inputs")) {
  for (const auto& [name, tensor] : inputs_)
    if (is_tensor_of(test.at("inputs").at(name), "float")) real_inputs_.push_back(name);
}

const Tensor& Arguments::param(const std::string& name) const { return require(params_, "parameter", name); }
const Tensor& Arguments::input(const std::string& name) const { return require(inputs_, "input", name); }
Tensor Arguments::optional_param(const std::string& name) const { return param_or(name, {}); }
Tensor Arguments::optional_input(const std::string& name) const { return input_or(name, {}); }

Tensor Arguments::param_or(const std::string& name, const Tensor& otherwise) const {
  return params_.contains(name) ? param(name) : otherwise;
}
Tensor Arguments::input_or(const std::string& name, const Tensor& otherwise) const {
  return inputs_.contains(name) ? input(name) : otherwise;
}

Tensor Arguments::optional_param_ending(const std::string& ending) const {
  for (const auto& [name, tensor] : params_)
    if (name == ending || name.ends_with("." + ending)) return tensor;
  return {};
}

Tensor Arguments::param_ending(const std::string& ending) const {
  const Tensor found = optional_param_ending(ending);
  return found ? found : param(ending);
}

bool Arguments::is_real(const std::string& name) const {
  return std::ranges::find(real_inputs_, name) != real_inputs_.end();
}

void Arguments::record() const {
  for (const auto& [name, tensor] : params_) unroll::input(name, tensor, Role::parameter);
  for (const std::string& name : real_inputs_) unroll::input("inputs." + name, inputs_.at(name), Role::parameter);
}

// ── Comparing the engine's numbers with the expected ones ────────────────────────────────────────────────────────────

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

// ── Kinds of cases ───────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

std::map<std::string, Check>& checks() {
  static std::map<std::string, Check> all;
  return all;
}

}  // namespace

Kind::Kind(const char* name, Check check) { checks()[name] = std::move(check); }

void run_case(const Json& test, Findings& findings) {
  if (!test.is_object() || (!test.contains("op") && !test.contains("op_type")))
    throw std::runtime_error("it names no operation: a case has \"op\" or \"op_type\"");
  const std::string kind = test.value("op", test.value("op_type", ""));
  const auto check = checks().find(kind);
  if (check == checks().end()) throw Skip(kind + ": the engine has no such operation yet");
  check->second(test, findings);
}

}  // namespace unroll::conform
