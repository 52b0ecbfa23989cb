// Small configurations of every kind of model, with some fields set to anything. Shared by tests and fuzzers.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/kernels/random.h"
#include "engine/models/config.h"
#include "tests/engine/support/damage.h"

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

// Also enough for a text of characters.
inline std::string hundred_words() {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "a b ";
  return text;
}

// A configuration of this kind, with own pairs or text if it learns a task.
inline Config small_config(const std::string& kind) {
  Config config = {{"kind", kind}};
  if (kind == "seq2seq" || kind == "transformer") config.set("pairs", "ab\tba\ncd\tdc\nef\tfe\n");
  if (kind == "language_model" || kind == "transformer_lm") config.set("text", hundred_words());
  return config;
}

// The fields of such a configuration and their options, without the learner's own data.
inline FieldWords fields_and_words(const Refusal& refusal, const Config& config) {
  FieldWords fields;
  for (const std::string& name : fields_of(refusal, config))
    if (name != "kind" && name != "pairs" && name != "text" && name != "program")
      fields[name] = words_of(refusal, config, name);
  return fields;
}

inline double any_number(Random& random) {
  static const std::vector<double> odd = {
      NAN,          INFINITY,     -INFINITY,          1e300,        -1e300, 1e-300, -0.0, -1, 0.5, 1e6,
      2147483648.0, 4294967296.0, 9007199254740993.0, -2147483649.0};
  const int kind = random.below(10);
  if (kind < 5) return random.below(9);
  if (kind < 9) return pick(random, odd);
  return std::floor(std::pow(10, 9 * static_cast<double>(random.uniform())));
}

inline std::vector<double> any_list(Random& random) {
  std::vector<double> list(static_cast<std::size_t>(random.below(20)));
  for (double& each : list) each = random.below(20) ? random.below(9) : any_number(random);
  return list;
}

inline std::string any_text(Random& random, const Words& words) {
  static const Words odd = {"", " ", "?", "None", std::string(1, '\0'), "\xff", std::string(10'000, 'x')};
  return pick(random, words.empty() || random.below(2) ? odd : words);
}

inline Config::Value any_value(Random& random, const Words& words) {
  const int kind = random.below(words.empty() ? 8 : 16);
  if (kind < 5) return any_number(random);
  if (kind < 6) return random.below(2) == 1;
  if (kind < 7) return any_list(random);
  return any_text(random, words);
}

inline Config::Value likely_value(Random& random, const Words& words) {
  if (!words.empty()) return pick(random, words);
  if (random.below(3) == 0) return random.below(2) == 1;
  return random.below(2) ? static_cast<double>(random.below(5)) : static_cast<double>(random.uniform());
}

// Sets `count` fields of the configuration to values that `value` makes from their options.
template <typename MakeValue>
void change(Random& random, Config& config, const FieldWords& fields, int count, MakeValue value) {
  for (; count > 0; --count) {
    const auto field = std::next(fields.begin(), random.below(static_cast<int>(fields.size())));
    config.set(field->first, value(random, field->second));
  }
}

// Sets one to three of the fields, and sometimes an unknown one, to anything: a number of any size, a flag, a list, or
// a text, which half of the time is an option of the field.
inline Config any_config(Random& random, Config config, const FieldWords& fields) {
  change(random, config, fields, 1 + random.below(3), any_value);
  if (random.below(50) == 0) config.set(any_text(random, {}), any_value(random, {}));
  return config;
}

// Sets up to three of the fields to plausible values: an option, a flag, or a small number.
inline Config likely_config(Random& random, Config config, const FieldWords& fields) {
  change(random, config, fields, random.below(4), likely_value);
  return config;
}

inline bool is_finite_value(const Config::Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return std::isfinite(*number);
  const auto* list = std::get_if<std::vector<double>>(&value);
  return !list || std::ranges::all_of(*list, [](double each) { return std::isfinite(each); });
}

// No number in it is NaN or ∞, except the sizes of vocabularies, which a task replaces.
inline bool is_finite(const Config& config) {
  return std::ranges::all_of(config.fields(), [](const auto& field) {
    return field.first.ends_with("vocabulary") || is_finite_value(field.second);
  });
}

}  // namespace unroll
