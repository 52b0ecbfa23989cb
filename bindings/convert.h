// Conversions across the JavaScript boundary: arguments are checked before use; lists become arrays, float and byte
// vectors typed arrays with their own memory, structs that list their fields and replies plain objects.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/reply.h"
#include "bindings/session.h"

namespace unroll {

// Converts an argument of a call. Unless noted otherwise, each throws Error(input) naming the argument if its type is
// wrong.
void from_js(const char* name, const emscripten::val& value, std::string& text);
void from_js(const char* name, const emscripten::val& value, float& number);
void from_js(const char* name, const emscripten::val& value, int& whole_number);
void from_js(const char*, const emscripten::val& object, Config& config);                   // Error(config)
void from_js(const char*, const emscripten::val& list, std::vector<NamedTensor>& tensors);  // Error(shape) for a shape
void from_js(const char*, const emscripten::val& list, std::vector<ValueEdit>& edits);
void from_js(const char*, const emscripten::val& list, std::vector<InterventionInfo>& interventions);
void from_js(const char*, const emscripten::val& bytes, std::vector<std::uint8_t>& checkpoint);  // Error(format)

emscripten::val to_js(double number);
emscripten::val to_js(bool flag);
emscripten::val to_js(const std::string& text);
emscripten::val to_js(const Config& config);
emscripten::val to_js(const TraceColumns& columns);
emscripten::val to_js(JsonText json);
emscripten::val to_js(const std::vector<float>& values);
emscripten::val to_js(const std::vector<std::uint8_t>& bytes);
inline emscripten::val to_js(int number) { return to_js(static_cast<double>(number)); }
template <typename T>
emscripten::val to_js(const std::vector<T>& values);

void set(const emscripten::val& object, const char* name, const emscripten::val& value);
void push(const emscripten::val& list, const emscripten::val& value);

template <Described T>
void set_fields(const emscripten::val& object, const T& value) {
  fields(value, [&](const char* name, const auto& field) { set(object, name, to_js(field)); });
}
template <Described T>
emscripten::val to_js(const T& value) {
  const emscripten::val object = emscripten::val::object();
  set_fields(object, value);
  return object;
}
template <typename T>
emscripten::val to_js(const std::optional<T>& value) {
  return value ? to_js(*value) : emscripten::val::null();
}
template <typename T>
emscripten::val to_js(const std::vector<T>& values) {
  const emscripten::val list = emscripten::val::array();
  for (const T& value : values) push(list, to_js(value));
  return list;
}

// Running out of engine memory during the conversion also becomes a refusal: no C++ exception crosses the boundary. A
// JavaScript exception, thrown when there is no room for an array, bypasses catch and reaches the caller.
template <typename T>
emscripten::val to_js(const Reply<T>& reply) {
  const emscripten::val object = emscripten::val::object();
  try {
    set(object, "ok", to_js(reply.ok));
    if (reply.ok) {
      set(object, "value", to_js(reply.value));
    } else {
      set_fields(object, reply.failure);
      set(object, "detail", to_js(reply.detail));
    }
  } catch (...) {
    return to_js(refusal<T>("answer"));
  }
  return object;
}

}  // namespace unroll
