#include "bindings/convert.h"

#include <climits>
#include <cmath>

#include "engine/tensor/error.h"

namespace unroll {

using emscripten::val;

namespace {

constexpr double max_list_length = 1 << 20;

[[noreturn]] void reject(ErrorCode code, const MessagePart& name, const val& value, const char* wanted) {
  const std::string type = value.typeOf().as<std::string>();
  const MessagePart kind = value.isNull() ? "null" : value.isArray() ? "a list" : MessagePart(type);
  fail(code, name, " is ", kind, ": use ", wanted, ".");
}

bool is_object(const val& value) {
  return !value.isNull() && !value.isArray() && value.typeOf().as<std::string>() == "object";
}

unsigned length_of(ErrorCode code, const MessagePart& name, const val& list) {
  const bool readable = !list.isUndefined() && !list.isNull();
  const val length = readable ? list["length"] : list;
  if (!length.isNumber()) reject(code, name, list, "a list");
  const double count = length.as<double>();
  if (!(count >= 0 && count <= max_list_length))
    fail(code, name, " has ", count, " values: use ", max_list_length, " or fewer.");
  return static_cast<unsigned>(count);
}

std::vector<double> to_numbers(ErrorCode code, const MessagePart& name, const val& list) {
  if (!list.isArray()) reject(code, name, list, "a list of numbers");
  std::vector<double> numbers(length_of(code, name, list));
  for (unsigned i = 0; i < numbers.size(); ++i) {
    const val each = list[i];
    if (!each.isNumber()) reject(code, phrase(name, " at position ", i), each, "a number");
    numbers[i] = each.as<double>();
  }
  return numbers;
}

Config::Value to_value(const std::string& name, const val& value) {
  if (value.isNumber()) return value.as<double>();
  if (value.isTrue() || value.isFalse()) return value.isTrue();
  if (value.isArray()) return to_numbers(ErrorCode::config, name, value);
  if (value.isString()) return value.as<std::string>();
  reject(ErrorCode::config, name, value, "a number, text, true or false, or a list of numbers");
}

int as_whole(ErrorCode code, const MessagePart& name, double number) {
  if (!(std::abs(number) <= INT_MAX) || number != std::floor(number))
    fail(code, name, " is ", number, ": use a whole number.");
  return static_cast<int>(number);
}

NamedTensor to_named_tensor(const val& each) {
  if (!is_object(each)) reject(ErrorCode::input, "An input", each, "{name, shape, values}");
  if (!each["name"].isString()) reject(ErrorCode::input, "The name of an input", each["name"], "text");
  NamedTensor tensor{each["name"].as<std::string>(), {}, {}};
  for (double size : to_numbers(ErrorCode::shape, phrase("The shape of ", tensor.name), each["shape"]))
    tensor.shape.push_back(as_whole(ErrorCode::shape, phrase("A size of ", tensor.name), size));
  length_of(ErrorCode::input, tensor.name, each["values"]);
  tensor.values = emscripten::convertJSArrayToNumberVector<float>(each["values"]);
  return tensor;
}

}  // namespace

std::string to_text(const char* name, const val& value) {
  if (!value.isString()) reject(ErrorCode::input, FieldName{name}, value, "text");
  return value.as<std::string>();
}

double to_number(const char* name, const val& value) {
  if (!value.isNumber()) reject(ErrorCode::input, FieldName{name}, value, "a number");
  return value.as<double>();
}

int to_whole_number(const char* name, const val& value) {
  return as_whole(ErrorCode::input, FieldName{name}, to_number(name, value));
}

Config to_config(const ConfigObject& object) {
  if (!is_object(object)) reject(ErrorCode::config, "The config", object, "an object such as {kind: \"softmax\"}");
  Config config;
  const val keys = val::global("Object").call<val>("keys", object);
  for (unsigned i = 0; i < length_of(ErrorCode::config, "The config", keys); ++i) {
    const std::string key = keys[i].as<std::string>();
    config.set(key, to_value(key, object[key]));
  }
  return config;
}

val to_js(const Config& config) {
  val object = val::object();
  for (const auto& [name, value] : config.fields())
    object.set(name, std::visit([](const auto& each) { return to_js(each); }, value));
  return object;
}

val to_js(const TraceColumns& columns) {
  val object = val::object();
  object.set(
      "numbers",
      val::global("Int32Array").new_(emscripten::typed_memory_view(columns.numbers.size(), columns.numbers.data())));
  object.set("texts", columns.texts);
  return object;
}

std::vector<NamedTensor> to_named_tensors(const NamedTensorList& list) {
  if (!list.isArray()) reject(ErrorCode::input, "The argument of run", list, "a list of inputs");
  std::vector<NamedTensor> tensors;
  for (unsigned i = 0; i < length_of(ErrorCode::input, "The argument of run", list); ++i)
    tensors.push_back(to_named_tensor(list[i]));
  return tensors;
}

std::vector<ValueEdit> to_edits(const EditList& list) {
  if (!list.isArray()) reject(ErrorCode::input, "The argument of setEdits", list, "a list of edits");
  std::vector<ValueEdit> edits;
  for (unsigned i = 0; i < length_of(ErrorCode::input, "The argument of setEdits", list); ++i) {
    const val each = list[i];
    if (!is_object(each)) reject(ErrorCode::input, "An edit", each, "{name, index, value}");
    edits.push_back({to_text("name", each["name"]), to_whole_number("index", each["index"]),
                     static_cast<float>(to_number("value", each["value"]))});
  }
  return edits;
}

std::vector<std::uint8_t> to_bytes(const ByteArray& bytes) {
  if (!bytes.instanceof (val::global("Uint8Array"))) reject(ErrorCode::format, "The checkpoint", bytes, "a Uint8Array");
  return emscripten::convertJSArrayToNumberVector<std::uint8_t>(bytes);
}

void register_array_types() {
  emscripten::register_type<ConfigObject>("Record<string, number | boolean | string | number[]>");
  emscripten::register_type<NamedTensorList>("{ name: string, shape: number[], values: Float32Array | number[] }[]");
  emscripten::register_type<EditList>("{ name: string, index: number, value: number }[]");
  emscripten::register_type<ByteArray>("Uint8Array");
  emscripten::register_type<Text>("string");
  emscripten::register_type<Number>("number");
  register_array<int>("number[]");
  register_array<TensorInfo>("TensorInfo[]");
  register_array<std::string>("string[]");
  register_array<double>("number[]");
  register_array<float>("Float32Array");
  register_array<TreeNode>("TreeNode[]");
  register_array<LengthInfo>("LengthInfo[]");
}

}  // namespace unroll
