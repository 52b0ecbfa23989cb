#include "engine/models/position_options.h"

namespace unroll {

PositionKind read_positions(const Config& config, const std::string& otherwise) {
  using Relative = MultiHeadOptions::Relative;
  const std::string name =
      config.text("positions", otherwise, {"none", "index", "sinusoidal", "learned", "alibi", "rotary"});
  if (name == "index") return {.absolute = AbsolutePositions::index};
  if (name == "sinusoidal") return {.absolute = AbsolutePositions::sinusoidal};
  if (name == "learned") return {.absolute = AbsolutePositions::learned};
  if (name == "alibi") return {.relative = Relative::alibi};
  if (name == "rotary") return {.relative = Relative::rotary};
  return {};
}

}  // namespace unroll
