// A native session over standard input and output: a line {"call": "load", "args": [...]} is answered by a line with
// the reply, with the names that JavaScript sees. Numbers that JSON lacks are "nan", "inf" and "-inf"; bytes are a text
// of two hexadecimal digits each, as a list of them would be slow to read. Tests compare it with the WebAssembly build.
#include <charconv>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "bindings/programs.h"

namespace unroll {

using Json = nlohmann::json;

Json to_json(const Config& config);
// A float needs at most 9 significant digits, a double 17: nlohmann/json writes the shortest text that reads back
// equal.
Json to_json(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}
Json to_json(const std::vector<std::uint8_t>& bytes);
Json to_json(int number) { return number; }
Json to_json(float number) { return to_json(static_cast<double>(number)); }
Json to_json(bool flag) { return flag; }
Json to_json(const std::string& text) { return text; }
Json to_json(JsonText json) { return Json::parse(json.text); }
template <typename T>
Json to_json(const std::optional<T>& value);
template <typename T>
Json to_json(const std::vector<T>& values);

template <Described T>
Json to_json(const T& value) {
  Json object = Json::object();
  fields(value, [&](const char* name, const auto& field) { object[name] = to_json(field); });
  return object;
}
template <typename T>
Json to_json(const std::optional<T>& value) {
  return value ? to_json(*value) : Json();
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
  Json object = to_json(reply.failure);
  object["ok"] = false;
  object["detail"] = reply.detail;
  return object;
}

Json to_json(const Config& config) {
  Json object = Json::object();
  for (const auto& [name, value] : config.fields())
    object[name] = std::visit([](const auto& each) { return to_json(each); }, value);
  return object;
}

Json to_json(const std::vector<std::uint8_t>& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::uint8_t byte : bytes) text += {digits[byte >> 4], digits[byte & 15]};
  return text;
}

// The arguments of calls: each throws std::exception for JSON of another kind.

double number_from(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  throw std::runtime_error("a number is expected where " + value.dump() + " is");
}

Config::Value value_from(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>();
  if (value.is_array()) {
    std::vector<double> numbers;
    for (const Json& each : value) numbers.push_back(number_from(each));
    return numbers;
  }
  if (value.is_string()) return value.get<std::string>();
  throw std::runtime_error("a field of the config is neither text, number, boolean nor list");
}

void read_json(const Json& value, float& number) { number = static_cast<float>(number_from(value)); }

void read_json(const Json& object, Config& config) {
  for (const auto& [name, value] : object.items()) config.set(name, value_from(value));
}

void read_json(const Json& list, std::vector<NamedTensor>& tensors) {
  for (const Json& each : list) {
    NamedTensor& tensor = tensors.emplace_back();
    each.at("name").get_to(tensor.name);
    each.at("shape").get_to(tensor.shape);
    for (const Json& value : each.at("values")) tensor.values.push_back(static_cast<float>(number_from(value)));
  }
}

void read_json(const Json& list, std::vector<ValueEdit>& edits) {
  for (const Json& each : list)
    edits.push_back({each.at("name").get<std::string>(), each.at("index").get<int>(),
                     static_cast<float>(number_from(each.at("value")))});
}

void read_json(const Json& list, std::vector<InterventionInfo>& interventions) {
  for (const Json& each : list)
    interventions.push_back({each.at("kind"), each.at("tensor"), each.value("training", false),
                             each.value("source", ""), each.value("target", "")});
}

void read_json(const Json& text, std::vector<std::uint8_t>& bytes) {
  const auto& digits = text.get_ref<const std::string&>();
  bytes.resize(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) std::from_chars(&digits[2 * i], &digits[2 * i] + 2, bytes[i], 16);
}

template <typename T>
void read_json(const Json& value, T& simple) {
  value.get_to(simple);
}

}  // namespace unroll

namespace {

using namespace unroll;

using Calls = std::map<std::string, std::function<Json(Session&, const Json& args)>>;

template <typename T>
T argument(const Json& args, std::size_t i) {
  T value;
  read_json(args.at(i), value);
  return value;
}

struct Table {
  Calls& calls;

  template <typename Call, typename... Names>
  void operator()(const char* name, Call call, Names...) const {
    add(name, call, signature_of(call), std::index_sequence_for<Names...>());
  }

 private:
  template <typename Call, typename T, typename... A, std::size_t... i>
  void add(const char* name, Call call, Signature<T, A...>, std::index_sequence<i...>) const {
    calls[name] = [=](Session& session, const Json& args) {
      return to_json(ask(session, call, argument<A>(args, i)...));
    };
  }
};

Calls all_calls() {
  Calls calls;
  describe_session(Table{calls});
  describe_matrices(Table{calls});
  describe_interventions(Table{calls});
  describe_programs(Table{calls});
  return calls;
}

Json refusal(const std::string& message) {
  return {{"ok", false}, {"code", "E_INPUT"}, {"message", message}, {"detail", "request"}};
}

Json answer(const Calls& calls, Session& session, const std::string& line) {
  try {
    const Json request = Json::parse(line);
    const auto call = calls.find(request.at("call").get<std::string>());
    if (call == calls.end())
      return refusal("call is " + request.at("call").dump() + ", which a session does not have.");
    return call->second(session, request.value("args", Json::array()));
  } catch (const std::exception& error) {
    return refusal(error.what());
  }
}

}  // namespace

int main() {
  const Calls calls = all_calls();
  unroll::Session session;
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(calls, session, line) << std::endl;
}
