#include "tests/bindings/json.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace unroll {
namespace {

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

}  // namespace

// A float needs at most 9 significant digits, a double 17: nlohmann/json writes the shortest text that reads back
// equal.
Json to_json(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
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

void read_json(const Json& text, std::vector<std::uint8_t>& bytes) {
  const auto& digits = text.get_ref<const std::string&>();
  bytes.resize(digits.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) std::from_chars(&digits[2 * i], &digits[2 * i] + 2, bytes[i], 16);
}

}  // namespace unroll
