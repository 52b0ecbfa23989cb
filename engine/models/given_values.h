// First values that a configuration may give, and that are drawn where it does not.
#pragma once

#include "engine/models/config.h"
#include "engine/nn/parameters.h"

namespace unroll {

// Each value that a model draws has a stream of random numbers of its own.
inline constexpr std::uint64_t stream_of_X = 1;

// The numbers config[name], which must be as many as the shape has, or else `otherwise`.
Init given_or(const Config& config, const char* name, const Shape& shape, Init otherwise);

// A tensor of them; what is drawn comes from the stream of the config's seed.
Tensor given_or_drawn(const Config& config, const char* name, const Shape& shape, std::uint64_t stream,
                      const Init& otherwise);

}  // namespace unroll
