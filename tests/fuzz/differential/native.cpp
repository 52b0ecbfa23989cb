// The engine's side of `lab fuzz differential`: reads programs, each a line with a JSON text, and writes for each a
// line with what the engine makes of it and the script that makes the same under PyTorch, or why it refuses it.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/autograd/tape.h"
#include "engine/models/program/program_model.h"
#include "engine/program/dictionary.h"
#include "engine/tensor/error.h"

namespace {

using namespace unroll;
using Json = nlohmann::ordered_json;
using program::Value;

// JSON has no infinite numbers.
Json json_of_number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json data_of(const Tensor& tensor) {
  Json data = Json::array();
  for (const Scalar value : tensor.values()) data.push_back(json_of_number(static_cast<double>(value)));
  return data;
}

std::vector<int> sizes_of(const Tensor& tensor) { return {tensor.shape().begin(), tensor.shape().end()}; }

// Each value with its type, as Python tells 2, 2.0 and True apart: ["int", 2], ["list", […]], ["tensor", "int", …].
Json typed(const Value& value);

Json typed_items(const char* type, const std::vector<Value>& items) {
  Json all = Json::array();
  for (const Value& each : items) all.push_back(typed(each));
  return {type, std::move(all)};
}

Json typed(const Value& value) {
  if (const auto* x = value.as<program::TypedTensor>())
    return {"tensor", name_of(x->type), sizes_of(x->tensor), data_of(x->tensor)};
  if (const bool* truth = value.as<bool>()) return {"bool", *truth};
  if (const auto* whole = value.as<std::int64_t>()) return {"int", *whole};
  if (const double* number = value.as<double>()) return {"float", json_of_number(*number)};
  if (const auto* text = value.as<std::string>()) return {"str", *text};
  if (const std::vector<Value>* items = program::items_of(value))
    return typed_items(value.is<program::List>() ? "list" : value.is<program::Tuple>() ? "tuple" : "range", *items);
  if (const auto* dict = value.as<program::Dict>()) {
    std::vector<Value> both;
    for (const auto& [key, each] : (*dict)->entries()) both.insert(both.end(), {key, each});
    return typed_items("dict", both);
  }
  return {value.is<program::None>() ? "None" : "other"};
}

Json outcome(const std::string& text) {
  ProgramModel model({{"program", text}});
  Json made;
  made["script"] = model.pytorch();
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  const Tensor loss = model.loss();
  backward(loss);
  made["result"] = typed(model.result());
  made["loss"] = data_of(loss)[0];
  const auto add_gradient = [&](const std::string& name) {
    const int at = tape.find(name);
    const Tensor found = at < 0 ? Tensor() : tape.nodes()[static_cast<std::size_t>(at)].gradient;
    made["gradients"][name] = found ? Json({"tensor", "float", sizes_of(found), data_of(found)}) : Json();
  };
  made["gradients"] = Json::object();
  for (const ModelInput& each : model.inputs())
    if (each.takes_gradient) add_gradient(each.name);
  for (const Parameter& each : model.parameters().all()) add_gradient(each.name);
  return made;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto text = Json::parse(line).get<std::string>();
    Json made;
    try {
      made = outcome(text);
    } catch (const Error& error) {
      made = {{"refused", error.what()}};
    }
    std::cout << made.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
}
