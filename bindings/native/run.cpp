// `lab run`: runs a program of the learner's language on given tensors and writes its results, loss and gradients.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "bindings/native/file.h"
#include "bindings/native/program_file.h"
#include "engine/autograd/tape.h"
#include "engine/models/program/first_nan.h"
#include "engine/models/program/fitting.h"
#include "engine/models/program/program_model.h"
#include "engine/tensor/error.h"

namespace {

using namespace unroll;
using Json = nlohmann::ordered_json;
using program::TypedTensor;
using program::Value;

struct Options {
  std::string file, inputs, json, pytorch;
};

[[noreturn]] void refuse(const std::string& message) {
  std::fprintf(stderr, "lab run: %s\n", message.c_str());
  std::exit(1);
}

Options parse(int count, char** arguments) {
  if (count < 2) refuse("name the file of a program: ./lab run FILE.py");
  Options options{arguments[1], {}, {}, {}};
  const std::map<std::string, std::string*> fields = {
      {"--inputs", &options.inputs}, {"--json", &options.json}, {"--pytorch", &options.pytorch}};
  for (int i = 2; i < count; i += 2) {
    const auto field = fields.find(arguments[i]);
    if (field == fields.end())
      refuse("there is no option \"" + std::string(arguments[i]) + "\": use --inputs, --json or --pytorch");
    if (i + 1 == count) refuse(field->first + " needs the name of a file");
    *field->second = arguments[i + 1];
  }
  return options;
}

std::string contents(const std::string& path) {
  if (std::optional<std::string> text = contents_of(path)) return *std::move(text);
  refuse("there is no file " + path + " that can be read");
}

constexpr char wanted_values[] = R"(use a list of numbers such as [[1, 2], [3, 4]], or {"shape": […], "data": […]})";

// Infinity is "inf" or "-inf", since JSON has no infinite numbers.
Scalar number_of(const std::string& name, const Json& json) {
  if (json.is_number()) return static_cast<Scalar>(json.get<double>());
  if (json.is_boolean()) return static_cast<Scalar>(json.get<bool>());
  if (json == "inf" || json == "-inf") return static_cast<Scalar>(json == "inf" ? HUGE_VAL : -HUGE_VAL);
  refuse(name + " has " + json.dump().substr(0, 60) + " among its data: use numbers");
}

TypedTensor tensor_of(const std::vector<int>& shape, const std::vector<Scalar>& values, program::Type type) {
  TypedTensor tensor{Tensor(Shape(std::span<const int>(shape)), std::span<const Scalar>(values))};
  tensor.type = type;
  tensor.is_given = true;
  return tensor;
}

// {"shape": [2, 3], "data": [1, 2, 3, 4, 5, 6], "type": "int"}: without a type, float.
TypedTensor tensor_of_object(const std::string& name, const Json& json) {
  std::vector<int> shape;
  for (const Json& size : json.at("shape")) {
    if (!size.is_number_integer()) refuse(name + " has the shape " + json.at("shape").dump() + ": use whole numbers");
    shape.push_back(size.get<int>());
  }
  std::vector<Scalar> values;
  for (const Json& value : json.at("data")) values.push_back(number_of(name, value));
  const std::string type = json.value("type", "float");
  if (type != "float" && type != "int" && type != "bool")
    refuse(name + " has the type " + type + ": use float, int or bool");
  return tensor_of(shape, values,
                   type == "float" ? program::Type::real
                   : type == "int" ? program::Type::integer
                                   : program::Type::boolean);
}

// Lists within lists, of equal lengths: [[1, 2], [3, 4]].
struct NestedList {
  std::vector<int> shape;
  std::vector<Scalar> values;
  bool is_whole = true, is_truth = true;
};

void read_list(const std::string& name, const Json& json, std::size_t depth, NestedList& list) {
  if (!json.is_array()) {
    if (depth < list.shape.size()) refuse(name + " has lists and numbers side by side: use lists of equal lengths");
    list.is_whole = list.is_whole && json.is_number_integer();
    list.is_truth = list.is_truth && json.is_boolean();
    list.values.push_back(number_of(name, json));
    return;
  }
  const int size = static_cast<int>(json.size());
  if (depth == list.shape.size() && list.values.empty()) list.shape.push_back(size);
  if (depth >= list.shape.size() || list.shape[depth] != size)
    refuse(name + " has lists of different lengths: use equal ones");
  for (const Json& each : json) read_list(name, each, depth + 1, list);
}

// Whole numbers make an int tensor, such as ids, and one decimal point a float one.
TypedTensor tensor_of_list(const std::string& name, const Json& json) {
  NestedList list;
  read_list(name, json, 0, list);
  return tensor_of(list.shape, list.values,
                   list.values.empty() ? program::Type::real
                   : list.is_truth     ? program::Type::boolean
                   : list.is_whole     ? program::Type::integer
                                       : program::Type::real);
}

Value value_of(const std::string& name, const Json& json) {
  if (json.is_object() && json.contains("shape") && json.contains("data")) return tensor_of_object(name, json);
  if (json.is_array()) return tensor_of_list(name, json);
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_null()) return program::None{};
  refuse(name + " is " + json.dump().substr(0, 60) + ": " + wanted_values);
}

