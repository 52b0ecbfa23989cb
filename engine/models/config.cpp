#include "engine/models/config.h"

#include <algorithm>
#include <cmath>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

struct Shown {
  std::string operator()(double value) const { return text_of(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return '"' + value + '"'; }
  std::string operator()(const std::vector<double>& value) const { return std::to_string(value.size()) + " numbers"; }
};

[[noreturn]] void refuse(const std::string& name, const Config::Value& value, const std::string& wanted) {
  fail(ErrorCode::config, name, " is ", std::visit(Shown{}, value), ": use ", wanted, ".");
}

std::string range(double least, double most, const std::string& or_else) {
  return text_of(least) + " to " + text_of(most) + (or_else.empty() ? "" : ", or " + or_else);
}

}  // namespace

const Config::Value* Config::find(const std::string& name) const {
  read_.insert(name);
  const auto found = fields_.find(name);
  return found == fields_.end() ? nullptr : &found->second;
}

double Config::number(const std::string& name, double otherwise, double least, double most,
                      const std::string& or_else) const {
  const Value* value = find(name);
  if (!value) return otherwise;
  const double* number = std::get_if<double>(value);
  if (!number || !(*number >= least && *number <= most))
    refuse(name, *value, "a number, " + range(least, most, or_else));
  return *number;
}

int Config::integer(const std::string& name, int otherwise, int least, int most, const std::string& or_else) const {
  const Value* value = find(name);
  if (!value) return otherwise;
  const double* number = std::get_if<double>(value);
  if (!number || !(*number >= least && *number <= most) || *number != std::floor(*number))
    refuse(name, *value, "a whole number, " + range(least, most, or_else));
  return static_cast<int>(*number);
}

std::string Config::text(const std::string& name, const std::string& otherwise,
                         const std::vector<std::string>& allowed) const {
  const Value* value = find(name);
  if (!value) return otherwise;
  const std::string* text = std::get_if<std::string>(value);
  if (!text || std::ranges::find(allowed, *text) == allowed.end())
    refuse(name, *value, "one of \"" + joined(allowed, "\", \"") + '"');
  return *text;
}

std::size_t Config::place_of(const std::string& name, std::size_t otherwise,
                             const std::vector<std::string>& words) const {
  return static_cast<std::size_t>(std::ranges::find(words, text(name, words[otherwise], words)) - words.begin());
}

std::optional<std::string> Config::any_text(const std::string& name) const {
  const Value* value = find(name);
  if (!value) return std::nullopt;
  const std::string* text = std::get_if<std::string>(value);
  if (!text) refuse(name, *value, "text");
  return *text;
}

bool Config::flag(const std::string& name, bool otherwise) const {
  const Value* value = find(name);
  if (!value) return otherwise;
  const bool* flag = std::get_if<bool>(value);
  if (!flag) refuse(name, *value, "true or false");
  return *flag;
}

std::optional<std::vector<double>> Config::numbers(const std::string& name, std::size_t least, std::size_t most) const {
  const Value* value = find(name);
  if (!value) return std::nullopt;
  const auto* numbers = std::get_if<std::vector<double>>(value);
  if (!numbers || numbers->size() < least || numbers->size() > most)
    refuse(name, *value,
           least == most ? "a list of " + std::to_string(least) + " numbers"
                         : "a list of " + std::to_string(least) + " to " + std::to_string(most) + " numbers");
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if (!(std::abs((*numbers)[i]) <= double(largest_given)))
      fail(ErrorCode::config, name, " at position ", i, " is ", (*numbers)[i], ": use a number from −", largest_given,
           " to ", largest_given, ".");
  return *numbers;
}

std::uint64_t Config::seed() const {
  constexpr double most = 4294967295.0;  // 32 bits, as everywhere on the page
  const double seed = number("seed", 1, 0, most);
  if (seed != std::floor(seed)) refuse("seed", seed, "a whole number, " + range(0, most, ""));
  return static_cast<std::uint64_t>(seed);
}

void Config::refuse_needless(const std::string& name, std::string_view why) const {
  if (const Value* value = find(name))
    fail(ErrorCode::config, name, " is ", std::visit(Shown{}, *value), ", but ", why, ".");
}

void Config::refuse_unknown() const {
  for (const auto& [name, value] : fields_)
    if (!read_.contains(name))
      fail(ErrorCode::config, "\"", name, "\" is not a field of this model: use one of ",
           joined({read_.begin(), read_.end()}, ", "), ".");
}

}  // namespace unroll
