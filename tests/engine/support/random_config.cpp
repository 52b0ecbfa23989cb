#include "tests/engine/support/random_config.h"

#include <algorithm>
#include <cmath>

#include "tests/engine/support/damage.h"

namespace unroll {
namespace {

using Value = Config::Value;

// Also enough for a text of characters.
std::string hundred_words() {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "a b ";
  return text;
}

std::vector<double> any_list(Random& random) {
  std::vector<double> list(static_cast<std::size_t>(random.below(20)));
  for (double& each : list) each = random.below(20) ? random.below(9) : any_number(random);
  return list;
}

std::string any_text(Random& random, const Words& words) {
  static const Words odd = {"", " ", "?", "None", std::string(1, '\0'), "\xff", std::string(10'000, 'x')};
  return pick(random, words.empty() || random.below(2) ? odd : words);
}

Value any_value(Random& random, const Words& words) {
  const int kind = random.below(words.empty() ? 8 : 16);
  if (kind < 5) return any_number(random);
  if (kind < 6) return random.below(2) == 1;
  if (kind < 7) return any_list(random);
  return any_text(random, words);
}

Value likely_value(Random& random, const Words& words) {
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

bool is_finite_value(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return std::isfinite(*number);
  const auto* list = std::get_if<std::vector<double>>(&value);
  return !list || std::ranges::all_of(*list, [](double each) { return std::isfinite(each); });
}

}  // namespace

Config small_config(const std::string& kind) {
  Config config = {{"kind", kind}};
  if (kind == "seq2seq" || kind == "transformer") config.set("pairs", "ab\tba\ncd\tdc\nef\tfe\n");
  if (kind == "language_model" || kind == "transformer_lm") config.set("text", hundred_words());
  return config;
}

FieldWords fields_and_words(const Refusal& refusal, const Config& config) {
  FieldWords fields;
  for (const std::string& name : fields_of(refusal, config))
    if (name != "kind" && name != "pairs" && name != "text" && name != "program")
      fields[name] = words_of(refusal, config, name);
  return fields;
}

double any_number(Random& random) {
  static const std::vector<double> odd = {
      NAN,          INFINITY,     -INFINITY,          1e300,        -1e300, 1e-300, -0.0, -1, 0.5, 1e6,
      2147483648.0, 4294967296.0, 9007199254740993.0, -2147483649.0};
  const int kind = random.below(10);
  if (kind < 5) return random.below(9);
  if (kind < 9) return pick(random, odd);
  return std::floor(std::pow(10, 9 * static_cast<double>(random.uniform())));
}

Config any_config(Random& random, Config config, const FieldWords& fields) {
  change(random, config, fields, 1 + random.below(3), any_value);
  if (random.below(50) == 0) config.set(any_text(random, {}), any_value(random, {}));
  return config;
}

Config likely_config(Random& random, Config config, const FieldWords& fields) {
  change(random, config, fields, random.below(4), likely_value);
  return config;
}

bool is_finite(const Config& config) {
  return std::ranges::all_of(config.fields(), [](const auto& field) {
    return field.first.ends_with("vocabulary") || is_finite_value(field.second);
  });
}

}  // namespace unroll
