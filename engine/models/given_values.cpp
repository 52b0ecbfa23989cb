#include "engine/models/given_values.h"

namespace unroll {

Init given_or(const Config& config, const char* name, const Shape& shape, Init otherwise) {
  const auto values = config.numbers(name, shape.size(), shape.size());
  return values ? given(*values) : otherwise;
}

Tensor given_or_drawn(const Config& config, const char* name, const Shape& shape, std::uint64_t stream,
                      const Init& otherwise) {
  Tensor value(shape);
  Random random(config.seed(), stream);
  given_or(config, name, shape, otherwise)(value, random);
  return value;
}

}  // namespace unroll
