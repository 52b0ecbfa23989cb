#include "engine/models/shared_options.h"

namespace unroll {

PositionKind read_positions(const Config& config, const std::string& fallback) {
  using Absolute = AbsolutePositions;
  using Relative = MultiHeadOptions::Relative;
  constexpr PositionKind kinds[] = {{},
                                    {Absolute::index},
                                    {Absolute::sinusoidal},
                                    {Absolute::learned},
                                    {.relative = Relative::alibi},
                                    {.relative = Relative::rotary}};
  const std::vector<std::string> names = {"none", "index", "sinusoidal", "learned", "alibi", "rotary"};
  return kinds[std::ranges::find(names, config.text("positions", fallback, names)) - names.begin()];
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
