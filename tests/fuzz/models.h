// Configurations of all kinds of model, as narrow as they can be.
#pragma once

#include "tests/engine/support/random_config.h"

namespace unroll {

// Some fields hold anything; most of them are refused.
Config any_model(Random& random);

// Fields hold what they may well take; most of them are made models of.
Config likely_model(Random& random);

}  // namespace unroll
