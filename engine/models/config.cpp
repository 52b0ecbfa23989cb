#include "engine/models/config.h"

#include <algorithm>
#include <cmath>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

struct Shown {
  Message operator()(double value) const { return phrase("as_is", value); }
  Message operator()(bool value) const { return phrase("as_is", std::string_view(value ? "true" : "false")); }
  Message operator()(const std::string& value) const { return phrase("quoted", value); }
  Message operator()(const std::vector<double>& value) const { return phrase("count_of_numbers", value.size()); }
};

[[noreturn]] void reject(const std::string& name, const Config::Value& value, const Message& wanted) {
  fail(ErrorCode::config, "wrong_value", name, std::visit(Shown{}, value), wanted);
}

Message range(const char* kind, double min, double max, const char* or_else) {
  const Message between = phrase(kind, min, max);
  return *or_else ? phrase("or_else", between, phrase(or_else)) : between;
}

std::vector<std::string> quoted(std::vector<std::string> words) {
  for (std::string& word : words) word = '"' + word + '"';
  return words;
}

}  // namespace

Config Config::with(Making making) const {
  Config other = *this;
  other.making_ = making;
  return other;
}

const Config::Value* Config::find(const std::string& name) const {
  read_.insert(name);
  const auto found = fields_.find(name);
  return found == fields_.end() ? nullptr : &found->second;
}

double Config::number(const std::string& name, double fallback, double min, double max, const char* or_else) const {
  const Value* value = find(name);
  if (!value) return fallback;
  const double* number = std::get_if<double>(value);
  if (!number || !(*number >= min && *number <= max)) reject(name, *value, range("number_between", min, max, or_else));
  return *number;
}

int Config::integer(const std::string& name, int fallback, int min, int max, const char* or_else) const {
  const Value* value = find(name);
  if (!value) return fallback;
  const double* number = std::get_if<double>(value);
  if (!number || !(*number >= min && *number <= max) || *number != std::floor(*number))
    reject(name, *value, range("whole_number_between", min, max, or_else));
  return static_cast<int>(*number);
}

std::string Config::text(const std::string& name, const std::string& fallback,
                         const std::vector<std::string>& allowed) const {
  const Value* value = find(name);
  if (!value) return fallback;
  const std::string* text = std::get_if<std::string>(value);
  if (!text || std::ranges::find(allowed, *text) == allowed.end())
    reject(name, *value, phrase("one_of", quoted(allowed)));
  return *text;
}

std::size_t Config::index_of(const std::string& name, std::size_t fallback,
                             const std::vector<std::string>& words) const {
  return static_cast<std::size_t>(std::ranges::find(words, text(name, words[fallback], words)) - words.begin());
}

std::optional<std::string> Config::any_text(const std::string& name) const {
  const Value* value = find(name);
  if (!value) return std::nullopt;
  const std::string* text = std::get_if<std::string>(value);
  if (!text) reject(name, *value, phrase("text"));
  return *text;
}

bool Config::flag(const std::string& name, bool fallback) const {
  const Value* value = find(name);
  if (!value) return fallback;
  const bool* flag = std::get_if<bool>(value);
  if (!flag) reject(name, *value, phrase("true_or_false"));
  return *flag;
}

std::optional<std::vector<double>> Config::numbers(const std::string& name, std::size_t min, std::size_t max) const {
  const Value* value = find(name);
  if (!value) return std::nullopt;
  const auto* numbers = std::get_if<std::vector<double>>(value);
  if (!numbers || numbers->size() < min || numbers->size() > max)
    reject(name, *value, min == max ? phrase("list_of_numbers", min) : phrase("list_of_numbers_between", min, max));
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if (!(std::abs((*numbers)[i]) <= double(max_abs_input)))
      fail(ErrorCode::config, "config_number_too_large", name, i, (*numbers)[i], max_abs_input);
  return *numbers;
}

std::uint64_t Config::seed() const {
  constexpr double max = 4294967295.0;  // 32 bits, as on the web page
  const double seed = number("seed", 1, 0, max);
  if (seed != std::floor(seed)) reject("seed", seed, range("whole_number_between", 0, max, ""));
  return static_cast<std::uint64_t>(seed);
}

void Config::reject_if_set(const std::string& name, const Message& why) const {
  if (const Value* value = find(name))
    fail(ErrorCode::config, "field_has_no_use", name, std::visit(Shown{}, *value), why);
}

void Config::reject_unknown() const {
  for (const auto& [name, value] : fields_)
    if (!read_.contains(name))
      fail(ErrorCode::config, "no_such_field", name, std::vector<std::string>(read_.begin(), read_.end()));
}

}  // namespace unroll
