#include "tests/conform/case.h"

#include <algorithm>
#include <limits>

#include "engine/autograd/tape.h"

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

Tensor find(const std::map<std::string, Tensor>& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  return found == tensors.end() ? Tensor() : found->second;
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
Tensor Arguments::optional_param(const std::string& name) const { return find(params_, name); }
Tensor Arguments::optional_input(const std::string& name) const { return find(inputs_, name); }

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