using Values = LearnerProgram::Values;

Values inputs_of(const std::string& path) {
  Values values;
  if (path.empty()) return values;
  const Json json = Json::parse(contents(path), nullptr, false);
  if (!json.is_object())
    refuse(path + R"( is not JSON of the form {"name": [[1, 2], [3, 4]]} or {"name": {"shape": […], "data": […]}})");
  for (const auto& [name, value] : json.items()) values[name] = value_of(name, value);
  return values;
}

// JSON has no infinite numbers.
template <typename Number>
Json json_of_number(Number value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json json_of(const Tensor& tensor) {
  Json data = Json::array();
  for (const Scalar value : tensor.values()) data.push_back(json_of_number(value));
  return {{"shape", std::vector<int>(tensor.shape().begin(), tensor.shape().end())}, {"data", std::move(data)}};
}

Json json_of(const Value& value) {
  if (const auto* tensor = value.as<TypedTensor>()) return json_of(tensor->tensor);
  if (program::is_whole(value)) return program::whole_of(value);
  if (program::is_number(value)) return json_of_number(program::number_of(value));
  if (const auto* text = value.as<std::string>()) return *text;
  Json all = Json::array();
  if (const std::vector<Value>* items = program::items_of(value))
    for (const Value& each : *items) all.push_back(json_of(each));
  return all;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  if (!(file << text)) refuse("the file " + path + " cannot be written");
}

// Which operation made the loss or a gradient infinite, or a gradient NaN.
void warn_of_infinity(const Tape& tape, const Tensor& loss, const std::string& file) {
  const std::optional<NotFinite> found = first_not_finite(tape, loss);
  if (!found) return;
  const Error error(ErrorCode::diverged, found->message, found->place);
  std::fprintf(stderr, "%s: %s\n", file.c_str(), error.what());
}

Json run(const Options& options) {
  const Config config{{"program", program_of_file(contents(options.file), options.file)}};
  const auto made = make_fitting(
      config, [&](const Config& each) { return std::make_unique<ProgramModel>(each, inputs_of(options.inputs)); });
  ProgramModel& model = *made;
  if (!options.pytorch.empty()) write(options.pytorch, model.pytorch());
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  const Tensor loss = model.loss();
  backward(loss);
  warn_of_infinity(tape, loss, options.file);
  Json report;
  report["result"] = json_of(model.result());
  report["loss"] = json_of(loss)["data"][0];
  const auto gradient_of = [&](const std::string& name) {
    const Tensor& found = tape.nodes()[static_cast<std::size_t>(tape.find(name))].gradient;
    report["gradients"][name] = found ? json_of(found) : Json();
  };
  for (const ModelInput& each : model.inputs())
    if (each.takes_gradient) gradient_of(each.name);
  for (const Parameter& each : model.parameters().all()) {
    report["parameters"][each.name] = json_of(each.value);
    gradient_of(each.name);
  }
  return report;
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  try {
    const std::string report = run(options).dump(1) + "\n";
    if (options.json.empty()) return std::fputs(report.c_str(), stdout) < 0;
    write(options.json, report);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", options.file.c_str(), error.what());
    return 1;
  } catch (const nlohmann::json::exception&) {
    refuse(options.inputs +
           R"( is not JSON of the form {"name": [[1, 2], [3, 4]]} or {"name": {"shape": […], "data": […]}})");
  }
}
