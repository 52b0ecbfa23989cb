// Conversions across the JavaScript boundary: arguments are checked before use; lists become arrays, float and byte
// vectors typed arrays with their own memory, replies plain objects.
#pragma once

#include <emscripten/bind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bindings/reply.h"
#include "bindings/session.h"

namespace unroll {

EMSCRIPTEN_DECLARE_VAL_TYPE(ConfigObject);
EMSCRIPTEN_DECLARE_VAL_TYPE(NamedTensorList);
EMSCRIPTEN_DECLARE_VAL_TYPE(EditList);
EMSCRIPTEN_DECLARE_VAL_TYPE(ByteArray);
EMSCRIPTEN_DECLARE_VAL_TYPE(Text);
EMSCRIPTEN_DECLARE_VAL_TYPE(Number);

// Unless noted otherwise, each throws Error(input) naming the argument if its type is wrong.
Config to_config(const ConfigObject& object);                            // Error(config)
std::vector<NamedTensor> to_named_tensors(const NamedTensorList& list);  // Error(shape) for an invalid shape
std::vector<ValueEdit> to_edits(const EditList& list);
std::vector<std::uint8_t> to_bytes(const ByteArray& bytes);  // Error(format)
std::string to_text(const char* name, const emscripten::val& value);
double to_number(const char* name, const emscripten::val& value);
int to_whole_number(const char* name, const emscripten::val& value);

// A configuration as a plain object.
emscripten::val to_js(const Config& config);

emscripten::val to_js(const TraceColumns& columns);

// Copies, because growing the WebAssembly memory would invalidate a view.
inline emscripten::val to_js(const std::vector<float>& values) {
  return emscripten::val::global("Float32Array").new_(emscripten::typed_memory_view(values.size(), values.data()));
}
inline emscripten::val to_js(const std::vector<std::uint8_t>& values) {
  return emscripten::val::global("Uint8Array").new_(emscripten::typed_memory_view(values.size(), values.data()));
}
template <typename T>
emscripten::val to_js(const std::vector<T>& values) {
  return emscripten::val::array(values);
}
template <typename T>
emscripten::val to_js(const T& value) {
  return emscripten::val(value);
}

// Running out of engine memory during the conversion also becomes a refusal: no C++ exception crosses the boundary. A
// JavaScript exception, thrown when there is no room for an array, bypasses catch and reaches the caller.
template <typename T>
emscripten::val to_js(const Reply<T>& reply) {
  emscripten::val object = emscripten::val::object();
  try {
    object.set("ok", reply.ok);
    if (reply.ok) {
      object.set("value", to_js(reply.value));
    } else {
      object.set("code", reply.code);
      object.set("message", reply.message);
      object.set("pattern", reply.pattern);
      object.set("arguments", to_js(reply.arguments));
      object.set("detail", reply.detail);
    }
  } catch (...) {
    return to_js(refusal<T>("answer"));
  }
  return object;
}

void register_array_types();

// Names the type for the generated TypeScript declarations.
template <typename T>
void register_array(const char* type) {
  emscripten::internal::_embind_register_user_type(emscripten::internal::TypeID<std::vector<T>>::get(), type);
}

// Names the reply's type, likewise.
template <typename T>
void register_reply(const std::string& type);

}  // namespace unroll

namespace emscripten::internal {

// Lists and replies cross as the JavaScript value that to_js makes.
template <typename T>
struct ByToJs {
  using WireType = BindingType<val>::WireType;
  static WireType toWireType(const T& value, rvp::default_tag tag) {
    return BindingType<val>::toWireType(unroll::to_js(value), tag);
  }
};
template <typename T>
struct BindingType<std::vector<T>> : ByToJs<std::vector<T>> {
  static std::vector<T> fromWireType(BindingType<val>::WireType wire) {
    return vecFromJSArray<T>(BindingType<val>::fromWireType(wire));
  }
};
template <typename T>
struct BindingType<unroll::Reply<T>> : ByToJs<unroll::Reply<T>> {};

}  // namespace emscripten::internal

namespace unroll {

template <typename T>
void register_reply(const std::string& type) {
  using emscripten::internal::TypeID;
  const std::string declaration = "{ ok: true, value: " + type +
                                  " } | { ok: false, code: string, message: string, detail: string, " +
                                  "pattern: string, arguments: string[] }";
  emscripten::internal::_embind_register_user_type(TypeID<Reply<T>>::get(), declaration.c_str());
}

}  // namespace unroll
