// Small configurations of every kind of model, with some fields set to anything. Shared by tests and fuzzers.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/kernels/random.h"
#include "engine/models/config.h"

namespace unroll {

// ── The fields of a configuration and their options, read from the sentences that refuse them ──────────────────────

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

// ── Random ones ──────────────────────────────────────────────────────────────────────────────────────────────────────

// The fields of a kind, each with its options.
using FieldWords = std::map<std::string, Words>;

// A configuration of this kind, with own pairs or text if it learns a task.
Config small_config(const std::string& kind);

// The fields of such a configuration and their options, without the learner's own data.
FieldWords fields_and_words(const Refusal& refusal, const Config& config);

double any_number(Random& random);

// Sets one to three of the fields, and sometimes an unknown one, to anything: a number of any size, a flag, a list, or
// a text, which half of the time is an option of the field.
Config any_config(Random& random, Config config, const FieldWords& fields);

// Sets up to three of the fields to plausible values: an option, a flag, or a small number.
Config likely_config(Random& random, Config config, const FieldWords& fields);

// No number in it is NaN or ∞, except the sizes of vocabularies, which a task replaces.
bool is_finite(const Config& config);

}  // namespace unroll
