// What does not go with a part of the learner's.
#include <algorithm>

#include "engine/models/model.h"
#include "engine/models/program/learner_parts.h"

namespace unroll {
namespace {

// A field that does not go with a part: if it has this value, or if it has any other.
struct Clash {
  std::vector<std::string> parts;
  const char* field;
  enum When { is, is_not } when;
  Config::Value value;
  const char* why;  // a phrase
};

const std::vector<Clash>& clashes() {
  using Text = std::string;
  static const std::vector<std::string> attending = {"score", "attention"}, cell = {"cell"}, positions = {"positions"};
  static const char own_values[] = "part_sets_its_values";
  static const char own_positions[] = "part_supplies_positions";
  static const std::vector<Clash> all = {
      {attending, "attention", Clash::is, Text("none"), "part_is_of_attention"},
      {attending, "window", Clash::is, Text("local_p"), "window_has_own_weights"},
      {attending, "form", Clash::is_not, Text("plain"), "part_computes_all_scores"},
      {{"attention"}, "positions", Clash::is, Text("alibi"), "penalty_is_for_own_scores"},
      {{"attention"}, "hard", Clash::is_not, false, "part_computes_weights"},
      {cell, "cell", Clash::is, Text("lstm"), "part_has_one_state"},
      {cell, "orthogonal", Clash::is_not, false, own_values},
      {cell, "bias", Clash::is_not, true, own_values},
      {cell, "scale", Clash::is_not, 1.0, own_values},
      {positions, "positions", Clash::is, Text("learned"), own_positions},
      {positions, "positions", Clash::is, Text("alibi"), own_positions},
      {positions, "positions", Clash::is, Text("rotary"), own_positions},
  };
  return all;
}

void check_fields(const Config& config, const std::string& part) {
  for (const Clash& each : clashes()) {
    const auto field = config.fields().find(each.field);
    if (field == config.fields().end() || std::ranges::find(each.parts, part) == each.parts.end()) continue;
    if ((field->second == each.value) == (each.when == Clash::is)) config.reject_if_set(each.field, phrase(each.why));
  }
}

}  // namespace

void check_part(const Config& config) {
  if (!has_programs || !config.has("part")) return;
  const std::vector<std::string> taken = parts_of(model_kind(config));
  if (taken.empty()) config.reject_if_set("part", phrase("model_has_no_part"));
  check_fields(config, config.text("part", "", taken));
}

}  // namespace unroll
