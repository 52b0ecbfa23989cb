// Configurations of all kinds of model, as narrow as possible.
#pragma once

#include "tests/engine/support/random_config.h"

namespace unroll {

// Some fields are set to anything; most of these configurations are refused.
Config any_model(Random& random);

// Fields are set to plausible values; most of these configurations make a model.
Config likely_model(Random& random);

}  // namespace unroll
