// Configurations in words: "kind=seq2seq hidden=6 bidirectional=true".
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>

#include "engine/models/config.h"

namespace unroll {

// The configuration with these fields added or replaced.
inline Config with(Config config, const Config& changes) {
  for (const auto& [name, value] : changes.fields()) config.set(name, value);
  return config;
}

// "hidden=6": what reads as a number is one, and true and false are flags.
inline void set_field(Config& config, const std::string& words) {
  const std::size_t equals = words.find('=');
  const std::string name = words.substr(0, equals), value = words.substr(equals + 1);
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value == "true" || value == "false")
    config.set(name, value == "true");
  else if (!value.empty() && *end == 0)
    config.set(name, number);
  else
    config.set(name, value);
}

inline Config with(Config config, const char* changes) {
  std::istringstream words(changes);
  for (std::string word; words >> word;) set_field(config, word);
  return config;
}

inline Config settings(const char* words) { return with({}, words); }

}  // namespace unroll
