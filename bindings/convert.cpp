#include "bindings/convert.h"

#include <climits>
#include <cmath>

#include "engine/tensor/error.h"

namespace unroll {

using emscripten::val;

namespace {

constexpr double max_list_length = 1 << 20;

[[noreturn]] void reject(ErrorCode code, const MessageArgument& name, const val& value, const char* wanted) {
  const std::string type = value.typeOf().as<std::string>();
  const Message kind = value.isArray() ? phrase("a_list") : phrase("as_is", value.isNull() ? "null" : type);
  fail(code, "wrong_value", name, kind, phrase(wanted));
}

bool is_object(const val& value) {
  return !value.isNull() && !value.isArray() && value.typeOf().as<std::string>() == "object";
}

unsigned length_of(ErrorCode code, const MessageArgument& name, const val& list) {
  const bool readable = !list.isUndefined() && !list.isNull();
  const val length = readable ? list["length"] : list;
  if (!length.isNumber()) reject(code, name, list, "a_list");
  const double count = length.as<double>();
  if (!(count >= 0 && count <= max_list_length)) fail(code, "too_many_values_in_list", name, count, max_list_length);
  return static_cast<unsigned>(count);
}

std::vector<double> to_numbers(ErrorCode code, const MessageArgument& name, const val& list) {
  if (!list.isArray()) reject(code, name, list, "a_list_of_numbers");
  std::vector<double> numbers(length_of(code, name, list));
  for (unsigned i = 0; i < numbers.size(); ++i) {
    const val each = list[i];
    if (!each.isNumber()) reject(code, phrase("at_position", name, i), each, "a_number");
    numbers[i] = each.as<double>();
  }
  return numbers;
}

Config::Value to_value(const std::string& name, const val& value) {
  if (value.isNumber()) return value.as<double>();
  if (value.isTrue() || value.isFalse()) return value.isTrue();
  if (value.isArray()) return to_numbers(ErrorCode::config, name, value);
  if (value.isString()) return value.as<std::string>();
  reject(ErrorCode::config, name, value, "config_value");
}

int as_whole(ErrorCode code, const MessageArgument& name, double number) {
  if (!(std::abs(number) <= INT_MAX) || number != std::floor(number)) fail(code, "not_whole", name, number);
  return static_cast<int>(number);
}

NamedTensor to_named_tensor(const val& each) {
  if (!is_object(each)) reject(ErrorCode::input, phrase("an_input"), each, "input_object");
  if (!each["name"].isString()) reject(ErrorCode::input, phrase("name_of_input"), each["name"], "text");
  NamedTensor tensor{each["name"].as<std::string>(), {}, {}};
  for (double size : to_numbers(ErrorCode::shape, phrase("shape_of", tensor.name), each["shape"]))
    tensor.shape.push_back(as_whole(ErrorCode::shape, phrase("size_of", tensor.name), size));
  length_of(ErrorCode::input, tensor.name, each["values"]);
  tensor.values = emscripten::convertJSArrayToNumberVector<float>(each["values"]);
  return tensor;
}

double to_number(const char* name, const val& value) {
  if (!value.isNumber()) reject(ErrorCode::input, FieldName{name}, value, "a_number");
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
  if (!is_object(object)) reject(ErrorCode::config, phrase("the_config"), object, "config_object");
  const val keys = val::global("Object").call<val>("keys", object);
  for (unsigned i = 0; i < length_of(ErrorCode::config, phrase("the_config"), keys); ++i) {
    const std::string key = keys[i].as<std::string>();
    config.set(key, to_value(key, object[key]));
  }
}

void from_js(const char*, const val& list, std::vector<NamedTensor>& tensors) {
  if (!list.isArray()) reject(ErrorCode::input, phrase("argument_of_run"), list, "list_of_inputs");
  for (unsigned i = 0; i < length_of(ErrorCode::input, phrase("argument_of_run"), list); ++i)
    tensors.push_back(to_named_tensor(list[i]));
}

void from_js(const char*, const val& list, std::vector<ValueEdit>& edits) {
  if (!list.isArray()) reject(ErrorCode::input, phrase("argument_of_set_edits"), list, "list_of_edits");
  for (unsigned i = 0; i < length_of(ErrorCode::input, phrase("argument_of_set_edits"), list); ++i) {
    const val each = list[i];
    if (!is_object(each)) reject(ErrorCode::input, phrase("an_edit"), each, "edit_object");
    ValueEdit& edit = edits.emplace_back();
    from_js("name", each["name"], edit.name);
    from_js("index", each["index"], edit.index);
    from_js("value", each["value"], edit.value);
  }
}

// `training`, `source` and `target` may be missing.
void from_js(const char*, const val& list, std::vector<InterventionInfo>& interventions) {
  if (!list.isArray()) reject(ErrorCode::input, phrase("argument_of_interventions"), list, "list_of_interventions");
  for (unsigned i = 0; i < length_of(ErrorCode::input, phrase("argument_of_interventions"), list); ++i) {
    const val each = list[i];
    if (!is_object(each)) reject(ErrorCode::input, phrase("an_intervention"), each, "intervention_object");
    InterventionInfo& info = interventions.emplace_back();
    from_js("kind", each["kind"], info.kind);
    from_js("tensor", each["tensor"], info.tensor);
    info.training = each["training"].isTrue();
    if (!each["source"].isUndefined()) from_js("source", each["source"], info.source);
    if (!each["target"].isUndefined()) from_js("target", each["target"], info.target);
  }
}

void from_js(const char*, const val& bytes, std::vector<std::uint8_t>& checkpoint) {
  if (!bytes.instanceof (val::global("Uint8Array")))
    reject(ErrorCode::format, phrase("the_checkpoint"), bytes, "uint8array");
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

val to_js(JsonText json) { return val::global("JSON").call<val>("parse", json.text); }

val to_js(const std::vector<float>& values) { return typed_array("Float32Array", values); }

val to_js(const std::vector<std::uint8_t>& bytes) { return typed_array("Uint8Array", bytes); }

}  // namespace unroll
