// Configurations in words, such as "kind=seq2seq hidden=6 bidirectional=true", and those of the first lessons.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

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

// The model of the first lesson: scores (1, 5, 2, 1, 1).
inline Config softmax_lesson() {
  return {{"kind", "softmax"}, {"scores", std::vector<double>{1, 5, 2, 1, 1}}, {"target", 1.0}};
}

// Four words by hand: (1,0,0), (0,1,0), (1,1,0), (0,0,1).
inline Config four_words() {
  return {{"kind", "attention"},
          {"X", std::vector<double>{1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1}},
          {"W_Q", std::vector<double>{2, 0, 2, 2, 0, 0, 2, 1, 2}},
          {"W_K", std::vector<double>{2, 2, 2, 0, 2, 1, 0, 1, 1}},
          {"W_V", std::vector<double>{1, 1, 0, 0, 1, 1, 0, 0, 0}}};
}

inline const std::vector<double> four_words_output = {0.98522025, 1.74174051, 0.75652026, 0.90965265,
                                                      1.40965265, 0.5,        0.99851226, 1.75849334,
                                                      0.75998108, 0.99560386, 1.90407309, 0.90846923};

}  // namespace unroll
