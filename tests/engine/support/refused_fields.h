// The fields of a configuration and their options, read from the sentences that refuse them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/models/config.h"

namespace unroll {

using Words = std::vector<std::string>;

// The sentence that refuses a configuration.
using Refusal = std::function<std::string(const Config&)>;

// The sentence that refuses `value` for this field.
inline std::string refused(const Refusal& refusal, Config config, const std::string& field, Config::Value value) {
  config.set(field, std::move(value));
  return refusal(config);
}

// The list in a refusal after ": use ": for "one of a, b.", `before` is "one of " and `between` is ", ".
inline Words listed(const std::string& sentence, const std::string& before, const std::string& between) {
  Words found;
  const std::string first = ": use " + before;
  for (std::size_t at = sentence.find(first); at != sentence.npos; at = sentence.find(between, at + 1)) {
    const std::size_t from = at + (found.empty() ? first : between).size();
    found.push_back(sentence.substr(from, sentence.find_first_of("\",.", from) - from));
  }
  return found;
}

inline Words fields_of(const Refusal& refusal, const Config& config) {
  return listed(refused(refusal, config, "?", std::string("?")), "one of ", ", ");
}

// The options of a field; none if it takes numbers.
inline Words words_of(const Refusal& refusal, const Config& config, const std::string& field) {
  return listed(refused(refusal, config, field, std::string("?")), "one of \"", "\", \"");
}

}  // namespace unroll
