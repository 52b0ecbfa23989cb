#include "bindings/convert.h"

namespace unroll {

using emscripten::val;

namespace {

Config::Value to_value(const val& value) {
  if (value.isNumber()) return value.as<double>();
  if (value.isTrue() || value.isFalse()) return value.isTrue();
  if (value.isArray()) return emscripten::vecFromJSArray<double>(value);
  if (value.isString()) return value.as<std::string>();
  return std::string("of no known kind");
}

template <typename T>
void register_array(const char* type) {
  emscripten::internal::_embind_register_user_type(emscripten::internal::TypeID<std::vector<T>>::get(), type);
}

}  // namespace

Config to_config(const ConfigObject& object) {
  Config config;
  const val keys = val::global("Object").call<val>("keys", object);
  for (unsigned i = 0; i < keys["length"].as<unsigned>(); ++i) {
    const std::string key = keys[i].as<std::string>();
    config.set(key, to_value(object[key]));
  }
  return config;
}

std::vector<NamedTensor> to_named_tensors(const NamedTensorList& list) {
  std::vector<NamedTensor> tensors;
  for (unsigned i = 0; i < list["length"].as<unsigned>(); ++i) {
    const val each = list[i];
    tensors.push_back({each["name"].as<std::string>(), emscripten::vecFromJSArray<int>(each["shape"]),
                       emscripten::convertJSArrayToNumberVector<float>(each["values"])});
  }
  return tensors;
}

std::vector<std::uint8_t> to_bytes(const ByteArray& bytes) {
  return emscripten::convertJSArrayToNumberVector<std::uint8_t>(bytes);
}

void register_array_types() {
  emscripten::register_type<ConfigObject>("Record<string, number | boolean | string | number[]>");
  emscripten::register_type<NamedTensorList>("{ name: string, shape: number[], values: Float32Array | number[] }[]");
  emscripten::register_type<ByteArray>("Uint8Array");
  register_array<int>("number[]");
  register_array<TensorInfo>("TensorInfo[]");
  register_array<TraceNode>("TraceNode[]");
  register_array<TraceScope>("TraceScope[]");
}

}  // namespace unroll
