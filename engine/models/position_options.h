// The kind of positions that a config names, as the layers take it.
#pragma once

#include <string>

#include "engine/models/config.h"
#include "engine/nn/multi_head.h"
#include "engine/nn/positions.h"

namespace unroll {

// One of the two is none: positions are added to the words or enter where queries meet keys.
struct PositionKind {
  AbsolutePositions absolute = AbsolutePositions::none;
  MultiHeadOptions::Relative relative = MultiHeadOptions::Relative::none;
};

// The field "positions": none, index, sinusoidal, learned, alibi or rotary. Throws Error(config).
PositionKind read_positions(const Config& config, const std::string& otherwise);

}  // namespace unroll
