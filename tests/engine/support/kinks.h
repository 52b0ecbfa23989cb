// ReLU has a kink at 0, where differences are no derivative. These parameters keep its inputs away from there.
#pragma once

#include "engine/nn/parameters.h"
#include "tests/engine/support/samples.h"

namespace unroll {

// For every feed-forward network (name.W_1.bias): biases on both sides of 0 that its products do not outweigh.
void keep_feed_forward_off_the_kink(const Parameters& parameters, Samples& random);

// The same for every recurrent cell (name.W, name.U, name.b and name.c), with weights so small that no state grows.
void keep_cells_off_the_kink(const Parameters& parameters, Samples& random);

}  // namespace unroll
