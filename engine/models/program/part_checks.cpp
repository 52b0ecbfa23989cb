// What does not go with a part of the learner's.
#include <algorithm>

#include "engine/models/program/learner_parts.h"
#include "engine/models/registry.h"

namespace unroll {
namespace {

// A field that does not go with a part: if it has this value, or if it has any other.
struct Clash {
  std::vector<std::string> parts;
  const char* field;
  enum When { is, is_not } when;
  Config::Value value;
  const char* why;
};

const std::vector<Clash>& clashes() {
  using Text = std::string;
  static const std::vector<std::string> attending = {"score", "attention"}, cell = {"cell"}, positions = {"positions"};
  static const char own_values[] = "the part gives its parameters their values: leave it out";
  static const char own_positions[] = "the part supplies the positions: use \"sinusoidal\", or leave it out";
  static const std::vector<Clash> all = {
      {attending, "attention", Clash::is, Text("none"), "the part belongs to attention: use \"bahdanau\" or \"luong\""},
      {attending, "window", Clash::is, Text("local_p"), "it has weights of its own: use \"global\" or \"local_m\""},
      {attending, "form", Clash::is_not, Text("plain"), "the part computes all scores at once: use \"plain\""},
      {{"attention"}, "positions", Clash::is, Text("alibi"), "its penalty is for the lab's own scores: use another"},
      {{"attention"}, "hard", Clash::is_not, false, "the part computes the weights: leave it out"},
      {cell, "cell", Clash::is, Text("lstm"), "it carries two states, and the part has one: use another cell"},
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
  if (taken.empty())
    config.reject_if_set("part", phrase("this kind of model has no part to replace: leave it out, or use the kind "
                                        "\"transformer\", \"seq2seq\" or \"attention\""));
  check_fields(config, config.text("part", "", taken));
}

}  // namespace unroll
