// Calls and replies of the session as JSON, with the names that JavaScript sees. Numbers that JSON lacks are "nan",
// "inf" and "-inf"; bytes are a text of two hexadecimal digits each, as a list of them would be slow to read.
#pragma once

#include <nlohmann/json.hpp>

#include "bindings/session.h"

namespace unroll {

using Json = nlohmann::json;

Json to_json(double number);
Json to_json(const Config& config);
Json to_json(const std::vector<std::uint8_t>& bytes);
inline Json to_json(int number) { return number; }
inline Json to_json(float number) { return to_json(static_cast<double>(number)); }
inline Json to_json(bool flag) { return flag; }
inline Json to_json(const std::string& text) { return text; }
template <typename T>
Json to_json(const std::vector<T>& values);

template <Described T>
Json to_json(const T& value) {
  Json object = Json::object();
  fields(value, [&](const char* name, const auto& field, const char* = nullptr) { object[name] = to_json(field); });
  return object;
}
template <typename T>
Json to_json(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(to_json(value));
  return list;
}

template <typename T>
Json to_json(const Reply<T>& reply) {
  if (reply.ok) return {{"ok", true}, {"value", to_json(reply.value)}};
  return {{"ok", false},
          {"code", reply.code},
          {"message", reply.message},
          {"pattern", reply.pattern},
          {"arguments", reply.arguments},
          {"detail", reply.detail}};
}

// Each throws std::exception for JSON of another kind.
void read_json(const Json& value, float& number);  // a number or one of the three texts
void read_json(const Json& object, Config& config);
void read_json(const Json& list, std::vector<NamedTensor>& tensors);
void read_json(const Json& list, std::vector<ValueEdit>& edits);
void read_json(const Json& text, std::vector<std::uint8_t>& bytes);
template <typename T>
void read_json(const Json& value, T& simple) {
  value.get_to(simple);
}

}  // namespace unroll
