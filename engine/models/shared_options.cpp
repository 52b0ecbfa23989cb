#include "engine/models/shared_options.h"

namespace unroll {

PositionKind read_positions(const Config& config, const std::string& fallback) {
  using Relative = MultiHeadOptions::Relative;
  const std::string name =
      config.text("positions", fallback, {"none", "index", "sinusoidal", "learned", "alibi", "rotary"});
  if (name == "index") return {.absolute = AbsolutePositions::index};
  if (name == "sinusoidal") return {.absolute = AbsolutePositions::sinusoidal};
  if (name == "learned") return {.absolute = AbsolutePositions::learned};
  if (name == "alibi") return {.relative = Relative::alibi};
  if (name == "rotary") return {.relative = Relative::rotary};
  return {};
}

Init given_or(const Config& config, const char* name, const Shape& shape, Init fallback) {
  const auto values = config.numbers(name, shape.size(), shape.size());
  return values ? from_values(*values) : fallback;
}

Tensor given_or_drawn(const Config& config, const char* name, const Shape& shape, std::uint64_t stream,
                      const Init& fallback) {
  Tensor value(shape);
  Random random(config.seed(), stream);
  given_or(config, name, shape, fallback)(value, random);
  return value;
}

}  // namespace unroll
