// Configuration fields that several models read: the kind of positions, and initial values.
#pragma once

#include <string>

#include "engine/models/config.h"
#include "engine/nn/attention/multi_head.h"
#include "engine/nn/parameters.h"
#include "engine/nn/positions.h"

namespace unroll {

// At most one of the two is set: positions are added to the inputs or enter where queries meet keys.
struct PositionKind {
  AbsolutePositions absolute = AbsolutePositions::none;
  MultiHeadOptions::Relative relative = MultiHeadOptions::Relative::none;
};

// The field "positions": none, index, sinusoidal, learned, alibi or rotary. Throws Error(config).
PositionKind read_positions(const Config& config, const std::string& fallback);

// Each randomly drawn value has its own random stream.
inline constexpr std::uint64_t stream_of_X = 1;

// The values of config[name], exactly as many as the shape holds, or else `fallback`.
Init given_or(const Config& config, const char* name, const Shape& shape, Init fallback);

// The same as a tensor; random values come from this stream of the config's seed.
Tensor given_or_drawn(const Config& config, const char* name, const Shape& shape, std::uint64_t stream,
                      const Init& fallback);

}  // namespace unroll
