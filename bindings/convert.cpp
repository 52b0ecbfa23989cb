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

double to_number(const char* name, const val& value) {
  if (!value.isNumber()) reject(ErrorCode::input, FieldName{name}, value, "a number");
  return value.as<double>();
}

// A copy, because growing the WebAssembly memory would invalidate a view.
template <typename T>
val typed_array(const char* type, const std::vector<T>& values) {
  return val::global(type).new_(emscripten::typed_memory_view(values.size(), values.data()));
}

}  // namespace

void from_js(const char* name, const val& value, std::string& text) {
  if (!value.isString()) reject(ErrorCode::input, FieldName{name}, value, "text");
  text = value.as<std::string>();
}

void from_js(const char* name, const val& value, float& number) { number = static_cast<float>(to_number(name, value)); }

void from_js(const char* name, const val& value, int& whole_number) {
  whole_number = as_whole(ErrorCode::input, FieldName{name}, to_number(name, value));
}

void from_js(const char*, const val& object, Config& config) {
  if (!is_object(object)) reject(ErrorCode::config, "The config", object, "an object such as {kind: \"softmax\"}");
  const val keys = val::global("Object").call<val>("keys", object);
  for (unsigned i = 0; i < length_of(ErrorCode::config, "The config", keys); ++i) {
    const std::string key = keys[i].as<std::string>();
    config.set(key, to_value(key, object[key]));
  }
}

void from_js(const char*, const val& list, std::vector<NamedTensor>& tensors) {
  if (!list.isArray()) reject(ErrorCode::input, "The argument of run", list, "a list of inputs");
  for (unsigned i = 0; i < length_of(ErrorCode::input, "The argument of run", list); ++i)
    tensors.push_back(to_named_tensor(list[i]));
}

void from_js(const char*, const val& list, std::vector<ValueEdit>& edits) {
  if (!list.isArray()) reject(ErrorCode::input, "The argument of setEdits", list, "a list of edits");
  for (unsigned i = 0; i < length_of(ErrorCode::input, "The argument of setEdits", list); ++i) {
    const val each = list[i];
    if (!is_object(each)) reject(ErrorCode::input, "An edit", each, "{name, index, value}");
    ValueEdit& edit = edits.emplace_back();
    from_js("name", each["name"], edit.name);
    from_js("index", each["index"], edit.index);
    from_js("value", each["value"], edit.value);
  }
}

void from_js(const char*, const val& bytes, std::vector<std::uint8_t>& checkpoint) {
  if (!bytes.instanceof (val::global("Uint8Array"))) reject(ErrorCode::format, "The checkpoint", bytes, "a Uint8Array");
  checkpoint = emscripten::convertJSArrayToNumberVector<std::uint8_t>(bytes);
}

void set(const val& object, const char* name, const val& value) { val(object).set(name, value); }

void push(const val& list, const val& value) { list.call<void>("push", value); }

val to_js(double number) { return val(number); }

val to_js(bool flag) { return val(flag); }

val to_js(const std::string& text) { return val(text); }

val to_js(const Config& config) {
  const val object = val::object();
  for (const auto& [name, value] : config.fields())
    set(object, name.c_str(), std::visit([](const auto& each) { return to_js(each); }, value));
  return object;
}

val to_js(const TraceColumns& columns) {
  const val object = val::object();
  set(object, "numbers", typed_array("Int32Array", columns.numbers));
  set(object, "texts", to_js(columns.texts));
  return object;
}

val to_js(const std::vector<float>& values) { return typed_array("Float32Array", values); }

val to_js(const std::vector<std::uint8_t>& bytes) { return typed_array("Uint8Array", bytes); }

}  // namespace unroll
